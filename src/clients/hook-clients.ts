// hook-clients: the reader and the answerer of each client's hooks, by its name.

import type { JsonObject } from '../model/json.ts';
import type { ClientName, HookEvent, HookReply } from '../model/live-session.ts';
import type { ToolAct } from '../model/tool-call.ts';
import type { ToolPolicy } from '../model/workflow.ts';
import { answerClaudeHook } from './claude/answer-hook.ts';
import { readClaudeHook } from './claude/read-hook.ts';
import type { ClientAnswer } from './clients.ts';
import { answerCodexHook } from './codex/answer-hook.ts';
import { type Call, actsUnder as codexActsUnder, readCodexHook } from './codex/read-hook.ts';
import { answerGeminiHook } from './gemini/answer-hook.ts';
import { readGeminiHook } from './gemini/read-hook.ts';
import type { HookReading, ReadAround } from './hook-payload.ts';

interface HookClient {
  read(payload: JsonObject, around: ReadAround): HookReading;
  answer(event: HookEvent, reply: HookReply): ClientAnswer;
}

const HOOK_CLIENTS: Readonly<Record<ClientName, HookClient>> = {
  claude: { read: readClaudeHook, answer: answerClaudeHook },
  codex: { read: readCodexHook, answer: answerCodexHook },
  gemini: { read: readGeminiHook, answer: answerGeminiHook },
};

export function readHook(client: ClientName, payload: JsonObject, around: ReadAround): HookReading {
  return HOOK_CLIENTS[client].read(payload, around);
}

export function answerHook(event: HookEvent, reply: HookReply): ClientAnswer {
  return HOOK_CLIENTS[event.session.client].answer(event, reply);
}

/** What a call does, under the lists that bind it: Codex has no tools for reading, and what a command is depends on them. */
export function actsUnder(event: Call, tools: ToolPolicy): ToolAct[] {
  return event.session.client === 'codex' ? codexActsUnder(event, { tools, servers: [] }) : event.acts;
}
