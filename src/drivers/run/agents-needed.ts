// agents-needed: which providers the prompts of a workflow name, so that a missing one is told before a run is made.

import type { Action, Step, Workflow } from '../../model/workflow.ts';

/** Each once; undefined stands for "whichever there is". */
export function providersNeeded(workflow: Workflow): Set<string | undefined> {
  const needed = new Set<string | undefined>();
  const visitAction = ({ work }: Action) => {
    if (work.kind === 'prompt') needed.add(work.performer.provider);
  };
  const visit = (steps: Step[]) => {
    for (const step of steps) {
      if (step.work.kind === 'prompt') needed.add(step.work.performer.provider);
      for (const action of [...step.enter, ...step.exit, ...step.next.flatMap((rule) => rule.do)])
        visitAction(action);
      if ('steps' in step.work) visit(step.work.steps);
    }
  };
  visit(workflow.steps);
  for (const called of Object.values(workflow.workflows)) visit(called.steps);
  return needed;
}
