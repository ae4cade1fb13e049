// leaf: one step in state.json.

import type { JsonObject } from '../../model/json.ts';
import type { StepRecord } from '../step-record.ts';
import { isoTime, roundedCost } from '../text/words.ts';
import { errorState } from './error.ts';
import { debugState, outputState } from './output.ts';
import { statusName } from './status.ts';

export function timesState(record: StepRecord): JsonObject {
  const state: JsonObject = {};
  if (record.startedAt !== undefined) state.started_at = isoTime(record.startedAt);
  if (record.endedAt !== undefined && record.settled !== 'skipped') {
    state.completed_at = isoTime(record.endedAt);
    state.duration_ms = Math.round(record.durationMs);
  }
  return state;
}

/** `workspace`: where its processes are started. */
export function leafState(record: StepRecord, workspace: string): JsonObject {
  const state: JsonObject = { status: statusName(record) };
  const exitCode =
    record.exitCode ?? (record.settled === 'done' || record.settled === 'skipped' ? 0 : undefined);
  if (exitCode !== undefined && record.settled !== undefined) state.exit_code = exitCode;
  Object.assign(state, timesState(record));
  if (record.outcome) Object.assign(state, outputState(record, record.outcome));
  if (record.settled === 'failed' || record.settled === 'cancelled') state.error = errorState(record);
  const debug = debugState(record, workspace);
  if (debug) state.debug = debug;
  if (record.settled !== undefined && record.outcome) state.metrics = metricsState(record);
  if (record.skip) state.skip = { reason: record.skip.reason, why: record.skip.why };
  const ours = oursState(record);
  if (Object.keys(ours).length > 0) state.lockstep = ours;
  return state;
}

/** Where its time went. */
function metricsState(record: StepRecord): JsonObject {
  const { provider_ms, file_io_ms, file_operations } = record.outcome?.metrics ?? {};
  const state: JsonObject = { duration_ms: Math.round(record.durationMs) };
  if (record.verb === 'wait') state.queue_wait_ms = Math.round(record.durationMs);
  if (provider_ms !== undefined) state.provider_ms = provider_ms;
  else if (record.verb === 'prompt') state.provider_ms = record.outcome?.duration_ms ?? 0;
  if (file_io_ms !== undefined) state.file_io_ms = file_io_ms;
  if (file_operations !== undefined) state.file_operations = file_operations;
  return state;
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
    // Part of a price is none; what is known of it is `known_cost`.
    state.cost = spending.unpriced > 0 ? null : roundedCost(spending.cost);
    if (spending.unpriced > 0 && spending.priced > 0) state.known_cost = roundedCost(spending.cost);
  }
  if (record.inDoubt) state.in_doubt = true;
  if (record.override) state.override = { by: record.override.by, note: record.override.note ?? null };
  if (outcome?.warnings && outcome.warnings.length > 0) state.warnings = outcome.warnings;
  return state;
}
