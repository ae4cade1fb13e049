// answer: a verdict as what Gemini's BeforeTool hook answers. Gemini does not know Claude's `permissionDecision`: an answer
// in those words would let the call through.

import type { JsonObject } from '../../model/json.ts';
import type { Verdict } from '../../model/tool-call.ts';
import type { ClientAnswer } from '../clients.ts';
import { spokenLine, spokenRefusal, TOO_LONG } from '../spoken.ts';

/** `say`: for the model, in the reason of a denial. With a call that is let through Gemini loses what is said. */
export function geminiAnswer(verdict: Verdict, say: readonly string[] = []): ClientAnswer {
  const line = spokenLine(answerOf(verdict, say));
  return line === undefined
    ? geminiAnswer({ kind: 'deny', reason: TOO_LONG }, say)
    : { stdout: line, exitCode: 0 };
}

function answerOf(verdict: Verdict, say: readonly string[]): JsonObject {
  switch (verdict.kind) {
    case 'deny':
      return { decision: 'deny', reason: spokenRefusal('gemini', verdict.reason, say) };
    case 'rewrite':
      return {
        decision: 'allow',
        hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: verdict.input },
      };
    case 'allow':
      return { decision: 'allow' };
  }
}
