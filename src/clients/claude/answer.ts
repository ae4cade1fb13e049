// answer: a verdict as what Claude's PreToolUse hook answers. Claude takes JSON at any exit code; a missing reason is fine
// with it, a misspelt decision or event is not: the call would go through.

import type { JsonObject } from '../../model/json.ts';
import type { Verdict } from '../../model/tool-call.ts';
import { spokenContext, spokenLine, spokenRefusal, TOO_LONG } from '../spoken.ts';

/** `approves`: what is let through runs without a question of the client's own. `say`: for the model, beside the verdict. */
export function claudeAnswer(verdict: Verdict, approves: boolean, say: readonly string[] = []): JsonObject {
  const answer = answerOf(verdict, approves, say);
  return spokenLine(answer) === undefined
    ? answerOf({ kind: 'deny', reason: TOO_LONG }, approves, say)
    : answer;
}

function answerOf(verdict: Verdict, approves: boolean, say: readonly string[]): JsonObject {
  switch (verdict.kind) {
    case 'deny':
      return specific({
        permissionDecision: 'deny',
        permissionDecisionReason: spokenRefusal('claude', verdict.reason, say),
      });
    case 'rewrite':
      return specific({
        permissionDecision: 'allow',
        updatedInput: verdict.input,
        ...advised(verdict.advice, say),
      });
    case 'allow':
      return specific({ ...(approves && { permissionDecision: 'allow' }), ...advised(verdict.advice, say) });
  }
}

function advised(advice: string | undefined, say: readonly string[]): JsonObject {
  const additionalContext = spokenContext('claude', advice === undefined ? say : [advice, ...say]);
  return additionalContext === undefined ? {} : { additionalContext };
}

function specific(fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } };
}
