// closest-name: the name somebody probably meant.

/** A list longer than this was not typed by anybody. */
const MOST_LOOKED = 2000;

/** Undefined where nothing is near enough to be worth saying. */
export function closest(word: string, names: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  let looked = 0;
  for (const name of new Set(names)) {
    if (Math.abs(name.length - word.length) >= least) continue;
    if (++looked > MOST_LOOKED) break;
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance < least && distance < word.length) [best, least] = [name, distance];
  }
  return best;
}

/** As a hint: `Did you mean "build"?` */
export function didYouMean(word: string, names: Iterable<string>): string | undefined {
  const name = closest(word, names);
  return name === undefined ? undefined : `Did you mean "${name}"?`;
}

/** The names that misspelt keys were meant to be: what is there under a wrong name is not also missing. */
export function meantKeys(keys: Iterable<string>, names: readonly string[]): Set<string> {
  const known = new Set(names);
  const wrong = [...keys].filter((key) => !known.has(key)).slice(0, MOST_WRONG);
  return new Set(wrong.flatMap((key) => closest(key, names) ?? []));
}

/** More misspelt keys than this are none. */
const MOST_WRONG = 100;

/** Longer names are no slips of each other, and would take long. */
const LONGEST = 100;

/** Insertions, deletions, substitutions and swaps of neighbours, each counting one. */
function editDistance(from: string, to: string): number {
  if (from.length > LONGEST || to.length > LONGEST) return from === to ? 0 : Number.POSITIVE_INFINITY;
  let [before, last] = [[] as number[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[to.length] ?? 0;
}
