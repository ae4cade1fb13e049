// stop: the agent wants to end its turn. It does, unless a machine can tell that something of the step is not met.

import { currentHanded, isCheckable } from '../../engine/engine.ts';
import { withoutMarks } from '../../model/mask-mark.ts';
import type { State } from '../../model/state.ts';
import { askedText } from './prompt-answer.ts';

export interface StopVerdict {
  held: boolean;
  why: string[];
  /** Towards `limits.stop_blocks`. */
  counts: boolean;
  /** For the person. */
  note?: string;
}

/** Waiting for a check is no try of the agent's. */
export const STILL_CHECKING: StopVerdict = {
  held: true,
  why: [
    'The checks of this step still run. Wait for them: end your turn again in a moment, and change nothing meanwhile.',
  ],
  counts: false,
};

/** `unmet`: what does not hold of the step as it was when the event came. */
export function stopVerdict(state: State, unmet: readonly string[]): StopVerdict {
  const [question] = state.questions.values();
  if (question) return released(['a person is asked'], askedText(question));
  const handed = currentHanded(state);
  const { live } = state;
  if (!handed || !live || !isCheckable(handed.open)) return released([]);
  const { open } = handed;
  const reasons = open.feedback.length > 0 ? withoutMarks(open.feedback) : unmet;
  const why = reasons.length > 0 ? [...reasons] : [`the step ${open.path} begins now`];
  const { stopBlocks } = open.scope.workflow.limits;
  if (live.visit.stops >= stopBlocks)
    return released(
      [`held ${live.visit.stops} times, which is limits.stop_blocks`],
      `Lockstep: ${open.path} is not done (${why.join('; ')}), and the agent was told so ${live.visit.stops} times. It is yours to say what now.`,
    );
  // Nothing was tried since it was told: telling it once more changes nothing.
  if (live.stopsInRow > 0)
    return released(
      ['held before, and no tool was used since'],
      `Lockstep: ${open.path} is not done: ${why.join('; ')}. The agent stopped twice without doing anything about it.`,
    );
  return { held: true, why, counts: true };
}

function released(why: string[], note?: string): StopVerdict {
  return { held: false, why, counts: false, ...(note !== undefined && { note }) };
}
