// tell: an answer, a signal or a cancellation for a run that no process holds. It goes into the journal at once, under the
// lease, and does not wait in the inbox until the run goes on.

import type { Channel, EntryBody } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { Json } from '../model/json.ts';
import type { State } from '../model/state.ts';
import type { InboxMessage } from '../ports/store.ts';
import { answerEntry, type GivenAnswer } from '../runtime/inbox.ts';
import { hostRun } from './hosted-run.ts';
import type { Hosting } from './hosting.ts';

/** What a client hands in goes through its drive, which weighs it. */
type PersonsMessage = Exclude<InboxMessage, { kind: 'claim' }>;

/** What the inbox would take to a holder. A run that nobody drives is cancelled at once. Fault `answer-invalid`. */
export async function tellRun(hosting: Hosting, id: string, message: PersonsMessage): Promise<void> {
  await hostRun(hosting, id).call((run) => run.say(entryOf(hosting, run.state, message)));
}

function entryOf(hosting: Hosting, state: State, message: PersonsMessage): EntryBody {
  const { by } = message;
  switch (message.kind) {
    case 'answer':
      return { ...answered(hosting, state, message), unheld: true };
    case 'cancel':
      return { kind: 'run-cancelled', by, why: message.why, ...channelHere(hosting) };
    case 'handover':
      return { kind: 'drive-changed', to: message.to, by, why: message.why, ...channelHere(hosting) };
    case 'signal': {
      const { name, data } = message;
      return { kind: 'signal-received', name, data: data as Json, by, unheld: true, ...channelHere(hosting) };
    }
  }
}

/** What a person said, who it was, and how it came: with a command, unless it says otherwise. */
export type PersonsAnswer = GivenAnswer & { by: string; through?: Channel['kind'] };

/** Under the lease: another process may have journaled an answer a moment ago. */
export function answered(
  hosting: Hosting,
  state: State,
  { by, through, ...given }: PersonsAnswer,
): EntryBody & { kind: 'question-answered' } {
  const entry = answerEntry(state, given, { by, ...channelHere(hosting, through) });
  if (!('problem' in entry)) return entry;
  throw new Fault('answer-invalid', `the answer was not taken: ${entry.problem}`, {
    hint: `See what is asked now: lockstep status ${state.run.id}`,
    exitCode: 2,
  });
}

function channelHere({ callers }: Hosting, through: Channel['kind'] = 'command'): { channel?: Channel } {
  return callers ? { channel: callers.channel(through) } : {};
}
