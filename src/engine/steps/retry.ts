// retry: the dispatch failed. Again, if `retry` says so (rule 4); else the step has failed.

import type { Command } from '../../model/command.ts';
import type { Failure, Outcome } from '../../model/entry.ts';
import type { Retry } from '../../model/workflow.ts';
import { retryOf } from '../override.ts';
import type { Turn } from '../turn.ts';

/** What a second dispatch may mend. The rest would fail the same way again. */
const WORTH_A_RETRY = new Set(['exit', 'timeout', 'error', 'rate-limit', 'overloaded']);

export function decideRetry({ state, open }: Turn, outcome: Outcome): Command {
  const failure = failureOf(outcome);
  const retry = retryOf(state, open.step);
  if (open.retries < retry.max && matches(retry, failure, outcome)) {
    const delay_ms = Math.max(retry.delay, retryAfter(failure));
    return {
      entry: {
        kind: 'retry-scheduled',
        path: open.path,
        retry: open.retries + 1,
        delay_ms,
        why: failure.message,
      },
      perform: { kind: 'sleep', path: open.path, duration: delay_ms },
    };
  }
  // A command that ended well and said the wrong thing has failed all the same.
  const exit_code = outcome.exit_code === 0 ? 2 : outcome.exit_code;
  return { entry: { kind: 'step-failed', path: open.path, error: failure, exit_code } };
}

function matches(retry: Retry, failure: Failure, outcome: Outcome): boolean {
  if (!WORTH_A_RETRY.has(failure.class)) return false;
  if (retry.on.length === 0) return true;
  return retry.on.some((on) => (typeof on === 'number' ? on === outcome.exit_code : on === failure.class));
}

/** A server that says when to come back is believed. */
function retryAfter(failure: Failure): number {
  const said = failure.details?.retry_after_ms;
  return typeof said === 'number' ? said : 0;
}

function failureOf(outcome: Outcome): Failure {
  return outcome.error ?? { class: 'error', message: 'it failed and gave no reason' };
}
