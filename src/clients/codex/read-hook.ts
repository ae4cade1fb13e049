// read-hook: what Codex sends to a hook → what happens in the session. Its payloads have Claude's form.
//
// Codex has no tools of its own for reading: what `cat a` does depends on whether the step's lists know Bash (tools.ts). Where
// the lists were not known when the payload was read, `actsUnder` reads its acts again.

import type { Json, JsonObject } from '../../model/json.ts';
import type { HookEvent } from '../../model/live-session.ts';
import { isOwnCall } from '../../model/own-tools.ts';
import type { HandBack, ToolAct } from '../../model/tool-call.ts';
import { callReaders, TURN_EVENTS } from '../hook-events.ts';
import {
  type HookReading,
  type HookTable,
  inputMap,
  promptOf,
  type ReadAround,
  readPayload,
} from '../hook-payload.ts';
import { judgedName, OWN_SERVERS } from '../own-calls.ts';
import { handBack, type Known, toolActs } from './tools.ts';

export function readCodexHook(payload: JsonObject, around: ReadAround): HookReading {
  return readPayload('codex', EVENTS, payload, around);
}

const { called, ended, asked } = callReaders(
  ({ ownServers = OWN_SERVERS.codex, tools = { deny: [] }, servers = [] }) => ({
    inputOf: codexInput,
    toolOf: (name) => judgedName(name, ownServers),
    actsOf: (call) => judgedActs(toolActs(call, { tools, servers }), ownServers),
  }),
);

const EVENTS: HookTable = {
  ...TURN_EVENTS,
  // A subagent is given its task as if a person had typed it.
  UserPromptSubmit(payload) {
    const prompt = promptOf(payload);
    return { kind: 'user_prompt', prompt, byPerson: prompt !== '' && !payload.agent_id };
  },
  PreToolUse: called,
  PermissionRequest: asked,
  PostToolUse: ended,
};

/** A tool that takes plain text has it instead of a map. */
export function codexInput(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'string' ? { command: value } : inputMap(value);
}

/** Codex changes names of servers, and lists say which is meant: ours is looked for in what that comes to. */
function judgedActs(acts: ToolAct[], ours: readonly string[]): ToolAct[] {
  const [first] = acts;
  const tool = judgedName(first?.tool ?? '', ours);
  if (first === undefined || tool === first.tool) return acts;
  // Of our own server no path is asked about: what an issue says is text.
  const { input, cwd } = first;
  return isOwnCall(tool)
    ? [{ tool, input, ...(cwd !== undefined && { cwd }) }]
    : acts.map((act) => ({ ...act, tool }));
}

export type Call = Extract<HookEvent, { kind: 'tool_call' | 'tool_result' | 'permission_request' }>;

/** The acts of a call under the lists that bind it. */
export function actsUnder(event: Call, known: Known): ToolAct[] {
  const [first] = event.acts;
  const isOfLists = first?.tool === 'Bash' || first?.tool.startsWith('mcp__');
  if (first === undefined || first.unreadable !== undefined || !isOfLists || isOwnCall(first.tool))
    return event.acts;
  return toolActs({ name: first.tool, input: event.input, cwd: event.cwd }, known);
}

/** How codex is told of a rewritten input. */
export function codexHandBack(event: Call): HandBack {
  const { acts, input, cwd } = event;
  const isPatch = acts.every(({ tool }) => tool === 'Write' || tool === 'Edit') && !isShellLine(input);
  const call = { name: isPatch ? 'apply_patch' : (acts[0]?.tool ?? ''), input, cwd };
  return (act, changed) => handBack(call, act, changed);
}

/** `apply_patch <<'P'` in the shell, and not the patch itself. */
function isShellLine({ command }: JsonObject): boolean {
  return typeof command === 'string' && !command.trimStart().startsWith('*** Begin Patch');
}
