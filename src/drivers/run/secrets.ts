// secrets: which of them a workflow declares, anywhere in it, and what hides them.

import type { Step, Workflow } from '../../model/workflow.ts';
import { createMask, type Mask } from '../../runtime/mask.ts';

function secretNames(workflow: Workflow): string[] {
  const names = new Set<string>();
  const visit = (steps: Step[]) => {
    for (const step of steps) {
      for (const name of step.secrets) names.add(name);
      if ('steps' in step.work) visit(step.work.steps);
    }
  };
  visit(workflow.steps);
  for (const called of Object.values(workflow.workflows)) visit(called.steps);
  return [...names].sort();
}

export function maskFor(workflow: Workflow, environment: Record<string, string>): Mask {
  return createMask(secretNames(workflow).map((name) => ({ name, value: environment[name] ?? '' })));
}
