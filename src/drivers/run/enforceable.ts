// enforceable: `tools` and `rules` of steps that name no provider, against the client that was found for them. Those
// that name one were looked at when the workflow was loaded.

import { tell, UNENFORCEABLE_HINT, unenforceable } from '../../compile/check/enforceable.ts';
import { clientOf } from '../../model/capabilities.ts';
import { Fault } from '../../model/fault.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Agents } from '../../ports/agent.ts';

/** Fault `guard-unenforceable`; where nobody is found, that is told when somebody is needed. With `guard.unenforceable: warn` each dispatch records it instead. */
export function refuseUnenforceable(workflow: Workflow, agents: Agents): void {
  let name: string;
  try {
    name = agents.find(undefined).name;
  } catch {
    return;
  }
  const found = clientOf(name, workflow.providers);
  const problems = [workflow, ...Object.values(workflow.workflows)]
    .filter(({ guard }) => guard.unenforceable === 'error')
    .flatMap((one) => unenforceable(one, (provider) => (provider === undefined ? found : undefined)));
  if (problems.length === 0) return;
  throw new Fault('guard-unenforceable', problems.map((one) => tell({ ...one, provider: name })).join('\n'), {
    hint: UNENFORCEABLE_HINT,
    exitCode: 2,
  });
}
