// step-at: the step of a path, as the definition has it, whether or not it has begun.

import type { Step, Workflow } from '../../model/workflow.ts';
import { readSegment } from '../step-path.ts';

export function stepAt(workflow: Workflow, path: string): Step | undefined {
  let steps: Step[] = workflow.steps;
  let found: Step | undefined;
  for (const text of path.split('/')) {
    const id = readSegment(text)?.id;
    found = steps.find((step) => step.id === id);
    if (!found) return undefined;
    const { work } = found;
    if (work.kind === 'workflow') {
      const { workflows } = workflow;
      steps = Object.hasOwn(workflows, work.workflow) ? (workflows[work.workflow]?.steps ?? []) : [];
    } else steps = 'steps' in work ? work.steps : [];
  }
  return found;
}
