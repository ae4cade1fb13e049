// agents-needed: which providers the prompts of a workflow name, so that a missing one is told before a run is made.

import type { Action, Step, Workflow } from '../model/workflow.ts';

/** Each once; undefined stands for "whichever there is". `dryRun`: only of what runs under --dry-run too. */
export function providersNeeded(workflow: Workflow, dryRun = false): Set<string | undefined> {
  const needed = new Set<string | undefined>();
  const visitAction = ({ work }: Action) => {
    if (work.kind === 'prompt') needed.add(work.performer.provider);
  };
  const visit = (steps: Step[], all: boolean) => {
    for (const step of steps) {
      const counts = all || step.dryRun;
      if (counts && step.work.kind === 'prompt') needed.add(step.work.performer.provider);
      const actions = [...step.enter, ...step.exit, ...step.next.flatMap((rule) => rule.do)];
      if (counts) actions.forEach(visitAction);
      if ('steps' in step.work) visit(step.work.steps, counts);
    }
  };
  visit(workflow.steps, !dryRun);
  for (const called of Object.values(workflow.workflows)) visit(called.steps, !dryRun);
  return needed;
}
