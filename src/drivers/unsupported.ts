// unsupported: what this version reads and checks, and no drive of it can do.

import { Fault } from '../model/fault.ts';
import type { Workflow } from '../model/workflow.ts';

/** Fault `not-in-this-version`. */
export function refuseUnsupported(workflow: Workflow): void {
  if (workflow.refused.length === 0) return;
  const list = workflow.refused.map(({ what, where }) => `  ${what} (${where})`).join('\n');
  throw new Fault(
    'not-in-this-version',
    `this version checks the following, but cannot run it yet:\n${list}`,
    {
      hint: 'Take these parts out, or wait for the version that runs them.',
      exitCode: 2,
    },
  );
}
