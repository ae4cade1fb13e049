// read-hook: what Claude Code sends to a hook → what happens in the session.

import type { JsonObject } from '../../model/json.ts';
import type { HookHappening } from '../../model/live-session.ts';
import { isOwnCall } from '../../model/own-tools.ts';
import {
  type CallTable,
  type HookReading,
  type HookTable,
  inputMap,
  LONGEST_OWN_TEXT,
  promptOf,
  type ReadAround,
  readCall,
  readPayload,
  sourceOf,
  textOf,
  wordOf,
} from '../hook-payload.ts';
import { judgedName, OWN_SERVERS } from '../own-calls.ts';
import { isControlTool, toolActs } from './tools.ts';

export function readClaudeHook(payload: JsonObject, around: ReadAround): HookReading {
  return readPayload('claude', EVENTS, payload, around);
}

const EVENTS: HookTable = {
  SessionStart: (payload) => ({ kind: 'session_start', source: sourceOf(payload) }),
  UserPromptSubmit: readPrompt,
  PreToolUse: (payload, around, cwd) => ({
    kind: 'tool_call',
    ...readCall(payload, around, cwd, calls(around)),
  }),
  PostToolUse: readResult,
  PostToolUseFailure: (payload, around, cwd) => ({
    ...readResult(payload, around, cwd),
    error: textOf(payload.error) || 'it failed',
  }),
  PermissionRequest(payload, around, cwd) {
    const { call, ...asked } = readCall(payload, around, cwd, calls(around));
    return { kind: 'permission_request', ...asked };
  },
  Stop: (payload) => ({
    kind: 'stop',
    again: payload.stop_hook_active === true,
    text: textOf(payload.last_assistant_message),
  }),
  // Also when a compaction is done, of a subagent without a type that never started.
  SubagentStop: (payload) => ({ kind: 'subagent_stop', text: textOf(payload.last_assistant_message) }),
  PreCompact: (payload) => ({ kind: 'compact', trigger: wordOf(payload.trigger) }),
  ConfigChange: ({ source, file_path: file }) => ({
    kind: 'settings_change',
    source: wordOf(source),
    ...(typeof file === 'string' && { file }),
  }),
  SessionEnd: (payload) => ({ kind: 'session_end', reason: wordOf(payload.reason) }),
};

/**
 * What Claude sends in a person's name begins with a tag of its own making, such as `<task-notification>` of a background
 * agent. No tag of HTML has a hyphen. A person who begins so is not taken for one: that only asks them to say it again.
 */
const OF_THE_CLIENT = /^\s*<[a-z]+(?:-[a-z]+)+[\s>]/;

function readPrompt(payload: JsonObject): HookHappening {
  const prompt = promptOf(payload);
  const isPersons =
    prompt !== '' &&
    !OF_THE_CLIENT.test(prompt) &&
    (payload.agent_id === undefined || payload.agent_id === '');
  return { kind: 'user_prompt', prompt, byPerson: isPersons };
}

function readResult(payload: JsonObject, around: ReadAround, cwd: string) {
  const read = readCall(payload, around, cwd, calls(around));
  const text = textOf(payload.tool_response, isOwnCall(read.tool) ? LONGEST_OWN_TEXT : undefined);
  return { kind: 'tool_result' as const, ...read, text };
}

function calls({ ownServers = OWN_SERVERS.claude }: ReadAround): CallTable {
  return {
    inputOf: inputMap,
    toolOf: (name) => judgedName(name, ownServers),
    actsOf: ({ name, ...call }) =>
      isControlTool(name) ? [] : toolActs({ ...call, name: judgedName(name, ownServers) }),
  };
}
