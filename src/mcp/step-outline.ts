// step-outline: the steps of a workflow by title and condition. What a step asks of whoever does it is never in it: a client
// sees the prompt of a step when it is handed that step, and not before.

import type { JsonObject } from '../model/json.ts';
import type { Reference, Step, Work, Workflow } from '../model/workflow.ts';
import { checkText, commandText, stepsInside } from '../views/definition/describe.ts';
import { plain } from '../views/text/plain.ts';

export interface OutlinedStep extends JsonObject {
  stepId: string;
  title: string;
  kind: Work['kind'];
}

/** Deeper ones are left out: a workflow may call itself. */
const DEEPEST = 12;

export function outlineSteps(root: Workflow, steps: Step[] = root.steps, depth = 0): OutlinedStep[] {
  if (depth >= DEEPEST) return [];
  return steps.map((step) => {
    const { id, title, work, done } = step;
    const inside = outlineSteps(root, stepsInside(work, root), depth + 1);
    return {
      stepId: id,
      title: plain(title ?? id),
      kind: work.kind,
      ...(step.if !== undefined && { runCondition: plain(step.if) }),
      ...repeatsOf(work),
      ...(done && done.checks.length > 0 && { done: done.checks.map(conditionText) }),
      ...(work.kind === 'run' && { command: commandText(work.command) }),
      ...(work.kind === 'workflow' && { workflow: plain(work.workflow) }),
      ...(inside.length > 0 && { steps: inside }),
    };
  });
}

function repeatsOf(work: Work): JsonObject {
  if (work.kind === 'loop')
    return { repeats: `${work.test.kind} ${plain(work.test.cel)}, at most ${work.max} times` };
  return work.kind === 'each' ? { repeats: `for each ${plain(work.name)} in ${plain(work.list)}` } : {};
}

/** What a person will be asked is told when it is asked. */
function conditionText(check: Parameters<typeof checkText>[0]): string {
  return check.kind === 'approve' ? 'a person approves' : checkText(check);
}

export function outlineText(steps: OutlinedStep[], indent = ''): string {
  return steps
    .flatMap(({ stepId, title, kind, runCondition, repeats, steps: inside }) => [
      `${indent}- ${title === stepId ? stepId : `${title} (${stepId})`} [${kind}]${
        runCondition === undefined ? '' : `, if ${runCondition}`
      }${repeats === undefined ? '' : `, ${repeats}`}`,
      ...(Array.isArray(inside) ? [outlineText(inside as OutlinedStep[], `${indent}  `)] : []),
    ])
    .join('\n');
}

export interface ShownReference extends JsonObject {
  id: string;
  source: string;
  uri: string;
}

export function shownReferences(workflowId: string, references: Reference[]): ShownReference[] {
  return references.map(({ id, title, source, purpose, authoritative, from }) => ({
    ...{ id, source, resolveFrom: from, uri: referenceUri(workflowId, id) },
    ...(title !== undefined && { title }),
    ...(purpose !== undefined && { purpose }),
    ...(authoritative !== undefined && { authoritative }),
  }));
}

function referenceUri(workflowId: string, id: string): string {
  return `lockstep://references/${encodeURIComponent(workflowId)}/${encodeURIComponent(id)}`;
}
