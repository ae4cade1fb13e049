// quote: a text as a shell has to be given it so that it is one word and means itself. Within double quotes other
// characters have to be escaped: that is the filling of holes (holes.ts), and nothing else writes double quotes.

/** As a person would type it: in quotes only where it needs them. `execute[2]/implement` would be a pattern. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : singleQuoted(text);
}

export function singleQuoted(text: string): string {
  return `'${insideSingleQuotes(text)}'`;
}

/** Where the quotes are there already. */
export function insideSingleQuotes(text: string): string {
  return text.replaceAll("'", `'\\''`);
}
