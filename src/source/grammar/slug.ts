// slug: an id of ours out of any text.

const LONGEST = 80;

/** As it is where that is a name already; else its letters and digits. */
export function slug(text: string, otherwise: string): string {
  // No name in our language, whatever it consists of.
  if (text === '__proto__') return otherwise;
  if (/^[A-Za-z0-9_][A-Za-z0-9_-]*$/.test(text) && text.length <= LONGEST) return text;
  const kept = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[-_]+(?=[A-Za-z0-9])|[-_]+$/g, '')
    .slice(0, LONGEST);
  return /^[A-Za-z0-9_]/.test(kept) ? kept : otherwise;
}
