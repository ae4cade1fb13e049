// code-alone: a source text without its comments, and with what stands in its strings taken out. What is in a comment
// does not run, and a word in a string is not code. Lines stay lines. Made for counting: it knows no grammar, and what it gets wrong
// in a file it gets wrong before and after.

export interface Syntax {
  line: readonly string[];
  block?: readonly [open: string, close: string];
  /** What opens a string, the longest first, and closes it too. */
  quotes: readonly string[];
  /** Of these, the ones that may go over lines. */
  long: readonly string[];
  /** `/…/` is a pattern where a value may stand. */
  patterns?: true;
  /** `'` is a character, or no quote at all: a lifetime. */
  characters?: true;
}

const BEFORE_PATTERN =
  /(?:^|[=(,:[!&|?{};+\-*%<>~^]|=>|\b(?:return|typeof|case|of|in|do|else|void|delete|await))\s*$/;
const PATTERN = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const CHARACTER = /'(?:[^'\\\n]|\\[^\n]{1,10}?)'/y;

export function codeAlone(text: string, syntax: Syntax): string {
  const kept: string[] = [];
  let at = 0;
  const skip = (end: number) => {
    kept.push(text.slice(at, end).replace(/[^\n]/g, ' '));
    at = end;
  };
  while (at < text.length) {
    const end =
      lineComment(text, at, syntax) ?? blockComment(text, at, syntax) ?? pattern(text, at, kept, syntax);
    if (end !== undefined) {
      skip(end);
      continue;
    }
    if (syntax.characters && text[at] === "'") {
      CHARACTER.lastIndex = at;
      const length = CHARACTER.exec(text)?.[0].length;
      if (length === undefined) kept.push(text[at++] as string);
      else skip(at + length);
      continue;
    }
    const quote = syntax.quotes.find((one) => text.startsWith(one, at));
    if (quote === undefined) {
      kept.push(text[at++] as string);
      continue;
    }
    kept.push(quote);
    at += quote.length;
    skip(stringEnd(text, at, quote, syntax.long.includes(quote)));
    if (text.startsWith(quote, at)) {
      kept.push(quote);
      at += quote.length;
    }
  }
  return kept.join('');
}

function lineComment(text: string, at: number, { line }: Syntax): number | undefined {
  if (!line.some((mark) => text.startsWith(mark, at))) return undefined;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function blockComment(text: string, at: number, { block }: Syntax): number | undefined {
  if (block === undefined || !text.startsWith(block[0], at)) return undefined;
  const end = text.indexOf(block[1], at + block[0].length);
  return end < 0 ? text.length : end + block[1].length;
}

function pattern(text: string, at: number, kept: readonly string[], syntax: Syntax): number | undefined {
  if (!syntax.patterns || text[at] !== '/') return undefined;
  if (!BEFORE_PATTERN.test(kept.slice(-40).join('').slice(-40))) return undefined;
  PATTERN.lastIndex = at;
  const found = PATTERN.exec(text)?.[0];
  return found === undefined ? undefined : at + found.length;
}

/** Where the text of a string ends: at its quote, or, of a short one, at the end of the line. */
function stringEnd(text: string, from: number, quote: string, isLong: boolean): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at) || (!isLong && text[at] === '\n')) return at;
  }
  return text.length;
}
