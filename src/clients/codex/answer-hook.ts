// answer-hook: what is said to an event, as Codex's hook answers. An answer with a field that the event does not have is
// thrown away whole: each has its own few.

import type { HookEvent, HookReply } from '../../model/live-session.ts';
import type { Verdict } from '../../model/tool-call.ts';
import type { ClientAnswer } from '../clients.ts';
import { blocked, inContext, permissionDenied, printed, sayable } from '../hook-answer.ts';
import { codexAnswer } from './answer.ts';
import { codexHandBack } from './read-hook.ts';

const UNTOLD = 'a rule rewrites this call into something that codex cannot be told';

export function answerCodexHook(event: HookEvent, reply: HookReply): ClientAnswer {
  const said = sayable(event, reply);
  switch (event.kind) {
    case 'tool_call':
      return { ...codexAnswer(toldVerdict(event, reply), said.say), exitCode: 0 };
    case 'permission_request':
      return printed(permissionDenied(reply, said));
    case 'user_prompt':
      return printed({ ...blocked(said), ...inContext('UserPromptSubmit', said), ...said.note });
    case 'session_start':
      return printed({ ...inContext('SessionStart', said), ...said.note });
    case 'tool_result':
      return printed({ ...inContext('PostToolUse', said), ...said.note });
    case 'stop':
      return printed({ ...blocked(said), ...said.note });
    case 'compact':
      return printed(said.refusal === undefined ? {} : { continue: false, stopReason: said.refusal });
    case 'settings_change':
    case 'session_end':
    case 'subagent_stop':
    case 'other':
      return printed({});
  }
}

type Call = Extract<HookEvent, { kind: 'tool_call' }>;

/** A rewritten input is in the words of codex, or is put into them: handing back twice changes nothing. */
function toldVerdict(event: Call, { hold, verdict = { kind: 'allow' } }: HookReply): Verdict {
  if (hold !== undefined) return { kind: 'deny', reason: hold };
  if (verdict.kind !== 'rewrite') return verdict;
  const handBack = codexHandBack(event);
  const told = event.acts.map((act) => handBack(act, verdict.input)).find((input) => input !== undefined);
  return told === undefined ? { kind: 'deny', reason: UNTOLD } : { ...verdict, input: told };
}
