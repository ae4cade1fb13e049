// brace-alternatives: `src/{a,b}.ts` as the patterns it stands for. Braces without a comma mean
// themselves, and so does what follows a backslash.

/** `{a,b}{c,d}…` multiplies: a pattern that stands for more than this many is not looked at. */
const MOST_ALTERNATIVES = 64;

/** Undefined: it stands for too many. */
export function braceAlternatives(pattern: string): string[] | undefined {
  let done = [pattern];
  for (;;) {
    const next = done.flatMap((one) => expandFirst(one) ?? [one]);
    if (next.length > MOST_ALTERNATIVES) return undefined;
    if (next.length === done.length && next.every((one, index) => one === done[index])) return done;
    done = next;
  }
}

/** The first innermost `{a,b}`. */
function expandFirst(pattern: string): string[] | undefined {
  const found = /(?<!\\)\{((?:[^{}\\]|\\.)*,(?:[^{}\\]|\\.)*)\}/.exec(pattern);
  if (found === null) return undefined;
  const before = pattern.slice(0, found.index);
  const after = pattern.slice(found.index + found[0].length);
  return (found[1] as string).split(',').map((part) => `${before}${part}${after}`);
}
