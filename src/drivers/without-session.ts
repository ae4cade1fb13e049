// unsupported: what a workflow asks for that only a drive with a live session has.

import { Fault } from '../model/fault.ts';
import type { Workflow } from '../model/workflow.ts';

/** Fault `needs-session`. For drives that have none. */
export function refuseWithoutSession(workflow: Workflow): void {
  const needing = workflow.refused.filter(({ needs }) => needs === 'session');
  if (needing.length === 0) return;
  const list = needing.map(({ what, where }) => `  ${what} (${where})`).join('\n');
  throw new Fault('needs-session', `this workflow needs a live session for the following:\n${list}`, {
    hint: `Hold a client's session to it (\`lockstep workflow set ${workflow.name}\`), or take these parts out.`,
    exitCode: 2,
  });
}
