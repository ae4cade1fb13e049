// admission: whether a session can be held to this workflow. What it spends is its client's, and nobody tells us.

import { Fault } from '../../model/fault.ts';
import type { Workflow } from '../../model/workflow.ts';

/** Fault `guard-lifecycle`, `guard-steps`. The answer: what a person should know. */
export function admitGuarded(workflow: Workflow, as: 'steps' | 'lifecycle'): string[] {
  const hasSteps = workflow.steps.length > 0;
  if (as === 'steps' && !hasSteps)
    throw new Fault('guard-lifecycle', `${workflow.name} has no steps: it only watches sessions`, {
      hint: `Add it to the lifecycle workflows: \`lockstep workflow set --lifecycle ${workflow.name}\`.`,
      exitCode: 2,
    });
  if (as === 'lifecycle' && hasSteps)
    throw new Fault('guard-steps', `${workflow.name} has steps: a session is at one of them`, {
      hint: `Choose it as the workflow of the project: \`lockstep workflow set ${workflow.name}\`.`,
      exitCode: 2,
    });
  const limits = (['cost', 'tokens', 'turns'] as const).filter((name) => workflow.limits[name] !== undefined);
  return limits.length === 0
    ? []
    : [
        `${limits.map((name) => `limits.${name}`).join(', ')} cannot be held: what a live session spends is unknown here`,
      ];
}
