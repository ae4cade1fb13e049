// jump: where a `goto` leads, and what it leaves on the way (rule 7).

import type { Step } from '../../model/workflow.ts';
import type { Outline, Spot } from './outline.ts';

export interface Jump {
  /** Absent: `end`. */
  target?: Spot;
  /** The blocks that are left, innermost first. */
  leaves: Spot[];
}

/** Undefined: there is no such step in this or an enclosing list. */
export function jump(outline: Outline, from: Spot, goto: string): Jump | undefined {
  const leaves: Spot[] = [];
  for (let at: Spot | undefined = from; at; at = at.parent) {
    const step = goto === 'end' ? undefined : landings(at).find((candidate) => candidate.id === goto);
    if (step) return { target: outline.at(step), leaves };
    if (at.parent) leaves.push(at.parent);
  }
  return goto === 'end' ? { leaves } : undefined;
}

/** Everything a `goto` of this step may name. */
export function reachable(from: Spot): string[] {
  const ids: string[] = [];
  for (let at: Spot | undefined = from; at; at = at.parent) ids.push(...landings(at).map((step) => step.id));
  return [...ids, 'end'];
}

/** The children of a `parallel` do not follow one another, so none of them can be jumped to. */
function landings(at: Spot): readonly Step[] {
  return at.parent?.step.work.kind === 'parallel' ? [] : at.list;
}
