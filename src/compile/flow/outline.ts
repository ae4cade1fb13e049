// outline: where every step of a workflow stands. Ids are unique within their list only, so a step is known by
// its spot, never by its id alone. The steps of a called workflow have an outline of their own.

import type { Step, Workflow } from '../../model/workflow.ts';

export interface Spot {
  step: Step;
  /** The list it stands in, and its place there. */
  list: readonly Step[];
  index: number;
  /** The block that holds the list; absent at the root. */
  parent?: Spot;
  /** The innermost `each` around it: the scope its result is kept in (rule 1). Absent: the workflow's own. */
  scope?: Spot;
  /** For people: ids from the root, `execute/verify`. */
  path: string;
}

export interface Outline {
  workflow: Workflow;
  /** In reading order. */
  spots: readonly Spot[];
  at(step: Step): Spot;
  named(id: string): readonly Spot[];
}

/** The steps directly inside a step; none for a leaf, and none for a called workflow. */
export function stepsOf(step: Step): readonly Step[] {
  return 'steps' in step.work ? step.work.steps : [];
}

export function outline(workflow: Workflow): Outline {
  const spots: Spot[] = [];
  const bySteps = new Map<Step, Spot>();
  const byId = new Map<string, Spot[]>();

  const walk = (list: readonly Step[], parent: Spot | undefined): void => {
    for (const [index, step] of list.entries()) {
      const spot: Spot = { step, list, index, path: parent ? `${parent.path}/${step.id}` : step.id };
      if (parent) {
        spot.parent = parent;
        const scope = parent.step.work.kind === 'each' ? parent : parent.scope;
        if (scope) spot.scope = scope;
      }
      spots.push(spot);
      bySteps.set(step, spot);
      const namesakes = byId.get(step.id);
      if (namesakes) namesakes.push(spot);
      else byId.set(step.id, [spot]);
      walk(stepsOf(step), spot);
    }
  };
  walk(workflow.steps, undefined);

  return {
    workflow,
    spots,
    at(step) {
      const spot = bySteps.get(step);
      if (!spot) throw new Error(`step ${step.id} is not part of workflow ${workflow.name}`);
      return spot;
    },
    named: (id) => byId.get(id) ?? [],
  };
}

/** The blocks around a spot, innermost first. */
export function around(spot: Spot): Spot[] {
  const blocks: Spot[] = [];
  for (let block = spot.parent; block; block = block.parent) blocks.push(block);
  return blocks;
}

/** Whether `spot` is `block` or stands in it, at any depth. */
export function within(spot: Spot, block: Spot): boolean {
  for (let at: Spot | undefined = spot; at; at = at.parent) if (at === block) return true;
  return false;
}

/** The `parallel` that runs the two in different branches, if there is one. */
export function parallelBetween(one: Spot, other: Spot): Spot | undefined {
  for (const block of around(one)) {
    if (!within(other, block) || other === block) continue;
    if (block.step.work.kind !== 'parallel') return undefined;
    return branchOf(one, block) === branchOf(other, block) ? undefined : block;
  }
  return undefined;
}

/** The child of `block` that is `spot` or holds it. */
export function branchOf(spot: Spot, block: Spot): Spot | undefined {
  for (let at: Spot | undefined = spot; at; at = at.parent) if (at.parent === block) return at;
  return undefined;
}
