// notices: what `fold` opened, settled and closed, told to who listens, so that no view works it out a second time.
// Nothing is told, kept or allocated where nobody listens (`listen`): replaying is as fast as without.
//
// N1. `begun` goes from the outside in, `settled` and `closed` from the inside out. All `begun` of an entry come first.
// N2. What is told is a value of its own: what happens to the step later does not change it.
// N3. A step that ended well is settled for who looks on when it is closed: until then its `exit` runs, or `next` is read.

import type { Entry, Failure } from '../model/entry.ts';
import type { Ended, OpenList, OpenStep, State } from '../model/state.ts';

/** From now on `state.notices` holds what the last entry did. */
export function listen(state: State): State {
  state.notices = [];
  return state;
}

// ── Under way ───────────────────────────────────────────────────────────────────────────────────

/** With its first entry a step is under way, and so is all that holds it. */
export function noticeEntry(state: State, open: OpenStep, entry: Entry): void {
  if (!state.notices) return;
  if (entry.kind === 'step-skipped') beginHolders(state, open.list);
  else if (isWork(entry, open)) begin(state, open);
}

/** Of leaving a step and of settling it no entry says that it is under way. */
function isWork(entry: Entry, open: OpenStep): boolean {
  switch (entry.kind) {
    case 'attempt-started':
      return !(entry.part?.startsWith('exit') || entry.part?.startsWith('do['));
    case 'step-opened':
    case 'worktree-opening':
    case 'loop-tested':
      return true;
    case 'question-asked':
      // A held step has failed, and stays so until a person says otherwise.
      return entry.question !== 'held';
    case 'step-failed':
    case 'work-rejected':
      return open.status === undefined && !open.interrupted;
    default:
      return false;
  }
}

function begin(state: State, open: OpenStep): void {
  if (open.underWay) return;
  beginHolders(state, open.list);
  open.underWay = true;
  open.interrupted = undefined;
  state.notices?.push({ kind: 'begun', path: open.path });
}

function beginHolders(state: State, list: OpenList): void {
  if (!list.owner) return;
  begin(state, list.owner);
  if (list.owner.step.work.kind !== 'loop' || list.underWay) return;
  list.underWay = true;
  state.notices?.push({ kind: 'begun', path: passPath(list) });
}

/** Of a loop: its lists are its passes. */
function passPath(list: OpenList): string {
  return list.prefix.slice(0, -1);
}

/** It is done again from here on. */
export function noticeAgain(state: State, open: OpenStep): void {
  if (!state.notices) return;
  open.underWay = undefined;
  if (open.body) open.body.underWay = undefined;
}

// ── Over ────────────────────────────────────────────────────────────────────────────────────────

function endedAs({ status, error, skip }: OpenStep): Ended {
  if (status === 'failed') return error?.class === 'cancelled' ? 'cancelled' : 'failed';
  if (status === 'skipped') return skip?.reason === 'cancelled' ? 'cancelled' : 'skipped';
  return 'done';
}

/** It has its status (N3). */
export function noticeSettled(state: State, open: OpenStep): void {
  if (!state.notices || open.status === 'done') return;
  endPass(state, open);
  state.notices.push({ kind: 'settled', path: open.path, as: endedAs(open) });
}

/** A person has said that what failed counts. */
export function noticeAccepted(state: State, open: OpenStep): void {
  state.notices?.push({ kind: 'settled', path: open.path, as: 'done' });
}

/** It was to end soon, and runs once more when the run goes on. */
export function noticeInterrupted(state: State, open: OpenStep): void {
  if (!state.notices) return;
  open.underWay = undefined;
  open.interrupted = true;
  state.notices.push({ kind: 'settled', path: open.path, as: 'cancelled' });
}

export function noticeClosed(state: State, open: OpenStep, goesOn: boolean): void {
  state.notices?.push({ kind: 'closed', path: open.path, as: endedAs(open), goesOn });
}

/** All steps of a list have ended. */
export function noticeListFinished(state: State, list: OpenList): void {
  if (!state.notices || list.owner?.step.work.kind !== 'loop') return;
  list.underWay = undefined;
  state.notices.push({ kind: 'closed', path: passPath(list), as: 'done', goesOn: true });
}

/** A pass of a loop that did not come to its end ends with the loop. */
function endPass(state: State, { step, body, leaving }: OpenStep): void {
  if (step.work.kind !== 'loop' || !body?.underWay) return;
  body.underWay = undefined;
  const error: Failure | undefined =
    leaving?.to === undefined ? undefined : { class: 'left', message: leaving.why };
  const as = error ? 'failed' : 'cancelled';
  state.notices?.push({ kind: 'settled', path: passPath(body), as, ...(error && { error }) });
}
