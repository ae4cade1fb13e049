// attempt-entries: effects that start, end, are retried, or were under way when a crash came.

import type { Entry, Outcome, Usage } from '../../model/entry.ts';
import { addAttempt, attemptAt, dropAttempt } from '../attempts.ts';
import { readPart } from '../step-path.ts';
import { type Attempt, isReview, NOTHING_SPENT, type StepRecord } from '../step-record.ts';
import { gitTexts, meanwhileTexts } from '../text/git-text.ts';
import { plain } from '../text/plain.ts';
import { settingTexts } from '../text/repository-text.ts';
import { noSpending, type Spending } from '../text/words.ts';
import { exitEnded } from './lifecycle.ts';
import { moveOf, recordMove } from './moves.ts';
import { note } from './note.ts';
import type { ModelSpending, Outline } from './shape.ts';

/** False where the entry is about something else. */
export function recordAttempt(outline: Outline, record: StepRecord, entry: Entry): boolean {
  switch (entry.kind) {
    case 'attempt-started':
      started(outline, record, entry);
      return true;
    case 'attempt-finished':
      finished(outline, record, entry);
      return true;
    case 'attempt-in-doubt':
      record.inDoubt = true;
      if (entry.remedy === 'wait' && record.retryAt === undefined) {
        addAttempt(record, { part: entry.part, verb: 'wait', try: record.try, startedAt: entry.at });
      }
      note(outline.notes.doubts, {
        path: entry.path,
        remedy: entry.remedy,
        ...(entry.part !== undefined && { part: entry.part }),
      });
      return true;
    case 'retry-scheduled':
      record.retries = entry.retry;
      record.retryAt = entry.at + entry.delay_ms;
      record.retryClass = entry.class;
      if (record.settled === undefined) record.status = 'waiting';
      outline.totals.retries += 1;
      return true;
    case 'retry-due':
      record.retryAt = undefined;
      if (record.status === 'waiting') record.status = 'running';
      return true;
    case 'step-handed':
      dropAttempt(record, undefined);
      record.status = 'waiting';
      record.handedAt = entry.at;
      for (const message of entry.warnings ?? []) note(outline.notes.warnings, { path: entry.path, message });
      return true;
    case 'claim-received':
      record.status = 'running';
      record.handedAt = undefined;
      record.provider = plain(entry.by);
      return true;
    case 'event-weighed':
      record.status = 'running';
      record.handedAt = undefined;
      return true;
    case 'change-found':
      if (entry.beside)
        note(outline.notes.warnings, {
          path: entry.path,
          message: `${entry.beside.slice(0, 5).join(', ')} changed between commands of the session, though the step may not write`,
        });
      if (!entry.undone && entry.files.length > 0)
        note(outline.notes.warnings, {
          path: entry.path,
          message: `a command of the session changed ${entry.files.slice(0, 5).join(', ')}, though the step may not write`,
        });
      return true;
    case 'call-judged':
      if (entry.verdict === 'unasked')
        note(outline.notes.warnings, {
          path: entry.path ?? '',
          message: `${entry.call.tool} happened without being judged: ${entry.reason ?? 'nobody was asked'}`,
        });
      return true;
    case 'text-prepared':
    case 'stop-answered':
      return true;
    case 'moved-by-person':
      note(outline.notes.warnings, {
        ...(entry.path !== undefined && { path: entry.path }),
        message: `${entry.by} moved the session to ${entry.to}${entry.forced ? ', whatever was not met' : ''}`,
      });
      return true;
    case 'claim-refused':
      note(outline.notes.warnings, {
        path: entry.path,
        message: `a claim by ${entry.by} was refused: ${entry.why}`,
      });
      return true;
    // It is asked to end; `attempt-finished` says that it has.
    case 'attempt-cancelled':
    case 'time-out-reached':
    case 'observing':
    case 'observed':
    case 'next-chosen':
      return true;
    default:
      return false;
  }
}

function started(outline: Outline, record: StepRecord, entry: Entry & { kind: 'attempt-started' }): void {
  // A prompt that is put together for a client counts once its work is handed in.
  if (entry.verb !== 'hand-out') outline.totals.attempts += 1;
  const attempt: Attempt = { part: entry.part, verb: entry.verb, try: entry.try, startedAt: entry.at };
  if (entry.argv !== undefined) attempt.command = entry.argv.join(' ');
  else if (entry.command !== undefined) attempt.command = entry.command;
  if (entry.handler === 'move') attempt.move = moveOf(entry.with ?? {});
  addAttempt(record, attempt);
  outline.change.attempt = attempt;
  record.retryAt = undefined;
  if (entry.verb === 'probe') record.inDoubt = true;
  if (entry.part !== undefined) return;
  record.status = entry.verb === 'wait' ? 'waiting' : 'running';
  record.try = entry.try;
  record.argv = wordsOf(record, entry);
  if (entry.title !== undefined) record.title = plain(entry.title);
  if (entry.agent !== undefined) record.agent = plain(entry.agent);
  if (entry.provider !== undefined) record.provider = plain(entry.provider);
  if (entry.model !== undefined) record.model = plain(entry.model);
}

/** A shell line is given to a shell; of journals that do not tell words from lines only lines are known. */
function wordsOf(
  { step }: StepRecord,
  { argv, command }: Entry & { kind: 'attempt-started' },
): string[] | undefined {
  if (argv !== undefined || command === undefined) return argv;
  const isWords = step?.work.kind === 'run' && step.work.command.kind === 'argv';
  return isWords ? undefined : ['/bin/sh', '-c', command];
}

function finished(outline: Outline, record: StepRecord, entry: Entry & { kind: 'attempt-finished' }): void {
  const { outcome, part } = entry;
  const attempt = attemptAt(record, part);
  dropAttempt(record, part);
  if (attempt) outline.change.attempt = attempt;
  for (const message of settingTexts(outcome)) note(outline.notes.warnings, { path: entry.path, message });
  for (const message of gitTexts(outcome)) note(outline.notes.warnings, { path: entry.path, message });
  for (const message of [...(outcome.repository?.references ?? []), ...meanwhileTexts(outcome)])
    note(outline.notes.references, { path: entry.path, message });
  if (outcome.usage || attempt?.verb === 'prompt' || attempt?.verb === 'claim') {
    spend(outline, record, outcome.usage);
    if (isReview(record, outcome.output)) add(outline.totals.reviews, outcome.usage);
    spendByModel(outline, outcome);
  }
  if (part !== undefined) {
    if (attempt?.move) recordMove(record, part, attempt.move, outcome);
    partFinished(outline, record, part, outcome);
  } else workFinished(record, outcome);
}

function workFinished(record: StepRecord, outcome: Outcome): void {
  record.outcome = outcome;
  record.exitCode = outcome.exit_code;
  if (outcome.provider !== undefined) record.provider = plain(outcome.provider);
  if (outcome.model !== undefined) record.model = plain(outcome.model);
  if (record.status === 'waiting') record.status = 'running';
}

function partFinished(outline: Outline, record: StepRecord, part: string, outcome: Outcome): void {
  const { name } = readPart(part);
  // A probe that says it had happened stands for the work.
  if (name === 'probe' && outcome.ok) workFinished(record, { ...outcome, exit_code: 0 });
  if (name !== 'enter' && name !== 'exit' && name !== 'do') return;
  if (!outcome.ok) {
    note(outline.notes.actions, { path: record.path, part, message: outcome.error?.message ?? 'it failed' });
  }
  exitEnded(outline, record, part);
}

/** Counts for the step, all that holds it, and the run. */
function spend(outline: Outline, record: StepRecord, usage: Usage | undefined): void {
  add(outline.totals.spending, usage);
  for (let at: StepRecord | undefined = record; at; at = at.parent) {
    if (at.spending === NOTHING_SPENT) at.spending = noSpending();
    add(at.spending, usage);
  }
}

/** More than these share the last place: names come from clients. */
const MOST_MODELS = 50;

function spendByModel({ totals: { models } }: Outline, outcome: Outcome): void {
  const provider = plain(outcome.provider ?? '');
  const parts: { model: string; usage: Usage | undefined }[] = outcome.usage_by_model ?? [
    { model: outcome.model ?? '', usage: outcome.usage },
  ];
  for (const { model: name, usage } of parts) {
    const model = plain(name);
    let found = models.find((known) => known.model === model && known.provider === provider);
    if (!found) {
      found = { model, provider, spending: noSpending() };
      if (models.length < MOST_MODELS) models.push(found);
      else found = models[MOST_MODELS - 1] as ModelSpending;
    }
    add(found.spending, usage);
  }
}

function add(spending: Spending, usage: Usage | undefined): void {
  spending.input_tokens += usage?.input_tokens ?? 0;
  spending.output_tokens += usage?.output_tokens ?? 0;
  spending.turns += usage?.turns ?? 0;
  if (typeof usage?.cost === 'number') {
    spending.cost += usage.cost;
    spending.priced += 1;
  } else spending.unpriced += 1;
}
