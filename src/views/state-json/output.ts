// output: what a step gave, and how it was started, in the fields of state.json.

import type { Outcome } from '../../model/entry.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import type { StepRecord } from '../step-record.ts';

/** Of lines and JSON only the value is there, never the text beside it. */
export function outputState(record: StepRecord, outcome: Outcome): JsonObject {
  const { output } = outcome;
  const truncated = outcome.truncated !== undefined;
  if (record.verb === 'wait') return waitState(record, outcome);
  const capture = record.step?.capture.as ?? 'text';
  if (outcome.unparsed !== undefined) return { output, truncated };
  if (capture === 'lines')
    return { output_capture: 'lines', lines: Array.isArray(output) ? output : [], truncated };
  if (capture === 'json') {
    const isParsed = outcome.ok || (output !== null && typeof output !== 'string');
    return { output_capture: 'json', ...(isParsed && { json: output }), truncated };
  }
  if (output === null) return outcome.ok ? { json: null, truncated } : {};
  return typeof output === 'string' ? { output, truncated } : { json: output, truncated };
}

function waitState(record: StepRecord, { output, polls }: Outcome): JsonObject {
  const state: JsonObject = {};
  const work = record.step?.work;
  if (work?.kind === 'wait' && work.for === 'files') state.files = Array.isArray(output) ? output : [];
  else if (isObject(output)) Object.assign(state, output);
  else if (output !== null) state.output = output;
  state.wait_duration_ms = Math.round(record.durationMs);
  if (polls !== undefined) state.poll_count = polls;
  state.timed_out = record.exitCode === 124;
  return state;
}

/** How its process was started, and what is worth knowing about how its output came to be. */
export function debugState(record: StepRecord, workspace: string): JsonObject | undefined {
  const { outcome } = record;
  const { invocation, injection, unparsed } = outcome ?? {};
  const command = record.argv ?? invocation?.argv;
  const state: JsonObject = {};
  if (command !== undefined || invocation) {
    if (command !== undefined) state.command = command;
    state.cwd = workspace;
    if (invocation) state.env_count = invocation.env_count;
  }
  if (unparsed !== undefined) state.json_parse_error = { reason: unparsed };
  if (injection) {
    const { truncated, ...details } = injection;
    state.injection = { injection_truncated: truncated, truncation_details: details };
  }
  return Object.keys(state).length > 0 ? state : undefined;
}
