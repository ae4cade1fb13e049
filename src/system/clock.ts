// clock: the real one. Time comes from the system, chance from its random source.

import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Clock } from '../ports/clock.ts';

/** A timer of Node's fires at once when it is asked to wait longer than this. */
const longestTimer = 2 ** 31 - 1;

export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after,
    random: (digits) =>
      randomBytes(Math.ceil(digits / 2))
        .toString('hex')
        .slice(0, digits),
  };
}

function after(milliseconds: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    timer =
      left <= longestTimer
        ? setTimeout(callback, left)
        : setTimeout(() => wait(left - longestTimer), longestTimer);
  };
  wait(milliseconds);
  return () => clearTimeout(timer);
}
