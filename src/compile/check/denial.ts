// denial: why something that exists cannot be seen from here.

import { around, outline, parallelBetween, type Spot, within } from '../flow/outline.ts';
import type { Binding } from './binding.ts';
import { isInScope, type Position } from './position.ts';
import { type Subject, stepName } from './subject.ts';

/** Undefined: there is no such step anywhere. */
export function whyNoStep(subject: Subject, id: string, at: Position): string | undefined {
  const [nearest] = subject.outline.named(id);
  if (nearest) return whyNotSeen(nearest, at, `step \`${id}\``);
  for (const { step } of subject.outline.spots) {
    const called = step.work.kind === 'workflow' ? subject.called[step.work.workflow] : undefined;
    if (!called || outline(called).named(id).length === 0) continue;
    return `step \`${id}\` is part of the workflow that \`${step.id}\` calls; what it gives back is in ${stepName(step.id)}.output`;
  }
  return undefined;
}

/** `what` happens at a step and is not known at this position. */
function whyNotSeen(spot: Spot, at: Position, what: string): string {
  if (at.spot) {
    const parallel = parallelBetween(spot, at.spot);
    if (parallel) {
      return `${what} is in another branch of \`parallel\` \`${parallel.step.id}\` (it may not have finished)`;
    }
  }
  const hidden = [spot, ...around(spot)].findLast(
    (block) => block.scope && !isInScope(block.scope, at),
  )?.scope;
  if (hidden) {
    const { id } = hidden.step;
    return `${what}: steps inside \`each\` \`${id}\` are seen only inside a pass; use ${stepName(id)}.output`;
  }
  if (spot === at.spot) return `${what} is this very step, and has not ended here${instead(at)}`;
  if (at.spot && within(at.spot, spot)) return `${what} is a block around this step, and has not ended here`;
  if (at.spot?.list === spot.list)
    return `${what} cannot have run yet: it comes after \`${at.spot.step.id}\``;
  return `${what} cannot have run yet: no way leads from it to here`;
}

function instead({ moment }: Position): string {
  return moment === 'done' ? '; its output is `output`' : '';
}

/** The name is bound somewhere, or is the name of an `each`; undefined: it is not. */
export function whyUnbound(
  subject: Subject,
  bindings: ReadonlyMap<string, readonly Binding[]>,
  name: string,
  at: Position,
): string | undefined {
  const [binding] = bindings.get(name) ?? [];
  if (binding?.spot) {
    const { id } = binding.spot.step;
    return whyNotSeen(binding.spot, at, `\`${name}\` is bound by step \`${id}\`, which`);
  }
  const isIts = ({ step: { work } }: Spot) => work.kind === 'each' && work.name === name;
  const each = subject.outline.spots.find(isIts);
  return each && `\`${name}\` is there only inside \`each\` \`${each.step.id}\``;
}

const ROOTS: Record<string, string> = {
  output: '`output` is there only once the work has ended: in `done`, `exit` and `next`',
  status: '`status` is there only once the step has ended: in `exit` and `next`',
  pass: '`pass` is there only inside a pass of `each` or `loop`',
  event: '`event` is there only in steps, rules and `events`: `outputs` belong to no session',
  session: '`session` is there only in steps, rules and `events`: `outputs` belong to no session',
};

export function whyNoRoot(name: string): string | undefined {
  return Object.hasOwn(ROOTS, name) ? ROOTS[name] : undefined;
}
