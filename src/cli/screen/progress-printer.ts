// progress-printer: `--progress` where there is no terminal to draw on: lines that were not there before, as they come. A run
// with thousands of short steps would fill a disk that way, and to look costs the more the more is under way: so there is
// a measure for each second, and what comes beyond it waits for the next one.

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
      const fresh = lines.filter((_, index) => !shown.has(keys[index] as string));
      const told = fresh.slice(0, left);
      const more = fresh.length - told.length;
      if (more > 0) told.push(`… and ${count(more, 'more line')}`);
      if (told.length > 0) write(`${told.join('\n')}\n`);
      shown = new Set(keys);
      left -= Math.max(1, fresh.length, Math.ceil(lines.length / LINES));
    },
  };
}
