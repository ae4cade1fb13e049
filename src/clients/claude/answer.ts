// answer: a verdict as what Claude's PreToolUse hook answers. Claude takes JSON at any exit code; a missing reason is fine
// with it, a misspelt decision or event is not: the call would go through.

import type { JsonObject } from '../../model/json.ts';
import type { Verdict } from '../../model/tool-call.ts';
import { spokenAdvice, spokenLine, spokenReason, TOO_LONG } from '../spoken.ts';

/** `approves`: what is let through runs without a question of the client's own. */
export function claudeAnswer(verdict: Verdict, approves: boolean): JsonObject {
  const answer = answerOf(verdict, approves);
  return spokenLine(answer) === undefined ? answerOf({ kind: 'deny', reason: TOO_LONG }, approves) : answer;
}

function answerOf(verdict: Verdict, approves: boolean): JsonObject {
  switch (verdict.kind) {
    case 'deny':
      return specific({ permissionDecision: 'deny', permissionDecisionReason: spokenReason(verdict.reason) });
    case 'rewrite':
      return specific({
        permissionDecision: 'allow',
        updatedInput: verdict.input,
        ...advised(verdict.advice),
      });
    case 'allow':
      return specific({ ...(approves && { permissionDecision: 'allow' }), ...advised(verdict.advice) });
  }
}

function advised(advice: string | undefined): JsonObject {
  return advice === undefined ? {} : { additionalContext: spokenAdvice(advice) };
}

function specific(fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } };
}
