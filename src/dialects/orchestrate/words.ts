// words: a command that was written as one text, split into its words as a shell would split it, without one: quotes and
// backslashes hold a word together, `${…}` is a part of it.

/** What means something to a shell only, outside of quotes. */
const FOR_A_SHELL = /[|&;<>()`*?[\]{}\n#!~]/;

/** undefined: only a shell understands it, or it has no end, or no word. */
export function wordsOfLine(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < line.length) {
    const character = line[at] as string;
    const reference = /^\$\{[^}]*\}/.exec(line.slice(at))?.[0];
    if (reference !== undefined) {
      word = (word ?? '') + reference;
      at += reference.length;
    } else if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else if (character === "'" || character === '"') {
      const end = closing(line, at);
      const inside = end === undefined ? undefined : quoted(line.slice(at + 1, end), character);
      if (end === undefined || inside === undefined) return undefined;
      word = (word ?? '') + inside;
      at = end + 1;
    } else if (character === '\\' && at + 1 < line.length) {
      word = (word ?? '') + line[at + 1];
      at += 2;
    } else if (FOR_A_SHELL.test(character) || character === '$' || character === '\\') {
      return undefined;
    } else {
      word = (word ?? '') + character;
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  // `A=1 make` sets a variable for a shell.
  return words.length === 0 || /^[A-Za-z_]\w*=/.test(words[0] ?? '') ? undefined : words;
}

function closing(line: string, start: number): number | undefined {
  const quote = line[start];
  for (let at = start + 1; at < line.length; at += 1) {
    if (line[at] === quote) return at;
    if (quote === '"' && line[at] === '\\') at += 1;
  }
  return undefined;
}

/** In double quotes a shell fills in: that is for one. References of this language are none of its business. */
function quoted(text: string, quote: string): string | undefined {
  if (quote === "'") return text;
  if (/`|(?<!\\)\$(?!\{|\$\{)/.test(text)) return undefined;
  return text.replace(/\\(["\\$`])/g, '$1');
}
