// retry: the dispatch failed. Again, if `retry` says so (rule 4); else the step has failed.

import type { Command } from '../../model/command.ts';
import type { Failure, Outcome } from '../../model/entry.ts';
import type { State } from '../../model/state.ts';
import type { Retry } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { retryOf } from '../override.ts';

/** What a second dispatch may mend. The rest would fail the same way again. */
const WORTH_A_RETRY = new Set(['exit', 'timeout', 'error', 'rate-limit', 'overloaded']);
/** Somebody has too much to do: each time twice as long, unless it says how long itself. */
const CROWDED = new Set(['rate-limit', 'overloaded']);
const LONGEST_DOUBLED = 5 * 60_000;
/** Who says to come back later than this is not waited for. */
const LONGEST_WAIT = 24 * 3_600_000;

export function decideRetry({ state, open }: Decision, outcome: Outcome): Command {
  const failure = failureOf(outcome);
  const retry = retryOf(state, open.step);
  // A command that ended well and said the wrong thing has failed all the same.
  const exit_code = outcome.exit_code === 0 ? 2 : outcome.exit_code;
  const failed = (error: Failure): Command => ({
    entry: { kind: 'step-failed', path: open.path, error, exit_code },
  });
  if (open.retries >= retry.max || !matches(retry, failure, outcome)) return failed(failure);
  const delay_ms = delayBefore(open.retries, retry, failure);
  const tooLate = CROWDED.has(failure.class) ? pastTheEnd(delay_ms, state) : undefined;
  if (tooLate !== undefined) return failed({ ...failure, ...tooLate });
  return {
    entry: {
      kind: 'retry-scheduled',
      path: open.path,
      retry: open.retries + 1,
      delay_ms,
      why: failure.message,
      class: failure.class,
    },
    perform: { kind: 'sleep', path: open.path, duration: delay_ms },
  };
}

/** A server that says when to come back is believed: never sooner, whatever the step says. */
function delayBefore(retries: number, retry: Retry, failure: Failure): number {
  const said = failure.details?.retry_after_ms;
  if (typeof said === 'number' && said > 0) return Math.max(retry.delay, Math.ceil(said));
  if (!CROWDED.has(failure.class)) return retry.delay;
  return Math.max(retry.delay, Math.min(retry.delay * 2 ** retries, LONGEST_DOUBLED));
}

/** Waiting for what the run has no time left for only fails later. */
function pastTheEnd(delay: number, { limits, elapsed }: State): Pick<Failure, 'hint'> | undefined {
  const left = limits.duration === undefined ? LONGEST_WAIT : limits.duration - elapsed;
  if (delay <= Math.min(left, LONGEST_WAIT)) return undefined;
  const why =
    delay <= LONGEST_WAIT
      ? `only ${seconds(Math.max(0, left))} of limits.duration are left`
      : `nobody waits longer than ${seconds(LONGEST_WAIT)}`;
  return {
    hint: `It is to be tried again in ${seconds(delay)}, and ${why}: resume the run then.`,
  };
}

function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}

function matches(retry: Retry, failure: Failure, outcome: Outcome): boolean {
  if (!WORTH_A_RETRY.has(failure.class)) return false;
  if (retry.on.length === 0) return true;
  return retry.on.some((on) => (typeof on === 'number' ? on === outcome.exit_code : on === failure.class));
}

function failureOf(outcome: Outcome): Failure {
  return outcome.error ?? { class: 'error', message: 'it failed and gave no reason' };
}
