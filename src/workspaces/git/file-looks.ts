// file-looks: what a file looks like from outside, and when that tells that it is still the same.
// No program can set ctime, short of changing the clock: a file that looks the same holds the same, unless it changed just
// before it was read. Clocks of file systems tick, so its ctime may not move once more.

import type { Stats } from 'node:fs';

/** The slowest clock of a file system ticks every two seconds. */
const TICK_MS = 2100;
/**
 * Who has a file mapped into memory can write to it again and again: its ctime moves for the first time only, until the
 * system has written the file to the disk, which it does within 35 seconds unless it is told otherwise.
 */
export const MAPPED_MS = 60_000;

export function looksOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** `readAt`: just before it was read. What is written meanwhile then has a later time. */
export function hadRested({ ctimeMs }: Stats, readAt: number, forMs = TICK_MS): boolean {
  return ctimeMs < readAt - forMs;
}
