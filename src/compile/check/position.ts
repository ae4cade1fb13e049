// position: where in the flow a text is evaluated, and what can have happened before it.

import type { Flow, FlowNode, NodeKind } from '../flow/graph.ts';
import type { Spot } from '../flow/outline.ts';
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
export function canHaveHappened(it: Happening, at: Position): boolean {
  if (!isInScope(it.scope, at)) return false;
  if (at.nodes === 'anywhere') return true;
  const goals = new Set(at.nodes);
  const seen = new Set<FlowNode>(it.nodes);
  for (const node of seen) {
    if (goals.has(node)) return true;
    for (const { to, how } of node.out) {
      // Another pass has another scope; and what is there only after somebody tried again is not there.
      if ((to.kind !== 'pass' || to.spot !== it.scope) && how !== 'again') seen.add(to);
    }
  }
  return false;
}

export function isInScope(scope: Spot | undefined, at: Position): boolean {
  if (!scope) return true;
  for (let around = at.scope; around; around = around.scope) if (around === scope) return true;
  return false;
}
