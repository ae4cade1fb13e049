// leaf: one step in state.json.

import type { Outcome } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { StepRecord } from '../step-record.ts';
import { tail } from '../text/plain.ts';
import { isoTime, roundedCost } from '../text/words.ts';
import { statusName } from './status.ts';

const TAIL_LINES = 10;

export function timesState(record: StepRecord): JsonObject {
  const state: JsonObject = {};
  if (record.startedAt !== undefined) state.started_at = isoTime(record.startedAt);
  if (record.endedAt !== undefined && record.settled !== 'skipped') {
    state.completed_at = isoTime(record.endedAt);
    state.duration_ms = Math.round(record.durationMs);
  }
  return state;
}

export function leafState(record: StepRecord): JsonObject {
  const state: JsonObject = { status: statusName(record) };
  const exitCode =
    record.exitCode ?? (record.settled === 'done' || record.settled === 'skipped' ? 0 : undefined);
  if (exitCode !== undefined && record.settled !== undefined) state.exit_code = exitCode;
  Object.assign(state, timesState(record));
  if (record.outcome) Object.assign(state, outputState(record, record.outcome));
  if (record.settled === 'failed' || record.settled === 'cancelled') state.error = errorState(record);
  if (record.skip) state.skip = { reason: record.skip.reason, why: record.skip.why };
  const ours = oursState(record);
  if (Object.keys(ours).length > 0) state.lockstep = ours;
  return state;
}

function outputState(record: StepRecord, outcome: Outcome): JsonObject {
  const { output } = outcome;
  const truncated = outcome.truncated !== undefined;
  if (record.verb === 'wait') return waitState(record, output);
  const capture = record.step?.capture.as ?? 'text';
  if (capture === 'lines' && Array.isArray(output))
    return { output_capture: 'lines', lines: output, truncated };
  if (capture === 'json' && typeof output === 'string' && record.step?.capture.onParseError === 'keep') {
    const reason = truncated ? 'overflow' : 'invalid';
    return { output, truncated, debug: { json_parse_error: { reason } } };
  }
  if (capture === 'json' && outcome.ok) return { output_capture: 'json', json: output, truncated };
  return typeof output === 'string' ? { output, truncated } : { json: output, truncated };
}

function waitState(record: StepRecord, output: Json): JsonObject {
  const state: JsonObject = {
    wait_duration_ms: Math.round(record.durationMs),
    timed_out: record.exitCode === 124,
  };
  if (Array.isArray(output)) state.files = output;
  else if (typeof output === 'object' && output !== null) Object.assign(state, output);
  else if (output !== null) state.output = output;
  return state;
}

function errorState(record: StepRecord): JsonObject {
  const { error, outcome } = record;
  const failure = error ?? outcome?.error;
  const state: JsonObject = {
    message: failure?.message ?? 'it did not finish',
    exit_code: record.exitCode ?? null,
    stdout_tail: stdoutTail(outcome),
    stderr_tail: tail(outcome?.stderr ?? '', TAIL_LINES),
    context: failure?.details ?? {},
  };
  if (failure) state.class = failure.class;
  if (failure?.hint !== undefined) state.hint = failure.hint;
  if (record.reasons.length > 0) state.reasons = record.reasons;
  return state;
}

function stdoutTail(outcome: Outcome | undefined): Json[] {
  const said = outcome?.raw ?? outcome?.output;
  if (typeof said === 'string') return tail(said, TAIL_LINES);
  return Array.isArray(said) ? said.slice(-TAIL_LINES) : [];
}

/** What theirs has no word for, where there is something to say. */
function oursState(record: StepRecord): JsonObject {
  const state: JsonObject = {};
  const { spending, outcome } = record;
  if (record.status === 'asking' || record.status === 'waiting' || record.status === 'cancelled')
    state.status = record.status;
  if (record.visit > 1) state.path = record.path;
  if (record.try > 1) state.try = record.try;
  if (record.retries > 0) state.retries = record.retries;
  if (record.agent !== undefined) state.agent = record.agent;
  if (record.provider !== undefined) state.provider = record.provider;
  if (record.model !== undefined) state.model = record.model;
  if (spending.priced + spending.unpriced > 0) {
    state.input_tokens = spending.input_tokens;
    state.output_tokens = spending.output_tokens;
    state.cost = spending.unpriced > 0 ? null : roundedCost(spending.cost);
  }
  if (record.inDoubt) state.in_doubt = true;
  if (record.override) state.override = { by: record.override.by, note: record.override.note ?? null };
  if (outcome?.warnings && outcome.warnings.length > 0) state.warnings = outcome.warnings;
  return state;
}
