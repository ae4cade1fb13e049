// answer-hook: what is said to an event, as Gemini CLI's hook answers. A compaction cannot be held, and of a call that is let
// through the model is told nothing.

import type { JsonObject } from '../../model/json.ts';
import type { HookEvent, HookReply } from '../../model/live-session.ts';
import type { ClientAnswer } from '../clients.ts';
import { inContext, printed, type Sayable, sayable } from '../hook-answer.ts';
import { geminiAnswer } from './answer.ts';

export function answerGeminiHook(event: HookEvent, reply: HookReply): ClientAnswer {
  const said = sayable(event, reply);
  switch (event.kind) {
    case 'tool_call':
      return judged(reply, said);
    case 'user_prompt':
      return printed({ ...denied(said), ...inContext('BeforeAgent', said), ...said.note });
    case 'session_start':
      return printed({ ...inContext('SessionStart', said), ...said.note });
    case 'tool_result':
      return printed({ ...inContext('AfterTool', said), ...said.note });
    case 'stop':
      return printed({ ...denied(said), ...said.note });
    case 'compact':
    case 'settings_change':
    case 'permission_request':
    case 'session_end':
    case 'subagent_stop':
    case 'other':
      return printed({});
  }
}

function judged({ hold, verdict = { kind: 'allow' } }: HookReply, { say, note }: Sayable): ClientAnswer {
  if (hold === undefined && verdict.kind === 'allow') return printed(note);
  const answer = geminiAnswer(hold === undefined ? verdict : { kind: 'deny', reason: hold }, say);
  return printed({ ...JSON.parse(answer.stdout ?? '{}'), ...note });
}

function denied({ refusal }: Sayable): JsonObject {
  return refusal === undefined ? {} : { decision: 'deny', reason: refusal };
}
