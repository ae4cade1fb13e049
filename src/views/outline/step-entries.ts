// step-entries: what entries about steps do to the outline.

import type { Entry } from '../../model/entry.ts';
import { failureText } from '../failure-text.ts';
import { isBlock, itemOf, type StepRecord, stepName } from '../step-record.ts';
import { plain } from '../text/plain.ts';
import { recordAttempt } from './attempt-entries.ts';
import { exitEnded, settle } from './lifecycle.ts';
import { passMove } from './moves.ts';
import { note, placeOf } from './note.ts';
import { recordQuestion } from './question-entries.ts';
import type { Outline } from './shape.ts';
import { find, freshChildren, openChildren } from './tree.ts';

const NOT_ACCEPTED = 2;

export function recordStep(outline: Outline, entry: Entry): void {
  const path = 'path' in entry ? entry.path : undefined;
  if (typeof path !== 'string') return;
  const record = find(outline, path);
  if (!record || record.kind === 'run') return;
  outline.change.record = record;
  if (recordAttempt(outline, record, entry) || recordQuestion(outline, record, entry)) return;
  recordMove(outline, record, entry);
}

function recordMove(outline: Outline, record: StepRecord, entry: Entry): void {
  switch (entry.kind) {
    case 'step-skipped':
      skip(outline, record, entry);
      break;
    case 'step-opened':
      open(outline, record, entry);
      break;
    case 'worktree-opened':
      if (entry.worktree) {
        record.worktree = entry.worktree.path;
        note(outline.notes.worktrees, { path: entry.path, ...itemNote(record), worktree: entry.worktree });
      }
      for (const message of entry.warnings ?? []) note(outline.notes.warnings, { path: entry.path, message });
      break;
    case 'step-failed':
      if (entry.exit_code !== undefined) record.exitCode = entry.exit_code;
      record.error = entry.error;
      break;
    case 'step-closed':
      close(outline, record, entry);
      break;
    case 'loop-tested':
    case 'workflow-called':
      openChildren(outline, record);
      break;
    case 'workflow-returned':
    case 'reviews-gathered':
      record.outcome = { ok: true, output: entry.output, duration_ms: 0 };
      break;
    case 'fan-stopped':
      fanStopped(outline, record, entry);
      break;
    case 'jumped':
      outline.totals.jumps += 1;
      break;
    case 'work-accepted':
      if (record.step?.done) outline.totals.accepted += 1;
      break;
    case 'work-rejected':
      reject(outline, record, entry);
      break;
    case 'vars-set':
      if (record.workflow === outline.workflow) {
        for (const [name, value] of Object.entries(entry.values)) outline.vars.set(name, value);
      }
      exitEnded(outline, record, entry.part);
      break;
    case 'action-passed':
      passMove(record, entry.part, entry.why);
      exitEnded(outline, record, entry.part);
      break;
    default:
  }
}

function skip(outline: Outline, record: StepRecord, entry: Entry & { kind: 'step-skipped' }): void {
  record.skip = { reason: entry.reason, why: entry.why };
  if (entry.reason === 'cancelled') return;
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
}

function open(outline: Outline, record: StepRecord, entry: Entry & { kind: 'step-opened' }): void {
  if (entry.title !== undefined) record.title = plain(entry.title);
  if (record.kind === 'pass') return;
  freshChildren(outline, record, Array.isArray(entry.items) ? entry.items : undefined);
}

function reject(outline: Outline, record: StepRecord, entry: Entry & { kind: 'work-rejected' }): void {
  record.reasons = entry.reasons;
  record.rejections += 1;
  outline.totals.rejected += 1;
  if (entry.again) return;
  // What was not accepted has not ended well, whatever its process said.
  record.exitCode = NOT_ACCEPTED;
  record.error = {
    class: 'not-accepted',
    message: entry.reasons.join('; '),
    not_accepted: true,
    ...(entry.details && { details: entry.details }),
  };
}

function close(outline: Outline, record: StepRecord, entry: Entry & { kind: 'step-closed' }): void {
  record.goes = entry.goes;
  if (entry.goes !== 'continue') return;
  outline.totals.continuedPast += 1;
  if (!record.step || !isBlock(record.step.work)) outline.stepsGonePast += 1;
  const message = record.error ? failureText(record.error, record) : 'it failed';
  note(outline.notes.continued, { path: entry.path, ...itemNote(record), message });
}

function itemNote(record: StepRecord): { item?: string } {
  const item = itemOf(record);
  return item === undefined ? {} : { item };
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
