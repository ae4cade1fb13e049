// violation: a shortest path on which X starts although the latest visit of Y has not ended done.
// Looks at states (node, has Y ended done?). Arriving somewhere with "no" is never better than with "yes", so where
// either is possible "no" is followed too, and what is found is a path that a run can take.

import type { Flow, FlowEdge, FlowNode } from '../flow/graph.ts';
import { branchOf, parallelBetween, type Spot, stepsOf, within } from '../flow/outline.ts';

export interface Violation {
  /** The step that starts too early. */
  every: Spot;
  /** How one gets there. */
  path: FlowEdge[];
  /** The `parallel` in which the two run side by side, if that is what breaks it. */
  beside?: Spot;
}

interface State {
  node: FlowNode;
  /** Whether the latest visit of Y has ended done. */
  done: boolean;
  cost: number;
  /** How it was reached. */
  by?: { edge: FlowEdge; from: State };
}

export function findViolation(flow: Flow, every: string, after: string): Violation | undefined {
  const goals = new Set(flow.outline.named(every).flatMap((spot) => flow.of(spot, 'start')));
  const steps = flow.outline.named(after);
  const buckets: State[][] = [[{ node: flow.begin, done: false, cost: 0 }]];
  const settled = new Set<number>();
  for (let cost = 0; cost < buckets.length; cost++) {
    const bucket = buckets[cost] ?? [];
    // Edges that cost nothing lengthen the bucket while it is walked.
    for (const state of bucket) {
      const key = state.node.index * 2 + (state.done ? 1 : 0);
      if (settled.has(key)) continue;
      settled.add(key);
      for (const edge of state.node.out) {
        if (!passable(edge, state.done, steps)) continue;
        const found = goals.has(edge.to) ? broken(edge, state, steps) : undefined;
        if (found) return found;
        for (const done of arrive(edge, state.done, steps)) {
          const next: State = { node: edge.to, done, cost: cost + price(edge), by: { edge, from: state } };
          let at = buckets[next.cost];
          if (!at) buckets[next.cost] = at = [];
          at.push(next);
        }
      }
    }
  }
  return undefined;
}

/** People read the path: few events, plain ones rather than failures, and nobody's intervention if there is another way. */
function price(edge: FlowEdge): number {
  if (edge.says === undefined) return 0;
  if (edge.how === 'done') return 2;
  if (edge.how === 'again' || edge.how === 'accepted' || edge.how === 'rejected') return 5;
  return edge.from.kind === 'failed' ? 4 : 3;
}

function broken(edge: FlowEdge, state: State, steps: readonly Spot[]): Violation | undefined {
  const every = edge.to.spot as Spot;
  const path: FlowEdge[] = [edge];
  for (let at = state.by; at; at = at.from.by) path.unshift(at.edge);
  for (const step of steps) {
    const beside = parallelBetween(every, step);
    if (beside) return { every, path, beside };
  }
  return state.done ? undefined : { every, path };
}

function passable(edge: FlowEdge, done: boolean, steps: readonly Spot[]): boolean {
  if (!done && edge.knows.some((id) => tellsOf(id, edge, steps))) return false;
  // A `parallel` is over when all its branches are: whether Y is done is known from the branch that has it.
  const { spot } = edge.from;
  const block = edge.to.spot;
  if (!block || spot?.parent !== block || block.step.work.kind !== 'parallel') return true;
  if (!hasInside(block, steps) || steps.some((step) => within(step, spot))) return true;
  if (edge.to.kind === 'failed') return block.step.work.concurrency !== undefined; // that branch may never have begun
  return edge.to.kind !== 'worked';
}

/** Whether a condition on `steps.<id>.status` speaks of Y: the only one of its name, and not seen from inside itself. */
function tellsOf(id: string, edge: FlowEdge, steps: readonly Spot[]): boolean {
  const [only, ...others] = steps;
  if (!only || others.length > 0 || only.step.id !== id) return false;
  const { spot } = edge.from;
  return spot !== undefined && !within(spot, only) && !parallelBetween(spot, only);
}

/** Whether Y has ended done once `edge` is taken; both where it depends on what runs beside it. */
function arrive(edge: FlowEdge, before: boolean, steps: readonly Spot[]): boolean[] {
  const { from, to } = edge;
  // What a person accepts counts as done, and what is inside it with it (rule 15).
  if (edge.how === 'accepted' && steps.some((step) => from.spot && within(step, from.spot))) return [true];
  if (to.spot && steps.includes(to.spot)) {
    if (to.kind === 'done') return [true];
    if (to.kind === 'start' || to.kind === 'skipped' || to.kind === 'failed' || to.kind === 'left')
      return [false];
  }
  // A pass has a scope of its own: what an earlier pass did is not this one's.
  if (to.kind === 'pass' && hasInside(to.spot, steps)) return [false];
  return leavesSiblings(edge, steps) ? [false, before] : [before];
}

/** A branch leaves the block while another, which has Y, is at some point of its own. */
function leavesSiblings({ from, to }: FlowEdge, steps: readonly Spot[]): boolean {
  const block = to.spot;
  if (block?.step.work.kind !== 'parallel' || to.kind !== 'left') return false;
  const branch = from.spot && branchOf(from.spot, block);
  return branch !== undefined && steps.some((step) => hasInside(block, [step]) && !within(step, branch));
}

function hasInside(block: Spot | undefined, steps: readonly Spot[]): boolean {
  if (!block || stepsOf(block.step).length === 0) return false;
  return steps.some((step) => step !== block && within(step, block));
}
