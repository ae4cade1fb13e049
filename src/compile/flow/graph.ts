// flow: (workflow) → its control-flow graph, shared by check (what can have run here?) and prove (can X start
// without Y?). Owns: which way a run can take through the steps. Never: evaluates an expression, looks into a
// called workflow (it has a graph of its own), reports a problem.
// F1. Every way a run can take is a path of the graph; a path that no run takes may be there too, since conditions
//     are not evaluated. What is proved of all paths is true of all runs.
// F2. A step begins at `arrive` (its `if`), does its work from `start` on, and ends at `done`, `failed`, `skipped` or `left`.
// F3. A list is entered from its owner, or by goto from inside it; never from outside.
// F4. The body of an `each` is entered through its `pass` node only: behind it lies another scope (rule 1).

import type { Outline, Spot } from './outline.ts';

export type NodeKind =
  | 'begin' // of the workflow
  | 'arrive' // the `if` of a step
  | 'start' // it is entered: `enter`, work
  | 'test' // a loop's `while` or `until`
  | 'pass' // a pass of an `each` begins
  | 'passed' // … and has ended, failed or not
  | 'worked' // the work is there: `done`
  | 'done'
  | 'failed'
  | 'skipped'
  | 'left' // by goto
  | 'held' // paused for a person
  | 'finish' // the workflow is complete: `outputs`
  | 'broken'; // the run has failed

export interface FlowNode {
  index: number;
  kind: NodeKind;
  /** The step; absent at the two ends of the workflow. */
  spot?: Spot;
  out: FlowEdge[];
  in: FlowEdge[];
}

export type How =
  | 'on' // from one part of a step to the next
  | 'done' // to the following step, or out of the list
  | 'skipped'
  | 'continued' // failed, and went on
  | 'stopped' // failed, and the block around it fails
  | 'goto'
  | 'loop again'
  | 'loop over'
  | 'no pass'
  | 'exhausted'
  | 'pass'
  | 'no items'
  | 'again' // a person said so, or the failed run was resumed
  | 'accepted' // a person's override
  | 'rejected' // a person said fail
  | 'timeout';

export interface FlowEdge {
  from: FlowNode;
  to: FlowNode;
  how: How;
  /** What a person is told of it: `verify skipped (if: inputs.fast)`. Absent where there is nothing to tell. */
  says?: string;
  /** Ids of steps whose latest visit has ended done wherever this edge is taken: the condition says so. */
  knows: readonly string[];
}

export interface Flow {
  outline: Outline;
  nodes: readonly FlowNode[];
  begin: FlowNode;
  finish: FlowNode;
  broken: FlowNode;
  /** All nodes of a kind that belong to the step: one, or several `left`. */
  of(spot: Spot, kind: NodeKind): readonly FlowNode[];
}

/** Everything that can be reached from a node (itself included) along the edges that are let through. */
export function reach(
  from: FlowNode,
  along: 'out' | 'in' = 'out',
  lets: (edge: FlowEdge) => boolean = () => true,
): Set<FlowNode> {
  const seen = new Set([from]);
  const open = [from];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const edge of node[along]) {
      const next = along === 'out' ? edge.to : edge.from;
      if (seen.has(next) || !lets(edge)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return seen;
}
