// answer: a verdict as what codex's PreToolUse hook answers. Codex throws an answer away, and lets the call through, if it
// has a field that codex does not know, a denial without a reason, or text that is no Unicode; and it reads JSON only from a
// hook that ends with 0.

import type { JsonObject } from '../../model/json.ts';
import type { Verdict } from '../../model/tool-call.ts';
import type { ClientAnswer } from '../clients.ts';
import { isBrokenText, spokenContext, spokenLine, spokenRefusal, TOO_LONG } from '../spoken.ts';

const BROKEN = 'a rule rewrites this call into a text that is no Unicode, which codex would not read';

/** `say`: for the model, beside the verdict. */
export function codexAnswer(verdict: Verdict, say: readonly string[] = []): ClientAnswer {
  const answer = answerOf(verdict, say);
  if (answer === undefined) return {};
  const line = spokenLine(answer);
  if (line === undefined) return codexAnswer({ kind: 'deny', reason: TOO_LONG }, say);
  if (isBrokenText(line)) return codexAnswer({ kind: 'deny', reason: BROKEN }, say);
  return { stdout: line };
}

/** Undefined: there is nothing to say. */
function answerOf(verdict: Verdict, say: readonly string[]): JsonObject | undefined {
  const specific: JsonObject = { hookEventName: 'PreToolUse' };
  if (verdict.kind === 'deny') {
    specific.permissionDecision = 'deny';
    specific.permissionDecisionReason = spokenRefusal('codex', verdict.reason, say);
  } else {
    if (verdict.kind === 'rewrite') {
      specific.permissionDecision = 'allow';
      specific.updatedInput = verdict.input;
    }
    const context = spokenContext('codex', verdict.advice === undefined ? say : [verdict.advice, ...say]);
    if (verdict.kind === 'allow' && context === undefined) return undefined;
    if (context !== undefined) specific.additionalContext = context;
  }
  return { hookSpecificOutput: specific };
}
