// position: where in the flow a text is evaluated, and what can have happened before it.

import { type Flow, type FlowEdge, type FlowNode, type NodeKind, reach } from '../flow/graph.ts';
import { type Spot, within } from '../flow/outline.ts';
import { Reachability } from '../flow/reachability.ts';
import type { Moment } from '../site.ts';

export interface Position {
  moment: Moment;
  /** Absent for what belongs to the whole workflow. */
  spot?: Spot;
  /** The nodes at one of which it is evaluated. `anywhere`: at some time or other. */
  nodes: readonly FlowNode[] | 'anywhere';
  /** The innermost `each` whose pass it is part of. */
  scope?: Spot;
}

export function positionOf(flow: Flow, spot: Spot | undefined, moment: Moment): Position {
  if (!spot) return { moment, nodes: moment === 'outputs' ? [flow.finish] : 'anywhere' };
  const isPass = isPassMoment(spot, moment);
  const scope = isPass ? spot : spot.scope;
  const nodes = kindsAt(moment, isPass).flatMap((kind) => flow.of(spot, kind));
  // `while` is tested before the first pass too.
  const isWhile =
    moment === 'until' && spot.step.work.kind === 'loop' && spot.step.work.test.kind === 'while';
  if (isWhile) nodes.push(...flow.of(spot, 'start'));
  return scope ? { moment, spot, nodes, scope } : { moment, spot, nodes };
}

/** `enter` and `exit` of an `each` are around every pass, in its scope. */
export function isPassMoment(spot: Spot, moment: Moment): boolean {
  return spot.step.work.kind === 'each' && (moment === 'enter' || moment === 'exit');
}

function kindsAt(moment: Moment, isPass: boolean): NodeKind[] {
  switch (moment) {
    case 'if':
      return ['arrive'];
    case 'enter':
      return isPass ? ['pass'] : ['start'];
    case 'until':
      return ['test'];
    case 'done':
      return ['worked'];
    case 'exit':
      return isPass ? ['passed', 'left'] : ['done', 'failed', 'left'];
    case 'next':
      return ['done', 'failed'];
    default:
      return ['start'];
  }
}

/** Something that happens at one of these nodes and is kept in the scope of a pass, or of the workflow. */
export interface Happening {
  nodes: readonly FlowNode[];
  scope?: Spot;
}

/** Whether a path leads from there to here within the scope it is kept in. */
export function canHaveHappened(it: Happening, at: Position, flow: Flow): boolean {
  if (!isInScope(it.scope, at)) return false;
  if (at.nodes === 'anywhere') return true;
  const paths = pathsWithin(it.scope, flow);
  return it.nodes.some((from) => at.nodes !== 'anywhere' && at.nodes.some((to) => paths.leads(from, to)));
}

const known = new WeakMap<Flow, Map<Spot | undefined, Reachability>>();

/** The paths of one pass, or of the whole workflow. What is there only after somebody tried again is not there. */
function pathsWithin(scope: Spot | undefined, flow: Flow): Reachability {
  const all = known.get(flow) ?? new Map<Spot | undefined, Reachability>();
  known.set(flow, all);
  const made = all.get(scope);
  if (made) return made;
  const isNextPass = ({ kind, spot }: FlowNode) => kind === 'pass' && spot === scope;
  const lets = ({ to, how }: FlowEdge) => how !== 'again' && !isNextPass(to);
  const nodes = scope ? nodesInPass(scope, flow, lets) : flow.nodes;
  const paths = new Reachability(nodes, lets);
  all.set(scope, paths);
  return paths;
}

function nodesInPass(scope: Spot, flow: Flow, lets: (edge: FlowEdge) => boolean): Iterable<FlowNode> {
  const [pass] = flow.of(scope, 'pass');
  const isInside = ({ spot }: FlowNode) => spot !== undefined && within(spot, scope);
  return pass ? reach(pass, 'out', (edge) => lets(edge) && isInside(edge.to)) : [];
}

export function isInScope(scope: Spot | undefined, at: Position): boolean {
  if (!scope) return true;
  for (let around = at.scope; around; around = around.scope) if (around === scope) return true;
  return false;
}
