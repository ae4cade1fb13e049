// tell: a word to a run that nobody drives. It is journaled under the lease, so that nothing has to lie in the inbox
// until the run goes on.

import type { EntryBody } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { State } from '../model/state.ts';
import { answerEntry, type GivenAnswer } from '../runtime/inbox.ts';
import { hostRun } from './hosted-run.ts';
import type { Hosting } from './hosting.ts';

/** `word` gets the run as it is under the lease, and may throw. */
export async function tellRun(
  hosting: Hosting,
  id: string,
  word: (state: State) => EntryBody,
): Promise<void> {
  const run = hostRun(hosting, id);
  await run.call(() => run.say(word(run.state)));
}

/** Ends it for good. */
export async function cancelRun(
  hosting: Hosting,
  id: string,
  by: string,
  why: string | undefined,
): Promise<void> {
  await tellRun(hosting, id, () => ({ kind: 'run-cancelled', by, why, ...channelHere(hosting) }));
}

/** Under the lease: the question may have been answered by somebody else a moment ago. Fault `answer-invalid`. */
export function answered(
  hosting: Hosting,
  state: State,
  { by, ...given }: GivenAnswer & { by: string },
): EntryBody & { kind: 'question-answered' } {
  const entry = answerEntry(state, given, { by, ...channelHere(hosting) });
  if (!('problem' in entry)) return entry;
  throw new Fault('answer-invalid', `the answer was not taken: ${entry.problem}`, {
    hint: `See what is asked now: lockstep status ${state.run.id}`,
    exitCode: 2,
  });
}

export function channelHere({
  callers,
}: Pick<Hosting, 'callers'>): Pick<EntryBody & { kind: 'run-cancelled' }, 'channel'> {
  return callers ? { channel: callers.channel('command') } : {};
}
