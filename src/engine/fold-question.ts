// fold-question: a question was asked, answered, or ran out of time.

import type { EntryBody, Failure } from '../model/entry.ts';
import type { OpenStep, State } from '../model/state.ts';
import { awaitsLook } from './approval.ts';
import { exitFinished } from './ascend.ts';
import { type Over, reopen, succeeded } from './descend.ts';
import { actionFinished, giveBack } from './fold-effect.ts';
import { noticeAccepted } from './notices.ts';
import { partOf } from './part.ts';
import { ask, questionAt, queue, take, withdraw } from './places.ts';
import { bindOutput } from './result.ts';

type Of<K extends EntryBody['kind']> = Extract<EntryBody, { kind: K }>;

export function asked(state: State, open: OpenStep, entry: Of<'question-asked'>): Over {
  if (entry.question === 'held') open.stage = 'held';
  else if (open.stage === 'if') {
    open.startedAt = state.lastAt;
    open.entered = true;
    open.stage = 'work';
  }
  return ask(state, {
    open,
    part: entry.part,
    question: entry.question,
    asked: state.n,
    text: entry.text,
    choices: entry.choices,
    reasons: entry.reasons ?? [],
    shown: entry.shown,
    askedAt: state.lastAt,
    deadline: entry.timeout_ms === undefined ? undefined : state.lastAt + entry.timeout_ms,
    accept: entry.accept ?? [],
    reject: entry.reject ?? [],
  });
}

export function answered(state: State, entry: Of<'question-answered'>): Over {
  const question = questionAt(state, entry.path);
  if (!question) throw new Error(`nothing is asked at ${entry.path}`);
  const { open } = question;
  withdraw(state, open);
  take(state, open);
  // Too late: what was asked about is to end anyway, and says so itself.
  if (open.leaving) return queue(state, open);
  switch (question.question) {
    case 'ask':
      return succeeded(state, open, entry.answer);
    case 'approve':
      if (entry.answer !== 'approve') return refuse(state, open, entry.note ?? `rejected by ${entry.by}`);
      if (awaitsLook(state, open, question, entry.by)) return undefined;
      open.cursor = (partOf(question.part)?.index ?? open.cursor) + 1;
      return queue(state, open);
    case 'blocker':
      return blockerAnswered(state, open, question.text, entry);
    case 'held':
      return heldAnswered(state, open, entry);
    case 'in-doubt':
      if (open.doubt && entry.answer === 'again') giveBack(state, open, open.doubt);
      if (entry.answer === 'again') keepNote(open, entry);
      open.doubt = undefined;
      // An action that happened is over, and one that failed changes nothing (rule 3).
      if (question.part !== undefined && entry.answer !== 'again') return actionFinished(state, open);
      if (entry.answer === 'accept') return succeeded(state, open, open.outcome?.output ?? null);
      if (entry.answer === 'fail') {
        open.pending = { ok: false, output: null, duration_ms: 0, error: rejectedBy(entry) };
      }
      return queue(state, open);
  }
}

/** No try is used up: it goes on with what it was told, in its session where there is one. */
function blockerAnswered(
  state: State,
  open: OpenStep,
  question: string,
  entry: Of<'question-answered'>,
): Over {
  open.stage = 'work';
  open.cursor = 0;
  if (entry.answer === 'fail') {
    open.pending = { ok: false, output: null, duration_ms: 0, error: rejectedBy(entry) };
  } else {
    const answer = typeof entry.answer === 'string' ? entry.answer : JSON.stringify(entry.answer);
    open.told = [
      ...(open.told ?? []),
      { question, answer: entry.note ? `${answer}\n${entry.note}` : answer },
    ];
    open.answered = true;
    open.retries = 0;
  }
  return queue(state, open);
}

function heldAnswered(state: State, open: OpenStep, entry: Of<'question-answered'>): Over {
  if (entry.answer === 'again') {
    keepNote(open, entry);
    reopen(state, open);
    return undefined;
  }
  if (entry.answer === 'accept') {
    open.status = 'done';
    open.error = undefined;
    const result = open.scope.steps.get(open.step.id);
    const exit_code = open.outcome?.exit_code ?? null;
    if (result) Object.assign(result, { status: 'done', error: null, exit_code });
    bindOutput(open.scope, open.step, open.outcome?.output ?? null);
    open.rule = undefined;
    noticeAccepted(state, open);
    return exitFinished(state, open);
  }
  open.error = rejectedBy(entry);
  open.stage = 'held';
  return queue(state, open);
}

function keepNote(open: OpenStep, { note }: Of<'question-answered'>): void {
  if (note !== undefined && note.trim() !== '') open.notes = [...(open.notes ?? []), note];
}

function rejectedBy(entry: Of<'question-answered'>): Failure {
  return {
    class: 'rejected',
    by_person: true,
    message: `${entry.by} let it fail${entry.note ? `: ${entry.note}` : ''}`,
  };
}

export function refused(state: State, path: string, why: string): Over {
  const question = questionAt(state, path);
  if (!question) return undefined;
  withdraw(state, question.open);
  return refuse(state, question.open, why);
}

function refuse(state: State, open: OpenStep, why: string): Over {
  open.refusal = why;
  open.outdated = undefined;
  return queue(state, open);
}
