// run-entries: what entries about the run as a whole do to the outline.

import type { Entry, Holder } from '../../model/entry.ts';
import { dropAttempts } from '../attempts.ts';
import { switchedOffTexts } from '../text/git-text.ts';
import { refusedText } from '../text/refused-text.ts';
import { cancelBelow } from './lifecycle.ts';
import { note } from './note.ts';
import type { Outline } from './shape.ts';

/** False where the entry is about a step. */
export function recordRun(outline: Outline, entry: Entry): boolean {
  switch (entry.kind) {
    case 'run-started':
      start(outline, entry);
      return true;
    case 'worktree-prepared':
      for (const message of entry.warnings ?? [])
        note(outline.notes.warnings, {
          message,
          ...(entry.step !== undefined && { path: entry.step }),
        });
      return true;
    case 'run-resumed':
      outline.status = 'running';
      outline.root.status = 'running';
      outline.wentOn = isSame(outline.by, entry.by);
      if (!outline.wentOn) outline.resumes += 1;
      outline.by = entry.by;
      for (const message of [...(entry.warnings ?? []), ...switchedOffTexts(entry, outline.workflow)])
        note(outline.notes.warnings, { message });
      outline.endedBy = undefined;
      outline.error = undefined;
      outline.failedAt = undefined;
      // Whatever ran when the process ended runs no more; what becomes of it is said next.
      for (const record of outline.byPath.values()) dropAttempts(record);
      return true;
    case 'end-requested':
      outline.endedBy = entry.why === undefined ? { by: entry.by } : { by: entry.by, why: entry.why };
      return true;
    case 'limit-reached':
      note(outline.notes.limits, {
        limit: entry.limit,
        message: entry.message,
        ...(entry.path !== undefined && { path: entry.path }),
      });
      return true;
    case 'run-paused':
      outline.status = 'paused';
      return true;
    case 'drive-changed':
      outline.drive = entry.to.drive;
      // Whoever goes on begins it anew.
      for (const record of outline.byPath.values()) {
        if (record.handedAt !== undefined && record.status === 'waiting') record.status = 'running';
        record.handedAt = undefined;
      }
      outline.ownReviews = entry.to.own_reviews === true;
      return true;
    case 'run-interrupted':
      outline.status = 'interrupted';
      outline.endedBy ??= { by: entry.by };
      return true;
    case 'run-completed':
      outline.root.status = 'done';
      outline.questions.clear();
      outline.status = 'completed';
      outline.outputs = entry.outputs;
      outline.totals.continuedPast = entry.continued_past;
      return true;
    case 'run-failed':
      outline.error = entry.error;
      outline.failedAt = entry.path;
      // What is still open stays so: a resumed run goes on there.
      outline.root.status = 'failed';
      outline.status = 'failed';
      return true;
    case 'run-cancelled':
      cancelBelow(outline, outline.root, entry.at);
      outline.root.status = 'cancelled';
      outline.questions.clear();
      outline.status = 'cancelled';
      outline.endedBy = entry.why === undefined ? { by: entry.by } : { by: entry.by, why: entry.why };
      return true;
    case 'guard-switched':
      if (!entry.on) note(outline.notes.warnings, { message: `${entry.by} switched the guard off` });
      return true;
    case 'signal-received':
      return true;
    case 'message-refused':
      note(outline.notes.warnings, { message: `the run refused ${refusedText(entry)}` });
      return true;
    default:
      return false;
  }
}

function isSame(before: Holder | undefined, now: Holder): boolean {
  return before !== undefined && before.pid === now.pid && before.host === now.host;
}

function start(outline: Outline, entry: Entry & { kind: 'run-started' }): void {
  outline.status = 'running';
  outline.root.status = 'running';
  outline.root.startedAt = entry.at;
  outline.startedAt = entry.at;
  outline.run = entry.run;
  outline.workflowFile = entry.workflow_file;
  outline.workflowHash = entry.workflow_hash;
  outline.inputs = entry.inputs;
  outline.vars = new Map(Object.entries(entry.vars));
  outline.by = entry.by;
  if (entry.driven) outline.drive = entry.driven.drive;
  outline.ownReviews = entry.driven?.own_reviews === true;
  if (entry.worktree) outline.worktree = entry.worktree;
  for (const message of [...(entry.warnings ?? []), ...switchedOffTexts(entry, outline.workflow)])
    note(outline.notes.warnings, { message });
}
