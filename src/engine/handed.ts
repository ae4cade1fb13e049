// handed: steps that a client works on. The step waits there, and nothing of ours runs meanwhile: a crash leaves nothing in
// doubt, and no time is spent. What the client hands in (a claim) is weighed, and then counts or does not as the answer of any agent.
// Owns: which steps are handed out, and what a claim does. Never: whether it is enough (acceptance.ts).

import type { ClaimRefusal, EntryBody } from '../model/entry.ts';
import { withoutMarks } from '../model/mask-mark.ts';
import type { Handed, OpenStep, State } from '../model/state.ts';
import type { Step } from '../model/workflow.ts';
import type { Over } from './descend.ts';
import { isDoomed } from './leaving.ts';
import { handedToSession } from './live.ts';
import { asking, hand, handedAt, handedOut, queue, recall, stop, underWay } from './places.ts';

type Of<K extends EntryBody['kind']> = Extract<EntryBody, { kind: K }>;

/** An author does not review its own work: gates go to a provider, unless there is none and the workflow lets that be. */
export function isForClient({ driven }: State, step: Step): boolean {
  if (driven.drive === 'run') return false;
  return step.gate === undefined || driven.own_reviews === true;
}

export function stepHanded(state: State, open: OpenStep, entry: Of<'step-handed'>): Over {
  stop(state, open);
  // It was to end while its prompt was put together.
  if (isDoomed(open)) return queue(state, open);
  const { text: prompt, system } = entry;
  handedToSession(state, open, sessionText(open, prompt, system));
  return hand(state, {
    ...{ open, try: entry.try, prompt, n: state.n, at: state.lastAt },
    ...(system !== undefined && { system }),
  });
}

/** Of work that was sent back, why comes first. */
function sessionText({ feedback }: OpenStep, prompt: string, system: string | undefined): string {
  const why = feedback.length > 0 ? `This was not enough yet:\n${withoutMarks(feedback).join('\n')}` : '';
  return [why, prompt, system ?? ''].filter((part) => part.trim() !== '').join('\n\n');
}

/** The run goes on with it, without a word of its own for that. */
export function claimed(state: State, open: OpenStep, entry: Of<'claim-received'>): Over {
  const { claim, by, session } = entry;
  state.status = 'running';
  recall(state, open);
  open.claim = { claim, by, ...(session !== undefined && { session }) };
  return queue(state, open);
}

/**
 * What clients work on is handed out anew, or dispatched: what they have not claimed by now is not waited for. Who drives the run
 * at this moment goes no further than what runs.
 */
export function driveChanged(state: State, { to }: Of<'drive-changed'>): Over {
  state.driven = to;
  if (state.status === 'running') state.ending ??= { to: 'handed-over' };
  for (const path of handedOut(state)) {
    const { open } = handedAt(state, path) as Handed;
    recall(state, open);
    queue(state, open);
  }
  return undefined;
}

/** Why nothing is made of a claim for this try of this step. */
export function claimProblem(
  state: State,
  claim: { path: string; try: number; handing?: number },
): { refusal: ClaimRefusal; why: string } | undefined {
  const { status, driven } = state;
  if (status === 'completed' || status === 'failed' || status === 'cancelled')
    return { refusal: 'run-ended', why: `the run is ${status}` };
  if (driven.drive !== 'guide')
    return {
      refusal: 'not-guided',
      why: 'the run was handed over, and no client is led through it any more',
    };
  const handed = handedAt(state, claim.path);
  if (!handed) return { refusal: 'not-handed', why: `${claim.path} is not handed out: ${whereNow(state)}` };
  if (handed.try !== claim.try || (claim.handing !== undefined && claim.handing !== handed.n))
    return {
      refusal: 'other-try',
      why: `this is an earlier handing of ${claim.path} (try ${claim.try}), which is over: try ${handed.try} is handed out now`,
    };
  return undefined;
}

function whereNow(state: State): string {
  const [step] = handedOut(state);
  if (step !== undefined) return `the run is at ${step}`;
  const [asked] = asking(state);
  if (asked !== undefined) return `a person is asked at ${asked}`;
  const [effect] = underWay(state);
  return effect === undefined ? 'nothing is' : `${effect} is under way`;
}
