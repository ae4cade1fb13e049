// answer: a verdict as what codex's PreToolUse hook answers. Codex throws an answer away, and lets the call through, if it
// has a field that codex does not know, a denial without a reason, or text that is no Unicode; and it reads JSON only from a
// hook that ends with 0.

import type { JsonObject } from '../../model/json.ts';
import type { Verdict } from '../../model/tool-call.ts';
import type { ClientAnswer } from '../clients.ts';
import { isBrokenText, spokenAdvice, spokenLine, spokenReason, TOO_LONG } from '../spoken.ts';

const BROKEN = 'a rule rewrites this call into a text that is no Unicode, which codex would not read';

export function codexAnswer(verdict: Verdict): ClientAnswer {
  if (verdict.kind === 'allow' && verdict.advice === undefined) return {};
  const line = spokenLine(answerOf(verdict));
  if (line === undefined) return codexAnswer({ kind: 'deny', reason: TOO_LONG });
  if (isBrokenText(line)) return codexAnswer({ kind: 'deny', reason: BROKEN });
  return { stdout: line };
}

function answerOf(verdict: Verdict): JsonObject {
  const specific: JsonObject = { hookEventName: 'PreToolUse' };
  if (verdict.kind === 'deny') {
    specific.permissionDecision = 'deny';
    specific.permissionDecisionReason = spokenReason(verdict.reason);
  } else {
    if (verdict.kind === 'rewrite') {
      specific.permissionDecision = 'allow';
      specific.updatedInput = verdict.input;
    }
    if (verdict.advice !== undefined) specific.additionalContext = spokenAdvice(verdict.advice);
  }
  return { hookSpecificOutput: specific };
}
