// read-hook: what Gemini CLI sends to a hook → what happens in the session. Its payloads have a time, and no ids: neither of
// calls nor of subagents.

import { type JsonObject, objectOf } from '../../model/json.ts';
import type { HookHappening } from '../../model/live-session.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import { textsOf } from '../call-paths.ts';
import { callReaders, SESSION_EVENTS, stopped } from '../hook-events.ts';
import {
  type CallTable,
  type HookReading,
  type HookTable,
  inputMap,
  promptOf,
  type ReadAround,
  readPayload,
  textOf,
  wordOf,
} from '../hook-payload.ts';
import { judgedName, OWN_SERVERS } from '../own-calls.ts';
import { HANDS_IN, mcpOf, ourName, toolActs } from './tools.ts';

export function readGeminiHook(payload: JsonObject, around: ReadAround): HookReading {
  return readPayload('gemini', EVENTS, payload, around);
}

const { called, ended } = callReaders(calls);

/** What was said when the session began stands before the first prompt. Gemini escapes `<` in it, so this is its end. */
const TOLD_AT_START = /^<hook_context>[\s\S]*?<\/hook_context>\s*/;
/** Why a stop was held comes back as a prompt. It may quote what a check printed: nothing in it is a person's word. */
const SENT_BACK = /^Lockstep(?::| guards this session\b)/;

const EVENTS: HookTable = {
  ...SESSION_EVENTS,
  BeforeAgent(payload) {
    const prompt = promptOf(payload).replace(TOLD_AT_START, '');
    return { kind: 'user_prompt', prompt, byPerson: prompt !== '' && !SENT_BACK.test(prompt) };
  },
  BeforeTool: called,
  AfterTool: readResult,
  AfterAgent: (payload) => stopped(payload, 'prompt_response'),
  // It comes before every call of the model (`auto`), whether anything is compressed or not: only a person's word tells.
  PreCompress: (payload) =>
    payload.trigger === 'auto'
      ? { kind: 'other', name: 'PreCompress' }
      : { kind: 'compact', trigger: wordOf(payload.trigger) },
};

function readResult(payload: JsonObject, around: ReadAround, cwd: string): HookHappening {
  const result = ended(payload, around, cwd);
  const error = failureOf(objectOf(payload.tool_response), result.acts, result.text);
  return error === undefined ? result : { ...result, error };
}

/** A command that fails is no failed call to Gemini: it says so in a line after the output. */
function failureOf({ error }: JsonObject, acts: ToolAct[], text: string): string | undefined {
  if (error !== undefined && error !== null)
    return textOf(objectOf(error).message) || textOf(error) || 'it failed';
  const [, code = '0'] = /^Exit Code: (\d+)$/m.exec(text) ?? [];
  return acts[0]?.tool === 'Bash' && Number(code) !== 0 ? `it ended with ${code}` : undefined;
}

function calls(around: ReadAround, payload: JsonObject): CallTable {
  const { servers = [] } = around;
  const context = objectOf(payload.mcp_context);
  const mcp = mcpOf(context);
  const isAnothers = mcp !== undefined && !isOurs(mcp.server, context, around);
  const ours = isAnothers ? [] : (around.ownServers ?? OWN_SERVERS.gemini);
  const named = (name: string) => judgedName(ourName(name, [...ours, ...servers], mcp), ours);
  return {
    inputOf: inputMap,
    toolOf: named,
    actsOf: ({ name, input, cwd }) => (name === HANDS_IN ? [] : toolActs(named(name), { input, cwd })),
  };
}

function isOurs(
  name: string,
  { command, args, url }: JsonObject,
  { isOurs: knows }: Pick<ReadAround, 'isOurs'>,
): boolean {
  const told = {
    ...(typeof command === 'string' && { command }),
    ...(typeof url === 'string' && { url }),
  };
  return knows === undefined || knows({ name, args: textsOf(args), ...told });
}
