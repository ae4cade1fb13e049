// inbox: what other processes sent, as entries. A message that is already in the journal is not journaled again.

import { validateAnswer } from '../engine/engine.ts';
import type { EntryBody } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { State } from '../model/state.ts';
import type { InboxMessage, ReceivedMessage } from '../ports/store.ts';

/** Journals what is new; the answer is what to call once that is durable. */
export function readInbox(
  received: ReceivedMessage[],
  state: State,
  journal: (body: EntryBody) => void,
): (() => void)[] {
  for (const { id, message } of received) {
    if (state.messages.has(id)) continue;
    for (const body of entriesOf(id, message, state)) journal(body);
  }
  return received.map((one) => one.done);
}

function entriesOf(id: string, message: InboxMessage, state: State): EntryBody[] {
  const { by } = message;
  switch (message.kind) {
    case 'signal':
      return [{ kind: 'signal-received', name: message.name, data: message.data as Json, by, message: id }];
    case 'cancel':
      return [{ kind: 'end-requested', to: 'cancelled', by, why: message.why, message: id }];
    case 'answer': {
      const path = message.path ?? (state.questions.size === 1 ? [...state.questions.keys()][0] : undefined);
      const question = path === undefined ? undefined : state.questions.get(path);
      if (path === undefined || !question) return [];
      if (message.asked !== undefined && message.asked !== question.asked) return [];
      const checked = validateAnswer(question, message.answer as Json);
      if ('problem' in checked) return [];
      const note = message.note ?? checked.note;
      return [{ kind: 'question-answered', path, answer: checked.answer, by, note, message: id }];
    }
  }
}
