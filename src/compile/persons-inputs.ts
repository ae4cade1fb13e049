// persons-inputs: the inputs of a workflow that decide whether a person is asked: for an approval, or by a step that asks. A
// client that could set them would confirm its own work (G4).

import { references } from '../expressions/references.ts';
import { everyStep } from '../model/every-step.ts';
import type { Cel, Step, Templated, Workflow } from '../model/workflow.ts';

export function personsInputs(root: Workflow): Set<string> {
  return inputsOf(root, root, new Set());
}

function inputsOf(workflow: Workflow, root: Workflow, above: ReadonlySet<Workflow>): Set<string> {
  if (above.has(workflow)) return new Set();
  const inside = new Set([...above, workflow]);
  return new Set(
    everyStep(workflow.steps).flatMap((step) => [...own(step), ...handedDown(step, root, inside)]),
  );
}

function own({ if: condition, work, done }: Step): string[] {
  const approvals = (done?.checks ?? []).flatMap((check) =>
    check.kind === 'approve' ? readIn(check.if) : [],
  );
  return work.kind === 'ask' ? [...approvals, ...readIn(condition)] : approvals;
}

/** What decides it in a workflow that this step calls, and comes from here. */
function handedDown({ work }: Step, root: Workflow, above: ReadonlySet<Workflow>): string[] {
  if (work.kind !== 'workflow') return [];
  const called = Object.hasOwn(root.workflows, work.workflow) ? root.workflows[work.workflow] : undefined;
  if (!called) return [];
  return [...inputsOf(called, root, above)].flatMap((name) => readInTemplate(work.with[name]));
}

function readIn(condition: Cel | undefined): string[] {
  return condition === undefined ? [] : namesIn(condition, 'cel');
}

function readInTemplate(value: Templated | undefined): string[] {
  if (typeof value === 'string') return namesIn(value, 'template');
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => readInTemplate(one as Templated));
}

function namesIn(source: string, kind: 'cel' | 'template'): string[] {
  return references(source, kind).flatMap(({ root, path: [name] }) =>
    root === 'inputs' && name !== undefined ? [name] : [],
  );
}
