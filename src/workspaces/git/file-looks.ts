// file-looks: what a file looks like from outside, and when that tells that it is still the same.
// No program can set ctime, short of changing the clock: a file that looks the same holds the same, unless it changed just
// before it was looked at. Clocks of file systems tick, so its ctime may not move once more.

import type { Stats } from 'node:fs';

/** The slowest clock of a file system ticks every two seconds. */
const TICK_MS = 2100;

export function looksOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** To be asked before the file is read: what is written meanwhile then has a later time. */
export function isSettled({ ctimeMs }: Stats, now = Date.now()): boolean {
  return ctimeMs < now - TICK_MS;
}
