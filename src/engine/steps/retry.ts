// retry: the dispatch failed. Again, if `retry` says so (rule 4); else the step has failed.

import type { Command } from '../../model/command.ts';
import type { Failure, Outcome } from '../../model/entry.ts';
import type { Retry } from '../../model/workflow.ts';
import type { Turn } from '../turn.ts';

/** What a second dispatch may mend. The rest would fail the same way again. */
const WORTH_A_RETRY = new Set(['exit', 'timeout', 'error', 'rate-limit', 'overloaded']);

export function decideRetry({ open }: Turn, outcome: Outcome): Command {
  const failure = failureOf(outcome);
  const { retry } = open.step;
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
  return { entry: { kind: 'step-failed', path: open.path, error: failure, exit_code: outcome.exit_code } };
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
