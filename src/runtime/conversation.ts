// conversation: puts open questions to whoever sits at the terminal, one at a time, while the rest of the run goes on.

import { validateAnswer } from '../engine/engine.ts';
import type { EntryBody, QuestionKind } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
import type { OpenQuestion, State } from '../model/state.ts';
import type { Callers } from '../ports/callers.ts';

export interface PutQuestion {
  path: string;
  kind: QuestionKind;
  text: string;
  choices?: Json[];
  reasons: string[];
  /** What was wrong with the answer before. */
  problem?: string;
}

export interface Interlocutor {
  /** Resolves with the answer, or undefined: nobody will answer here. Rejects never. */
  ask(question: PutQuestion, signal: AbortSignal): Promise<{ answer: Json; note?: string } | undefined>;
  /** Who answers, for the journal. */
  readonly name: string;
}

export interface Conversation {
  ask(): void;
  /** Whether somebody is being asked. */
  isOpen(): boolean;
  close(): void;
}

export function createConversation(
  state: State,
  interlocutor: Interlocutor | undefined,
  journal: (body: EntryBody) => void,
  soon: (report: () => void) => void,
  callers?: Pick<Callers, 'channel'>,
): Conversation {
  let asking: { path: string; question: OpenQuestion; abort: AbortController } | undefined;
  let closed = interlocutor === undefined;

  function ask(problem?: string): void {
    if (closed || !interlocutor) return;
    if (asking && state.questions.get(asking.path) !== asking.question) {
      asking.abort.abort(); // answered elsewhere; another may stand in its place
      asking = undefined;
    }
    if (asking) return;
    const [first] = state.questions;
    if (!first) return;
    const [path, question] = first;
    const abort = new AbortController();
    asking = { path, question, abort };
    const { text, choices, reasons } = question;
    const put: PutQuestion = { path, kind: question.question, text, choices, reasons, problem };
    void interlocutor.ask(put, abort.signal).then((given) => soon(() => hear(path, abort, given)));
  }

  function hear(
    path: string,
    abort: AbortController,
    given: { answer: Json; note?: string } | undefined,
  ): void {
    if (asking?.abort !== abort) return;
    const put = asking.question;
    asking = undefined;
    const question = state.questions.get(path);
    if (given === undefined) {
      closed = true;
      return;
    }
    // What is asked there now may be another question: what was typed is no answer to that.
    if (question !== put) return;
    const checked = validateAnswer(question, given.answer);
    if ('problem' in checked) return ask(checked.problem);
    journal({
      kind: 'question-answered',
      path,
      answer: checked.answer,
      by: interlocutor?.name ?? 'unknown',
      note: given.note ?? checked.note,
      ...(callers && { channel: callers.channel('terminal') }),
    });
  }

  return {
    ask: () => ask(),
    isOpen: () => asking !== undefined,
    close() {
      closed = true;
      asking?.abort.abort();
      asking = undefined;
    },
  };
}
