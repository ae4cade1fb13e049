// step-entries: what entries about steps do to the outline.

import type { Entry, Failure } from '../../model/entry.ts';
import { type StepRecord, stepName } from '../step-record.ts';
import { plain } from '../text/plain.ts';
import { actionEnded } from './actions.ts';
import { recordAttempt } from './attempt-entries.ts';
import { afterWork, begin, eachMovedOn, moveOn, settle } from './lifecycle.ts';
import { passMove } from './moves.ts';
import { note, placeOf } from './note.ts';
import { recordQuestion } from './question-entries.ts';
import type { Outline } from './shape.ts';
import { find, freshChildren, openChildren } from './tree.ts';

/** Entries that may bring a pass back that has ended and was dropped: a resumed run goes on where it failed. */
function revives(entry: Entry): boolean {
  if (entry.kind === 'attempt-started') return entry.part === undefined || entry.part.startsWith('enter');
  return entry.kind === 'step-opened' || entry.kind === 'worktree-opening' || entry.kind === 'question-asked';
}

const FAILURES_NAMED = 50;
const NOT_ACCEPTED = 2;

export function recordStep(outline: Outline, entry: Entry): void {
  const path = 'path' in entry ? entry.path : undefined;
  if (typeof path !== 'string') return;
  const record = find(outline, path, revives(entry));
  if (!record || record.kind === 'run') return;
  outline.change.record = record;
  if (recordAttempt(outline, record, entry) || recordQuestion(outline, record, entry)) return;
  recordMove(outline, record, entry);
}

function recordMove(outline: Outline, record: StepRecord, entry: Entry): void {
  const { at } = entry;
  switch (entry.kind) {
    case 'step-skipped':
      skip(outline, record, entry);
      break;
    case 'step-opened':
      open(outline, record, entry);
      break;
    case 'worktree-opening':
      begin(outline, record, at);
      break;
    case 'worktree-opened':
      if (entry.worktree) {
        record.worktree = entry.worktree.path;
        note(outline.notes.worktrees, { path: entry.path, worktree: entry.worktree });
      }
      for (const message of entry.warnings ?? []) note(outline.notes.warnings, { path: entry.path, message });
      break;
    case 'step-failed':
      if (entry.exit_code !== undefined) record.exitCode = entry.exit_code;
      fail(outline, record, entry.error, at);
      break;
    case 'step-closed':
      close(outline, record, entry);
      break;
    case 'loop-tested':
      loopTested(outline, record, entry);
      break;
    case 'workflow-called':
      openChildren(outline, record);
      break;
    case 'workflow-returned':
    case 'reviews-gathered':
      record.outcome = { ok: true, output: entry.output, duration_ms: 0 };
      afterWork(outline, record, at);
      break;
    case 'fan-stopped':
      fanStopped(outline, record, entry);
      break;
    case 'jumped':
      outline.totals.jumps += 1;
      outline.jump = { path: entry.path, to: entry.to };
      if (record.settled === undefined) settle(outline, record, 'done', at);
      break;
    case 'work-accepted':
      record.accepted = true;
      if (record.step?.done) outline.totals.accepted += 1;
      afterWork(outline, record, at);
      break;
    case 'work-rejected':
      reject(outline, record, entry);
      break;
    case 'vars-set':
      if (record.workflow === outline.workflow) {
        for (const [name, value] of Object.entries(entry.values)) outline.vars.set(name, value);
      }
      actionEnded(outline, record, entry.part, at);
      break;
    case 'action-passed':
      passMove(record, entry.part, entry.why);
      actionEnded(outline, record, entry.part, at);
      break;
    default:
  }
}

function skip(outline: Outline, record: StepRecord, entry: Entry & { kind: 'step-skipped' }): void {
  if (record.parent && record.parent.kind !== 'run') begin(outline, record.parent, entry.at);
  record.skip = { reason: entry.reason, why: entry.why };
  if (entry.reason === 'cancelled') {
    settle(outline, record, 'cancelled', entry.at);
    return;
  }
  settle(outline, record, 'skipped', entry.at);
  const place = placeOf(entry.path);
  const key = `${place} ${entry.reason}`;
  const known = outline.notes.skipped.get(key);
  if (known) known.count += 1;
  else
    outline.notes.skipped.set(key, {
      path: entry.path,
      place,
      name: stepName(record),
      reason: entry.reason,
      why: entry.why,
      count: 1,
    });
  moveOn(outline, record, entry.at);
}

function open(outline: Outline, record: StepRecord, entry: Entry & { kind: 'step-opened' }): void {
  begin(outline, record, entry.at);
  if (entry.title !== undefined) record.title = plain(entry.title);
  if (record.kind === 'pass') return;
  freshChildren(outline, record, Array.isArray(entry.items) ? entry.items : undefined);
  if (record.passes?.total === 0) eachMovedOn(outline, record, entry.at);
}

function reject(outline: Outline, record: StepRecord, entry: Entry & { kind: 'work-rejected' }): void {
  record.reasons = entry.reasons;
  record.rejections += 1;
  outline.totals.rejected += 1;
  if (entry.again) return;
  // What was not accepted has not ended well, whatever its process said.
  record.exitCode = NOT_ACCEPTED;
  const error: Failure = {
    class: 'not-accepted',
    message: entry.reasons.join('; '),
    not_accepted: true,
    ...(entry.details && { details: entry.details }),
  };
  fail(outline, record, error, entry.at);
}

function fail(outline: Outline, record: StepRecord, error: Failure, at: number): void {
  if (record.settled === undefined) begin(outline, record, at);
  record.error = error;
  if (error.class === 'cancelled') {
    settle(outline, record, 'cancelled', at);
    return;
  }
  settle(outline, record, 'failed', at);
  const { failed } = outline.notes;
  if (failed.size < FAILURES_NAMED) failed.set(record.path, error);
}

function close(outline: Outline, record: StepRecord, entry: Entry & { kind: 'step-closed' }): void {
  if (record.settled === undefined) settle(outline, record, 'done', entry.at);
  record.goes = entry.goes;
  if (entry.goes === 'stop') return;
  if (entry.goes === 'continue') {
    outline.totals.continuedPast += 1;
    note(outline.notes.continued, { path: entry.path, message: record.error?.message ?? 'it failed' });
  }
  moveOn(outline, record, entry.at);
}

function loopTested(outline: Outline, record: StepRecord, entry: Entry & { kind: 'loop-tested' }): void {
  begin(outline, record, entry.at);
  openChildren(outline, record);
  if (!entry.again) afterWork(outline, record, entry.at);
}

function fanStopped(outline: Outline, record: StepRecord, entry: Entry & { kind: 'fan-stopped' }): void {
  if (entry.left_out.length > 0) note(outline.notes.leftOut, { path: entry.path, why: entry.why });
  if (record.passes) {
    const { total, done, failed, cancelled, open } = record.passes;
    record.passes.leftOut = Math.max(0, total - done - failed - cancelled - open.size);
    return;
  }
  const left = new Set(entry.left_out);
  for (const child of record.children) {
    if (child.status === 'pending' && (left.has(child.path) || left.has(child.id))) {
      settle(outline, child, 'cancelled', entry.at);
    }
  }
}
