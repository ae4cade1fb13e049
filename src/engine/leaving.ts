// leaving: which blocks a jump leaves, and what is open in them. Marks and nothing more: each place then says for
// itself, through decide, how it ended.

import type { OpenList, OpenStep, State } from '../model/state.ts';
import { queue, summon } from './places.ts';

/** The list a jump to `target` from inside `list` lands in, or undefined: nowhere. */
export function landing(list: OpenList, target: string): { list: OpenList; index: number } | undefined {
  for (let at: OpenList | undefined = list; at; at = at.owner?.list) {
    const isFanList = at.owner?.fan !== undefined;
    const index = isFanList ? -1 : at.steps.findIndex((step) => step.id === target);
    if (index >= 0) return { list: at, index };
    const isWorkflowRoot = !at.owner || at.owner.step.work.kind === 'workflow';
    if (isWorkflowRoot) return target === 'end' ? { list: at, index: at.steps.length } : undefined;
  }
  return undefined;
}

export function awaitChildren(state: State, owner: OpenStep): void {
  if (!hasOpenChildren(owner)) queue(state, owner);
}

export function hasOpenChildren(open: OpenStep): boolean {
  if (open.fan) return open.fan.open > 0;
  const child = open.body?.child;
  return child !== undefined && child.place !== 'closed';
}

/** Marks everything open below; each place then says for itself that it was cancelled. */
export function cancelInside(state: State, owner: OpenStep, why: string): void {
  if (owner.fan) for (const child of owner.fan.children.values()) cancelPlace(state, child, why);
  else if (owner.body?.child) cancelPlace(state, owner.body.child, why);
}

function cancelPlace(state: State, open: OpenStep, why: string): void {
  if (open.leaving || open.place === 'closed') return;
  open.leaving = { why };
  if (hasOpenChildren(open)) cancelInside(state, open, why);
  else if (!isCleaningUp(open)) summon(state, open);
}

/** `exit` and `do` actions under way are let finish: they are how a step tidies up. */
function isCleaningUp(open: OpenStep): boolean {
  return open.place === 'running' && (open.stage === 'exit' || open.stage === 'do');
}

/** To be ended before its time: it opens nothing more, and decide says how it ended. */
export function isDoomed(open: OpenStep): boolean {
  return open.leaving !== undefined || open.expired;
}
