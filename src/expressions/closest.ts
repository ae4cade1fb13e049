// closest: the name that was probably meant.

/** The nearest of `names` that is near enough to be a slip, first come first served. */
export function closest(word: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  // Of a single letter nothing would be left.
  let least = Math.min(word.length, Math.max(1, Math.floor(word.length / 3)) + 1);
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= least) continue;
    const distance = distanceBetween(word.toLowerCase(), name.toLowerCase());
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

/** Long names are never slips of each other, and would make this slow. */
const LONGEST = 64;

/** Changed, added, left out or swapped characters. */
function distanceBetween(a: string, b: string): number {
  if (a.length > LONGEST || b.length > LONGEST) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let cost = Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}
