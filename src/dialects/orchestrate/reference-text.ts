// reference-text: a foreign text taken apart into what stands for itself and what is filled in.
// `$$` is a `$`, so `$${` is a `${` that nothing is filled in for; escapes are read before references, from the left.

export type TextPart =
  | { kind: 'text'; text: string; start: number; end: number }
  /** `${name}`; spaces around the name do not count. */
  | { kind: 'reference'; name: string; start: number; end: number };

export function partsOf(source: string): TextPart[] {
  const parts: TextPart[] = [];
  let text = '';
  let textStart = 0;
  const flush = (end: number) => {
    if (text !== '') parts.push({ kind: 'text', text, start: textStart, end });
    text = '';
  };
  let at = 0;
  while (at < source.length) {
    const dollar = source.indexOf('$', at);
    if (dollar < 0 || dollar === source.length - 1) break;
    text += source.slice(at, dollar);
    const next = source[dollar + 1];
    const close = next === '{' ? source.indexOf('}', dollar) : -1;
    if (close >= 0) {
      flush(dollar);
      const name = source.slice(dollar + 2, close).trim();
      parts.push({ kind: 'reference', name, start: dollar, end: close + 1 });
      at = close + 1;
      textStart = at;
    } else {
      // A `$` that starts nothing stands for itself.
      text += '$';
      at = dollar + (next === '$' ? 2 : 1);
    }
  }
  text += source.slice(at);
  flush(source.length);
  return parts;
}

/** The text alone, with every escape read; what is a reference stays as it is written. */
export function unescaped(source: string): string {
  return partsOf(source)
    .map((part) => (part.kind === 'text' ? part.text : source.slice(part.start, part.end)))
    .join('');
}

export function hasReference(source: string): boolean {
  return partsOf(source).some(({ kind }) => kind === 'reference');
}
