// moves: what the exit actions of an `each` did with the item of a pass.

import type { Outcome } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Step } from '../../model/workflow.ts';
import { readPart } from '../step-path.ts';
import type { Moved, StepRecord } from '../step-record.ts';

/** Where a pass ends by moving nothing. */
const NOTHING: Moved = Object.freeze({ from: null, to: null, applied: false, error: null });

export function moveOf({ from, to }: JsonObject): { from: string; to: string } {
  const source = typeof from === 'string' ? from : '';
  const target = typeof to === 'string' ? to : '';
  const name = source.slice(source.lastIndexOf('/') + 1);
  return { from: source, to: target.endsWith('/') ? `${target}${name}` : target };
}

export function movesItems(step: Step | undefined): boolean {
  return step?.work.kind === 'each' && step.exit.some(({ work }) => isMove(work));
}

function isMove(work: Step['exit'][number]['work']): boolean {
  return work.kind === 'call' && work.handler === 'move';
}

export function recordMove(
  record: StepRecord,
  part: string,
  { from, to }: { from: string; to: string },
  outcome: Outcome,
): void {
  if (record.kind !== 'pass' || readPart(part).name !== 'exit') return;
  const went = typeof outcome.output === 'string' ? outcome.output : to;
  record.moved = outcome.ok
    ? { from, to: went, applied: true, error: null }
    : { from, to, applied: false, error: outcome.error?.message ?? 'it failed' };
}

/** An action that was not taken: its condition is false, or what it needs is not there. */
export function passMove(record: StepRecord, part: string, why: string): void {
  const { name, index } = readPart(part);
  const work = record.step?.exit[index]?.work;
  if (record.kind !== 'pass' || name !== 'exit' || !work || !isMove(work)) return;
  if (!why.startsWith('condition is false')) record.moved = { ...NOTHING, error: why };
}

export function exitsOver(record: StepRecord): void {
  if (record.kind === 'pass' && movesItems(record.step)) record.moved ??= NOTHING;
}
