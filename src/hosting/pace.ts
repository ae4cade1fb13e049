// pace: how often something is written that takes longer the longer the run is. Written at every step it would cost more
// than the run itself, and with the number of steps the cost grows with its square. So all that is written at this
// pace takes at most about half as long as everything else that the run does.

import type { Clock } from '../ports/clock.ts';

/** Milliseconds that may be spent in any case. */
const GRACE = 300;
/** Of the time that has gone by, that of writing included. */
const SHARE = 1 / 3;

export interface Pace {
  /** Milliseconds until it may be written; 0: now. */
  wait(): number;
  /** Does it, and counts what it took. */
  spend(write: () => void): void;
}

export function createPace(clock: Pick<Clock, 'monotonic'>): Pace {
  const began = clock.monotonic();
  let spent = 0;
  return {
    wait: () => Math.max(0, (spent - GRACE) / SHARE - (clock.monotonic() - began)),
    spend(write) {
      const before = clock.monotonic();
      try {
        write();
      } finally {
        spent += clock.monotonic() - before;
      }
    },
  };
}
