// loop: `while` is tested before each pass, `until` after it; exhausted only if the test still asks for more (rule 5).

import type { Command } from '../../model/command.ts';
import type { LoopWork } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { openIssuesAt } from '../open-issues.ts';
import { decideFailedInside } from './inside.ts';

export function decideLoop(decision: Decision, work: LoopWork): Command {
  const { open, read } = decision;
  if (open.body?.failed) return decideFailedInside(decision);
  const holds = read.test(work.test.cel);
  const again = work.test.kind === 'while' ? holds : !holds;
  if (again && open.pass >= work.max) {
    const asks = `asks for more: ${work.test.kind} ${work.test.cel}`;
    const message =
      work.max === 0
        ? `no pass is allowed (\`max: 0\`), and the loop ${asks}`
        : `after ${work.max} ${work.max === 1 ? 'pass' : 'passes'} the loop still ${asks}`;
    const issues = openIssuesAt(decision, work.test.cel);
    return {
      entry: {
        kind: 'step-failed',
        path: open.path,
        error: {
          class: 'exhausted',
          message,
          not_accepted: true,
          ...(issues && { details: { open_issues: issues.texts, open: issues.words } }),
        },
      },
    };
  }
  return { entry: { kind: 'loop-tested', path: open.path, pass: open.pass + (again ? 1 : 0), again } };
}
