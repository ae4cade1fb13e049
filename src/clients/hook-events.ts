// hook-events: readers of those events that clients send in the same form.

import type { JsonObject } from '../model/json.ts';
import type { HookHappening } from '../model/live-session.ts';
import { isOwnCall } from '../model/own-tools.ts';
import {
  type CallTable,
  type HookTable,
  LONGEST_OWN_TEXT,
  type ReadAround,
  readCall,
  sourceOf,
  textOf,
  wordOf,
} from './hook-payload.ts';

/** All clients. */
export const SESSION_EVENTS: HookTable = {
  SessionStart: (payload) => ({ kind: 'session_start', source: sourceOf(payload) }),
  SessionEnd: (payload) => ({ kind: 'session_end', reason: wordOf(payload.reason) }),
};

/** Claude and Codex. Claude sends SubagentStop after a compaction too, of a subagent without a type that never started. */
export const TURN_EVENTS: HookTable = {
  ...SESSION_EVENTS,
  Stop: (payload) => stopped(payload, 'last_assistant_message'),
  SubagentStop: (payload) => ({ kind: 'subagent_stop', text: textOf(payload.last_assistant_message) }),
  PreCompact: (payload) => ({ kind: 'compact', trigger: wordOf(payload.trigger) }),
};

/** `said`: the field of the model's last answer. */
export function stopped(payload: JsonObject, said: string): HookHappening {
  return { kind: 'stop', again: payload.stop_hook_active === true, text: textOf(payload[said]) };
}

export type CallsOf = (around: ReadAround, payload: JsonObject) => CallTable;
type Reader<Kind> = (
  payload: JsonObject,
  around: ReadAround,
  cwd: string,
) => Extract<HookHappening, { kind: Kind }>;

export interface CallReaders {
  called: Reader<'tool_call'>;
  ended: Reader<'tool_result'>;
  asked: Reader<'permission_request'>;
}

export function callReaders(callsOf: CallsOf): CallReaders {
  const read = (payload: JsonObject, around: ReadAround, cwd: string) =>
    readCall(payload, around, cwd, callsOf(around, payload));
  return {
    called: (payload, around, cwd) => ({ kind: 'tool_call', ...read(payload, around, cwd) }),
    ended(payload, around, cwd) {
      const call = read(payload, around, cwd);
      const text = textOf(payload.tool_response, isOwnCall(call.tool) ? LONGEST_OWN_TEXT : undefined);
      return { kind: 'tool_result', ...call, text };
    },
    asked(payload, around, cwd) {
      const { tool, input, acts } = read(payload, around, cwd);
      return { kind: 'permission_request', tool, input, acts };
    },
  };
}
