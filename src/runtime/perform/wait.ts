// wait: what all waits share. `since` is when the wait began, by a clock that may have jumped since; a wait never
// takes longer than it says, and after a crash only what is left of it.

import type { Outcome } from '../../model/entry.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PerformContext, Performed, Performing } from './context.ts';
import { brokenOutcome, type EndReason, endFailure, TIMED_OUT } from './outcome.ts';

export function remaining(clock: Clock, duration: number, since: number | undefined): number {
  if (since === undefined) return duration;
  // A clock that jumped back makes it seem to have begun in the future.
  return Math.min(duration, Math.max(0, since + duration - clock.now()));
}

/** How long it has waited before this process took it up; no longer than it may. */
export function waitedBefore(clock: Clock, { timeout, since }: Limits): number {
  if (since === undefined) return 0;
  return Math.max(0, Math.min(clock.now() - since, timeout ?? Number.POSITIVE_INFINITY));
}

/** How a wait finishes: with a value that was there, or because something ended it. */
interface Waiting {
  succeed(output: Performed): void;
  fail(error: unknown): void;
}

interface Limits {
  timeout?: number;
  since?: number;
  /** What else is to be said of it when it ends before it holds. */
  soFar?: () => Partial<Outcome>;
  /** A last look when the time is up. True: it held, and has succeeded. */
  lastLook?: () => boolean;
}

/** `begin` starts to wait and answers how to stop; it may succeed at once. */
export function waiting(
  context: PerformContext,
  limits: Limits,
  begin: (waiting: Waiting) => () => void,
): Performing {
  const started = context.clock.monotonic() - waitedBefore(context.clock, limits);
  const elapsed = () => Math.round(context.clock.monotonic() - started);
  let resolve!: (performed: Performed) => void;
  const done = new Promise<Performed>((settle) => {
    resolve = settle;
  });
  let over = false;
  let stop = () => {};
  let disarm = () => {};
  const finish = (performed: () => Performed) => {
    if (over) return;
    over = true;
    stop();
    disarm();
    resolve(performed());
  };
  const end = (reason: EndReason) =>
    finish(() => ({
      kind: 'outcome',
      outcome: {
        ok: false,
        output: null,
        ...(reason === 'timeout' && { exit_code: TIMED_OUT }),
        error: endFailure(reason, limits.timeout),
        duration_ms: elapsed(),
        ...limits.soFar?.(),
      },
    }));

  stop = begin({
    succeed: (performed) => finish(() => timed(performed, elapsed())),
    fail: (error) =>
      finish(() => ({ kind: 'outcome', outcome: brokenOutcome(error, context.mask, elapsed()) })),
  });
  if (over) stop();
  else if (limits.timeout !== undefined) {
    disarm = context.clock.after(remaining(context.clock, limits.timeout, limits.since), () => {
      if (!limits.lastLook?.()) end('timeout');
    });
  }
  return { done, cancel: end };
}

function timed(performed: Performed, duration: number): Performed {
  if (performed.kind !== 'outcome') return performed;
  return { kind: 'outcome', outcome: { ...performed.outcome, duration_ms: duration } };
}
