// fan: `parallel` and `each` have ended with a failure: what was never started goes on record (S1), then it fails.

import type { Command } from '../../model/command.ts';
import type { Failure } from '../../model/entry.ts';
import type { Fan, OpenStep, State } from '../../model/state.ts';
import type { Decision } from '../decision.ts';
import { isGates } from '../opening.ts';
import { onFailOf } from '../override.ts';
import { gatherReviews } from '../review.ts';
import { inherited } from './inside.ts';

export function decideFan({ state, open }: Decision): Command {
  const fan = open.fan as Fan;
  if (fan.failure && fan.next < fan.total && !fan.leftOut) return fanStopped(open, fan.failure.message);
  if (!fan.failure && isGates(open.step))
    return { entry: { kind: 'reviews-gathered', path: open.path, output: gatherReviews(open) } };
  return {
    entry: {
      kind: 'step-failed',
      path: open.path,
      error: { class: 'child', message: fanMessage(state, open, fan), by_person: fan.failure?.by_person },
    },
  };
}

/** What was never started, and why. */
export function fanStopped(open: OpenStep, why: string): Command {
  const leftOut = neverStarted(open, open.fan as Fan);
  return { entry: { kind: 'fan-stopped', path: open.path, why, left_out: leftOut } };
}

function neverStarted(open: OpenStep, fan: Fan): string[] {
  const { work } = open.step;
  if (work.kind === 'parallel') return work.steps.slice(fan.next).map((step) => `${open.path}/${step.id}`);
  if (fan.waiting) return fan.waiting.map((index) => `${open.path}[${index}]`);
  const first = `${open.path}[${fan.next}]`;
  return fan.next === fan.total - 1 ? [first] : [`${first} … ${open.path}[${fan.total - 1}]`];
}

function fanMessage(state: State, open: OpenStep, fan: Fan): string {
  if (open.step.work.kind === 'each' && onFailOf(state, open.step) === 'continue') {
    return `${fan.failed} of ${fan.total} passes failed`;
  }
  const first = [...fan.children.values()].find((child) => child.place === 'closed');
  return inherited(first?.path ?? open.path, fan.failure as Failure);
}
