// lifecycle: what became of the item of a pass, where the exit actions of its `each` move it.

import type { JsonObject } from '../../model/json.ts';
import { movesItems } from '../outline/moves.ts';
import type { StepRecord } from '../step-record.ts';

/** undefined: nothing is moved there, or not yet. */
export function lifecycleState(pass: StepRecord): JsonObject | undefined {
  const { moved } = pass;
  if (!moved || !movesItems(pass.step)) return undefined;
  return {
    result: hasFailed(pass) ? 'failure' : 'success',
    action: moved.from === null && moved.error === null ? null : 'move',
    from: moved.from,
    to: moved.to,
    action_applied: moved.applied,
    error: moved.error,
  };
}

/** A step that failed and was mended by a jump does not count; one that the pass only went on past does. */
function hasFailed(pass: StepRecord): boolean {
  if (pass.settled === 'failed' || pass.settled === 'cancelled') return true;
  return pass.children.some((child) => child.settled === 'failed' && child.goes === 'continue');
}
