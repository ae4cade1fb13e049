// changed-lines: what went and what came between two texts, line by line, as few people want to read more of.

export interface ChangedLines {
  old: string[];
  now: string[];
}

/** Lines that only one of them has, as often as it has more of them, in order. Blank ones say nothing. */
export function changedLines(old: string, now: string): ChangedLines {
  return { old: onlyIn(old, now), now: onlyIn(now, old) };
}

function onlyIn(text: string, other: string): string[] {
  const counts = new Map<string, number>();
  for (const line of other.split('\n')) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  return text.split('\n').flatMap((line) => {
    const plain = line.trim();
    if (plain === '') return [];
    const left = counts.get(plain) ?? 0;
    counts.set(plain, left - 1);
    return left > 0 ? [] : [plain];
  });
}

const MOST = 6;
const LONGEST = 160;

/** `- old` and `+ new`, the first ones. */
export function shownLines({ old, now }: ChangedLines): string {
  return [...part('-', old), ...part('+', now)].join('\n');
}

function part(sign: string, lines: readonly string[]): string[] {
  const shown = lines.slice(0, MOST).map((line) => `  ${sign} ${cut(line)}`);
  return lines.length > MOST ? [...shown, `  ${sign} … ${lines.length - MOST} more`] : shown;
}

function cut(line: string): string {
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
