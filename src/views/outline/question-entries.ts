// question-entries: what people were asked, and what their word did.

import type { Entry } from '../../model/entry.ts';
import type { Question, StepRecord } from '../step-record.ts';
import { valueText } from '../text/words.ts';
import { withdraw } from './lifecycle.ts';
import { note } from './note.ts';
import type { Outline } from './shape.ts';

/** False where the entry is about something else. */
export function recordQuestion(outline: Outline, record: StepRecord, entry: Entry): boolean {
  switch (entry.kind) {
    case 'question-asked':
      asked(outline, record, entry);
      return true;
    case 'question-answered':
      answered(outline, record, entry);
      return true;
    case 'question-expired':
      withdraw(outline, record);
      return true;
    default:
      return false;
  }
}

function asked(outline: Outline, record: StepRecord, entry: Entry & { kind: 'question-asked' }): void {
  const question: Question = {
    path: entry.path,
    question: entry.question,
    text: entry.text,
    reasons: entry.reasons ?? [],
    askedAt: entry.at,
    accept: entry.accept ?? [],
    reject: entry.reject ?? [],
  };
  if (entry.part !== undefined) question.part = entry.part;
  if (entry.choices) question.choices = entry.choices;
  if (entry.means) question.means = entry.means;
  if (entry.shown) question.shown = entry.shown;
  if (entry.takes_note) question.takesNote = true;
  if (entry.timeout_ms !== undefined) question.timeoutMs = entry.timeout_ms;
  // `attempt-in-doubt` came before it, and is what is told.
  if (entry.question === 'in-doubt') record.inDoubt = true;
  record.question = question;
  record.status = 'asking';
  outline.questions.set(entry.path, question);
}

function answered(outline: Outline, record: StepRecord, entry: Entry & { kind: 'question-answered' }): void {
  const { question } = record;
  withdraw(outline, record);
  if (!question) return;
  if (question.question === 'ask') {
    record.outcome = {
      ok: true,
      output: entry.answer,
      duration_ms: Math.max(0, entry.at - question.askedAt),
    };
    return;
  }
  if (question.question === 'approve' || question.question === 'blocker') return;
  if (entry.answer !== 'accept') return;
  record.override = { answer: entry.answer, by: entry.by, reasons: question.reasons };
  note(outline.notes.overrides, {
    path: entry.path,
    by: entry.by,
    answer: valueText(entry.answer),
    ...(entry.note !== undefined && { note: entry.note }),
  });
  if (entry.note !== undefined) record.override.note = entry.note;
  if (question.question === 'in-doubt') record.outcome ??= { ok: true, output: null, duration_ms: 0 };
}
