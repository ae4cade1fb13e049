// every-step: the steps of a workflow with those inside them, in the order in which they are written.

import type { Step } from './workflow.ts';

export function everyStep(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...('steps' in step.work ? everyStep(step.work.steps) : [])]);
}
