// script-word: which word of a command that is a list of words a shell reads as a line: `[bash, -c, 'echo {{ x }}']`.

import { baseName } from './program-arguments.ts';

/** Those whose quoting is the one that values are put in with. */
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash']);

/** Its index; undefined: none, or the words before it do not say so for certain. */
export function scriptWord(words: readonly string[]): number | undefined {
  if (!SHELLS.has(baseName(words[0] ?? ''))) return undefined;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as string;
    if (!/^-[a-zA-Z]+$/.test(word)) return undefined;
    if (word.endsWith('o')) at++;
    else if (word.endsWith('c')) return /^[-+]/.test(words[at + 1] ?? '-') ? undefined : at + 1;
  }
  return undefined;
}
