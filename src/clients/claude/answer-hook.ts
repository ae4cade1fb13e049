// answer-hook: what is said to an event, as Claude Code's hook answers.
// A call that is let through is not approved: Claude asks its person as it would without us.

import type { JsonObject } from '../../model/json.ts';
import type { HookEvent, HookReply } from '../../model/live-session.ts';
import type { ClientAnswer } from '../clients.ts';
import { blocked, inContext, permissionDenied, printed, type Sayable, sayable } from '../hook-answer.ts';
import { claudeAnswer } from './answer.ts';

export function answerClaudeHook(event: HookEvent, reply: HookReply): ClientAnswer {
  const said = sayable(event, reply);
  switch (event.kind) {
    case 'tool_call':
      return printed({ ...judged(reply, said), ...said.note });
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
      return ended(said, {});
    case 'settings_change':
      // Both ways of blocking at once: JSON counts at any exit code.
      return ended(said, blocked(said));
    case 'session_end':
    case 'subagent_stop':
    case 'other':
      return printed({});
  }
}

function judged({ hold, verdict = { kind: 'allow' } }: HookReply, { say }: Sayable): JsonObject {
  const answer = claudeAnswer(hold === undefined ? verdict : { kind: 'deny', reason: hold }, false, say);
  const { hookSpecificOutput: output } = answer as { hookSpecificOutput: JsonObject };
  return Object.keys(output).length > 1 ? answer : {};
}

/** Exit code 2: how a compaction is held. */
function ended({ refusal, note }: Sayable, answer: JsonObject): ClientAnswer {
  if (refusal === undefined) return printed(note);
  return { ...printed(answer), stderr: `${refusal}\n`, exitCode: 2 };
}
