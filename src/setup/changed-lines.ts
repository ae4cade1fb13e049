// changed-lines: what a change does to a text, line by line, for a person to agree to. Lines that stay are not shown: settings may
// hold keys.

/** `@@ line 3`, `- …`, `+ …`. Empty: nothing changes. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first += 1;
  let same = 0;
  while (same < old.length - first && same < now.length - first && old.at(-1 - same) === now.at(-1 - same))
    same += 1;
  const shown: string[] = [];
  const hunks = compare(old.slice(first, old.length - same), now.slice(first, now.length - same));
  let line = first + 1;
  let isOpen = false;
  for (const [mark, text] of hunks) {
    if (mark === ' ') isOpen = false;
    else {
      if (!isOpen) shown.push(`@@ line ${line}`);
      isOpen = true;
      shown.push(`${mark} ${text}`);
    }
    if (mark !== '-') line += 1;
  }
  return shown;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

type Compared = [' ' | '-' | '+', string];

/** The longest common subsequence; of long texts everything is shown as changed. */
function compare(old: string[], now: string[]): Compared[] {
  const all: Compared[] = [
    ...old.map((text): Compared => ['-', text]),
    ...now.map((text): Compared => ['+', text]),
  ];
  if (old.length * now.length > 4_000_000) return all;
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const at = (row: number, column: number) => table[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      (table[row] as Uint32Array)[column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const found: Compared[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [one, other] = [old[row], now[column]];
    if (one !== undefined && one === other) {
      found.push([' ', one]);
      row += 1;
      column += 1;
    } else if (one !== undefined && (other === undefined || at(row + 1, column) >= at(row, column + 1))) {
      found.push(['-', one]);
      row += 1;
    } else {
      found.push(['+', other ?? '']);
      column += 1;
    }
  }
  return found;
}
