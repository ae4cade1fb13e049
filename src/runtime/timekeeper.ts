// timekeeper: the time that entries carry. Wall time when the process began, and from there only forward: a clock
// that is set back (or on) in mid-run changes no duration.

import type { Clock } from '../ports/clock.ts';

export interface Timekeeper {
  /** Whole milliseconds since 1970. */
  now(): number;
}

export function createTimekeeper(clock: Clock): Timekeeper {
  const began = clock.now();
  const mark = clock.monotonic();
  return { now: () => began + Math.round(clock.monotonic() - mark) };
}
