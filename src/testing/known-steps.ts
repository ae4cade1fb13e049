// known-steps: whether the steps that a test names are there. A misspelt one would prove nothing, or never pass.

import type { Diagnostic } from '../model/diagnostic.ts';
import type { Step, Workflow } from '../model/workflow.ts';
import type { WorkflowTests } from '../model/workflow-test.ts';
import { didYouMean } from '../text/closest-name.ts';
import { idsIn } from './place.ts';

export function unknownSteps(tests: WorkflowTests, workflow: Workflow): Diagnostic[] {
  const known = stepIds(workflow);
  const found = new Map<string, Diagnostic>();
  for (const { named } of tests.cases) {
    for (const { step, at } of named) {
      const unknown = idsIn(step).find((id) => !known.has(id));
      if (unknown === undefined) continue;
      const hint = didYouMean(unknown, [...known]) ?? `Its steps are ${[...known].join(', ')}.`;
      const message = `"${workflow.name}" has no step "${unknown}"`;
      found.set(`${at.line}:${at.column}`, {
        code: 'step-unknown',
        severity: 'error',
        message,
        span: at,
        hint,
      });
    }
  }
  return [...found.values()].sort(
    (a, b) => (a.span?.line ?? 0) - (b.span?.line ?? 0) || (a.span?.column ?? 0) - (b.span?.column ?? 0),
  );
}

function stepIds(workflow: Workflow): Set<string> {
  const ids = new Set<string>();
  const visit = (steps: Step[]) => {
    for (const step of steps) {
      ids.add(step.id);
      if ('steps' in step.work) visit(step.work.steps);
    }
  };
  visit(workflow.steps);
  for (const called of Object.values(workflow.workflows)) visit(called.steps);
  return ids;
}
