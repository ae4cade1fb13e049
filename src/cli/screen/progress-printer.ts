// progress-printer: `--progress` where there is no terminal to draw on: lines that were not there before, as they come,
// each below the lines that it belongs to. A run with thousands of short steps would fill a disk that way, and to look
// costs the more the more is under way: so there is a measure for each second, and what comes beyond it waits for the next.

import type { Outline } from '../../views/outline/shape.ts';
import { progressLines } from '../../views/progress-lines.ts';
import { count } from '../../views/text/words.ts';

const SECOND = 1000;
const LINES = 50;

/** `look` is to be called after every change, and once a second. That time goes by is no change. */
export function progressPrinter(
  outline: Outline,
  write: (text: string) => void,
): { look(now: number): void } {
  let shown = new Set<string>();
  let second = Number.NEGATIVE_INFINITY;
  let left = LINES;
  return {
    look(now) {
      // A clock that was set back begins a second, too.
      if (now - second >= SECOND || now < second) {
        second = now;
        left = LINES;
      }
      if (left <= 0) return;
      const lines = progressLines(outline, now);
      const keys = lines.map((line) => line.replace(/ \(\w+\)\.\.\.$/, ''));
      const fresh = withHolders(lines, (index) => !shown.has(keys[index] as string));
      const told = fresh.slice(0, left);
      const more = fresh.length - told.length;
      if (more > 0) told.push(`… and ${count(more, 'more line')}`);
      if (told.length > 0) write(`${told.join('\n')}\n`);
      shown = new Set(keys);
      left -= Math.max(1, fresh.length, Math.ceil(lines.length / LINES));
    },
  };
}

/** Those that are new, and the ones further out that hold them: a pass alone does not say of what. */
function withHolders(lines: readonly string[], isNew: (index: number) => boolean): string[] {
  const chosen = new Set<string>();
  let holders: { line: string; depth: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const depth = line.length - line.trimStart().length;
    holders = [...holders.filter((holder) => holder.depth < depth), { line, depth }];
    if (isNew(index)) for (const holder of holders) chosen.add(holder.line);
  }
  return [...chosen];
}
