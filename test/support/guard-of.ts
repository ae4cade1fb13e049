// guard-of: a guard for tests that answers about one thing at a time: the first denial counts, and the last rewrite.

import type { ToolAct, ToolGuard, Verdict } from '../../src/ports/agent.ts';

export function guardOf(
  answer: (act: ToolAct) => Verdict | Promise<Verdict>,
  ended: ToolGuard['ended'] = () => {},
): ToolGuard {
  return {
    async decide(call, handBack = (_, input) => input) {
      let last: Verdict = { kind: 'allow' };
      for (const act of call) {
        const verdict = await answer(act);
        if (verdict.kind === 'deny') return verdict;
        if (verdict.kind === 'allow') {
          last = last.kind === 'rewrite' ? last : verdict;
          continue;
        }
        const input = handBack(act, verdict.input);
        if (input === undefined) return { kind: 'deny', reason: 'it cannot be told so' };
        last = { ...verdict, input };
      }
      return last;
    },
    ended,
  };
}
