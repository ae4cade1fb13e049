// actions: when the last of a step's exit actions has ended, so may the step have.

import type { StepRecord } from '../step-record.ts';
import { dropFailed, finish, passEnded } from './lifecycle.ts';
import { exitsOver } from './moves.ts';
import type { Outline } from './shape.ts';

/** The last exit action ends a step that has nothing to choose from next, or a pass of `each`. */
export function actionEnded(outline: Outline, record: StepRecord, part: string, at: number): void {
  if (part !== `exit[${(record.step?.exit.length ?? 0) - 1}]`) return;
  exitsOver(record);
  if (record.settled !== undefined) {
    if (record.kind === 'pass') dropFailed(outline, record);
  } else if (record.kind === 'pass') passEnded(outline, record, at);
  else if (record.step?.next.length === 0) finish(outline, record, at);
}
