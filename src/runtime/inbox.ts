// inbox: what other processes sent, as entries. A message that is already in the journal is not journaled again, and
// what is not acted on is refused on record.

import { claimProblem, validateAnswer } from '../engine/engine.ts';
import type { Channel, Claim, EntryBody } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { State } from '../model/state.ts';
import type { Callers, CheckedMessage } from '../ports/callers.ts';
import type { InboxMessage, NoMessage, Received, ReceivedMessage } from '../ports/store.ts';

export interface InboxReading {
  state: State;
  /** Who looks at the senders. Absent: the messages come from this process, and are believed. */
  callers?: Pick<Callers, 'check'>;
  /** The first since this process holds the run: what was journaled before a crash may still lie there. */
  isFirst: boolean;
  journal(body: EntryBody): void;
}

/** Whoever fills an inbox must not fill the journal with it. */
const MOST_REFUSALS = 20;

/** Journals what is new; the answer is what to call once that is durable. */
export function readInbox(received: Received[], reading: InboxReading): (() => void)[] {
  const { state, callers, isFirst, journal } = reading;
  const unread: (() => void)[] = [];
  let refusals = 0;
  const refuse = (one: Received, why: string, id = one.id): void => {
    refusals += 1;
    if (refusals <= MOST_REFUSALS) journal(refusal(one, why, id));
    unread.push(one.refuse);
  };
  for (const one of received) {
    if (one.problem !== undefined) {
      refuse(one, one.problem);
      continue;
    }
    const { id, channel, refused } = checked(one, callers);
    const isKnown = state.messages.has(id);
    if (isKnown && (refused === undefined || isFirst)) {
      unread.push(one.done);
      continue;
    }
    const why = isKnown ? 'a message with this content was dealt with before' : refused;
    const body = why === undefined ? entryOf(id, one.message, state, channel) : { problem: why };
    if ('problem' in body) {
      refuse(one, body.problem, id);
      continue;
    }
    journal(body);
    unread.push(one.done);
  }
  const more = refusals - MOST_REFUSALS;
  if (more > 0)
    journal({ kind: 'message-refused', file: '', why: `${more} more lay there that are no messages` });
  return unread;
}

function checked(
  { id, message }: ReceivedMessage,
  callers: InboxReading['callers'],
): Partial<CheckedMessage> & { id: string; channel?: Channel } {
  return callers ? callers.check(message) : { id };
}

function refusal(one: ReceivedMessage | NoMessage, why: string, id: string): EntryBody {
  const about = one.problem === undefined ? one.message : undefined;
  return {
    kind: 'message-refused',
    ...(about && { ...(about.kind !== 'claim' && { asked: about.kind }), by: about.by }),
    ...(about?.kind === 'answer' && about.path !== undefined && { question: about.path }),
    file: one.id,
    why,
    message: id,
  };
}

function entryOf(
  id: string,
  message: InboxMessage,
  state: State,
  channel: Channel | undefined,
): EntryBody | { problem: string } {
  const sent = { by: message.by, ...(channel && { channel }), message: id };
  switch (message.kind) {
    case 'signal':
      return { kind: 'signal-received', name: message.name, data: message.data as Json, ...sent };
    case 'cancel':
      return { kind: 'end-requested', to: 'cancelled', why: message.why, ...sent };
    case 'answer':
      return answerEntry(state, message, sent);
    case 'claim': {
      const { path, try: tried, claim, session, by } = message;
      return claimEntry(state, { path, try: tried, claim, by, message: id, ...(session && { session }) });
    }
    case 'handover':
      return { kind: 'drive-changed', to: message.to, why: message.why, ...sent };
  }
}

export interface GivenClaim {
  path: string;
  try: number;
  /** The number of the entry that handed it out. */
  handing?: number;
  claim: Claim;
  /** The client, in its own words. */
  by: string;
  session?: string;
  /** The same for the same claim. */
  message: string;
}

/** The claim as an entry; one that does not fit is on record too. */
export function claimEntry(
  state: State,
  given: GivenClaim,
): EntryBody & { kind: 'claim-received' | 'claim-refused' } {
  const { claim, ...about } = given;
  const problem = claimProblem(state, given);
  return problem
    ? { kind: 'claim-refused', ...about, ...problem }
    : { kind: 'claim-received', ...about, claim };
}

export interface Sent {
  by: string;
  channel?: Channel;
  unheld?: true;
  message?: string;
}

export interface GivenAnswer {
  path?: string;
  /** The number of the entry that asked. */
  asked?: number;
  answer: unknown;
  note?: string;
}

/** The answer as an entry, or why it is none. */
export function answerEntry(
  state: State,
  given: GivenAnswer,
  sent: Sent,
): (EntryBody & { kind: 'question-answered' }) | { problem: string } {
  const path = given.path ?? (state.questions.size === 1 ? [...state.questions.keys()][0] : undefined);
  const question = path === undefined ? undefined : state.questions.get(path);
  if (path === undefined || !question)
    return { problem: `nothing is asked${path === undefined ? '' : ` at ${path}`}` };
  if (given.asked !== undefined && given.asked !== question.asked)
    return { problem: 'it answers an earlier question: what is asked about has changed since' };
  const checked = validateAnswer(question, given.answer as Json);
  if ('problem' in checked) return checked;
  return {
    kind: 'question-answered',
    path,
    answer: checked.answer,
    note: given.note ?? checked.note,
    ...sent,
  };
}
