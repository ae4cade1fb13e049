// answer: a verdict as what Gemini's BeforeTool hook answers. Gemini does not know Claude's `permissionDecision`: an answer
// in those words would let the call through.

import type { JsonObject } from '../../model/json.ts';
import type { Verdict } from '../../model/tool-call.ts';
import type { ClientAnswer } from '../clients.ts';
import { spokenLine, spokenReason, TOO_LONG } from '../spoken.ts';

export function geminiAnswer(verdict: Verdict): ClientAnswer {
  const line = spokenLine(answerOf(verdict));
  return line === undefined
    ? geminiAnswer({ kind: 'deny', reason: TOO_LONG })
    : { stdout: line, exitCode: 0 };
}

function answerOf(verdict: Verdict): JsonObject {
  switch (verdict.kind) {
    case 'deny':
      return { decision: 'deny', reason: spokenReason(verdict.reason) };
    case 'rewrite':
      return {
        decision: 'allow',
        hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: verdict.input },
      };
    case 'allow':
      return { decision: 'allow' };
  }
}
