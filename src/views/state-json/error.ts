// error: why a step failed, as state.json tells it.

import type { Failure } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { calledName } from '../../text/called-name.ts';
import type { StepRecord } from '../step-record.ts';
import { tail } from '../text/plain.ts';
import { type Around, errorContext } from './error-context.ts';
import { keysOf } from './names.ts';

const TAIL_LINES = 10;
const REFERENCE = /\bsteps(?:\.\w+|\["[^"]*"\])+/g;

export function errorState(record: StepRecord): JsonObject {
  const { error, outcome } = record;
  const failure = error ?? outcome?.error;
  const state: JsonObject = {
    message: failure?.message ?? 'it did not finish',
    exit_code: record.exitCode ?? null,
    stdout_tail: stdoutTail(record),
    stderr_tail: tail(outcome?.stderr ?? '', TAIL_LINES),
    context: contextOf(record, failure),
  };
  if (failure) state.class = failure.class;
  if (failure?.hint !== undefined) state.hint = failure.hint;
  if (record.reasons.length > 0) state.reasons = record.reasons;
  return state;
}

function stdoutTail({ outcome, step }: StepRecord): Json[] {
  const said = outcome?.stdout_tail ?? outcome?.raw ?? outcome?.output;
  if (said === undefined || said === null) return [];
  if (typeof said === 'string') return tail(said, TAIL_LINES);
  if (Array.isArray(said) && step?.capture.as !== 'json') return said.slice(-TAIL_LINES);
  return [JSON.stringify(said)];
}

function contextOf(record: StepRecord, failure: Failure | undefined): JsonObject {
  const around: Around = {
    argv: record.argv ?? record.outcome?.invocation?.argv,
    durationMs: record.durationMs,
    stepCalled: (id) => stepCalled(record, id),
  };
  return errorContext({ ...inferred(record, failure), ...failure?.details }, around);
}

/** What the failure leaves unsaid and the definition knows. */
function inferred({ step, outcome }: StepRecord, failure: Failure | undefined): JsonObject {
  if (!step || !failure) return {};
  const limit = step.work.kind === 'wait' && 'timeout' in step.work ? step.work.timeout : undefined;
  const timeout = step.timeout ?? limit;
  if (failure.class === 'timeout' && timeout !== undefined) return { timeout_ms: timeout };
  const { work } = step;
  if (failure.class === 'expression' && work.kind === 'each' && failure.details?.absent === undefined) {
    const list = calledName(work.list) ?? work.list.match(REFERENCE)?.at(-1);
    return list === undefined ? {} : { not_a_list: list };
  }
  return outcome?.violations?.length ? { schema_violations: outcome.violations } : {};
}

function stepCalled(record: StepRecord, id: string): ReturnType<Around['stepCalled']> {
  for (let at = record.parent; at; at = at.parent) {
    const index = at.children.findIndex((child) => child.id === id);
    const step = at.children[index]?.step;
    if (step) return { name: keysOf(at.children)[index] ?? id, capture: step.capture.as };
  }
  return undefined;
}
