// lifecycle: how records begin, end and begin again, and what that does to what holds them. It makes the structural
// moves that the journal leaves unsaid (a list ends with its last step), and corrects itself where a later entry
// shows that something must have ended.

import type { Json } from '../../model/json.ts';
import { dropAttempts } from '../attempts.ts';
import { type Ended, inOrder, isBlock, type StepRecord } from '../step-record.ts';
import { forget } from './forget.ts';
import type { Outline } from './shape.ts';

const KEPT_FAILURES = 20;
const CODES: Record<Ended, number> = { done: 1, failed: 2, skipped: 3, cancelled: 4 };

/** Leaves are counted, and a block that was skipped whole: else each failure would count once per level. */
function counts(record: StepRecord, ended: Ended): boolean {
  return record.kind === 'step' && (ended === 'skipped' || !record.step || !isBlock(record.step.work));
}

function count(outline: Outline, record: StepRecord, ended: Ended, by: 1 | -1): void {
  if (counts(record, ended)) outline.totals[ended] += by;
  const { parent } = record;
  if (!parent) return;
  parent.endedChildren += by;
  if (record.kind !== 'pass' || !parent.passes) return;
  if (ended !== 'skipped') parent.passes[ended] += by;
  const { number } = record;
  if (number !== undefined && number < parent.passes.ended.length) {
    parent.passes.ended[number] = by === 1 ? CODES[ended] : 0;
  }
}

function unsettle(outline: Outline, record: StepRecord): void {
  if (record.settled === undefined) return;
  count(outline, record, record.settled, -1);
  outline.notes.failed.delete(record.path);
  record.settled = undefined;
  clear(record);
  if (record.kind !== 'pass' || record.number === undefined) return;
  record.parent?.passes?.kept.delete(record.number);
  record.parent?.passes?.open.set(record.number, record);
}

function repeat(record: StepRecord): void {
  record.earlier = [
    ...record.earlier.slice(-4),
    { path: record.path, status: record.status, durationMs: record.durationMs },
  ];
  record.settled = undefined;
  record.startedAt = undefined;
  record.durationMs = 0;
  clear(record);
}

/** What it came to; what it cost stays. */
function clear(record: StepRecord): void {
  record.endedAt = undefined;
  record.goes = undefined;
  record.error = undefined;
  record.skip = undefined;
  record.accepted = false;
  record.retries = 0;
  record.moved = undefined;
}

/** It is under way; so is all that holds it. What came before it in its list has then ended. */
export function begin(outline: Outline, record: StepRecord, at: number): void {
  if (record.status !== 'pending' && record.settled === undefined) return;
  // What had ended well runs once more after a jump back: both count. What had failed is being mended.
  if (record.settled === 'done' || record.settled === 'skipped') repeat(record);
  else unsettle(outline, record);
  record.status = 'running';
  record.startedAt ??= at;
  record.startedRunTime = outline.runTime - record.durationMs;
  const { parent } = record;
  if (parent) {
    if (parent.kind !== 'run') begin(outline, parent, at);
    if (record.kind === 'pass') {
      if (parent.verb === 'loop') settleOthers(outline, parent, record, at);
    } else if (inOrder(parent)) {
      if (parent.current && parent.current !== record) settleInferred(outline, parent.current, at);
      parent.current = record;
    }
  }
  if (outline.jump !== undefined && !isInside(outline.jump.path, record.path)) outline.jump = undefined;
  outline.change.opened.push(record);
}

function settleOthers(outline: Outline, loop: StepRecord, but: StepRecord, at: number): void {
  for (const pass of [...(loop.passes?.open.values() ?? [])])
    if (pass !== but) settleInferred(outline, pass, at);
}

function isInside(path: string, container: string): boolean {
  return (
    path.length > container.length &&
    path.startsWith(container) &&
    '/[#'.includes(path.charAt(container.length))
  );
}

/** It must have ended, though no entry said so: left by a jump, or done. */
export function settleInferred(outline: Outline, record: StepRecord, at: number): void {
  if (record.settled !== undefined || record.status === 'pending') return;
  const { jump } = outline;
  if (jump && isInside(jump.path, record.path)) {
    record.error = { class: 'left', message: `left by goto ${jump.to}` };
    settle(outline, record, 'failed', at);
  } else settle(outline, record, 'done', at);
}

export function settle(outline: Outline, record: StepRecord, ended: Ended, at: number): void {
  if (record.settled === ended) return;
  const { error, skip } = record;
  unsettle(outline, record);
  if (error && ended !== 'done') record.error = error;
  if (skip) record.skip = skip;
  record.settled = ended;
  record.status = ended;
  record.endedAt = at;
  if (record.startedAt !== undefined)
    record.durationMs = Math.max(0, outline.runTime - record.startedRunTime);
  dropAttempts(record);
  if (record.question) withdraw(outline, record);
  settleBelow(outline, record, ended, at);
  if (ended === 'done') mergeVars(outline, record);
  count(outline, record, ended, 1);
  outline.change.settled.push(record);
  if (record.kind === 'pass') retire(outline, record, ended);
}

function settleBelow(outline: Outline, record: StepRecord, ended: Ended, at: number): void {
  const close = (inner: StepRecord): void => {
    if (inner.settled !== undefined || inner.status === 'pending') return;
    const left = outline.jump !== undefined && isInside(outline.jump.path, inner.path);
    if (ended === 'done' || left) settleInferred(outline, inner, at);
    else settle(outline, inner, 'cancelled', at);
  };
  if (record.current) close(record.current);
  if (record.verb === 'parallel' && record.endedChildren < record.children.length)
    record.children.forEach(close);
  if (record.passes) for (const pass of [...record.passes.open.values()]) close(pass);
}

/** The question no longer stands: it was answered, ran out, or the step ended otherwise. */
export function withdraw(outline: Outline, record: StepRecord): void {
  record.question = undefined;
  outline.questions.delete(record.path);
  record.status = record.settled ?? (record.startedAt === undefined ? 'pending' : 'running');
}

/** A pass that has ended leaves figures. Some failed ones stay to be looked at; of a loop its last pass does. */
function retire(outline: Outline, pass: StepRecord, ended: Ended): void {
  const passes = pass.parent?.passes;
  if (!passes || pass.number === undefined) return;
  passes.open.delete(pass.number);
  if (pass.parent?.verb === 'loop') {
    for (const old of passes.kept.values()) forget(outline, old);
    passes.kept.clear();
    passes.kept.set(pass.number, pass);
    return;
  }
  if (ended !== 'failed') {
    forget(outline, pass);
    return;
  }
  passes.kept.set(pass.number, pass);
  // Its exit actions are still to come, and are told of it.
  if ((pass.step?.exit.length ?? 0) === 0) dropFailed(outline, pass);
}

/** A failed pass that is over leaves figures too, where enough are kept to be looked at. */
export function dropFailed(outline: Outline, pass: StepRecord): void {
  const passes = pass.parent?.passes;
  const work = pass.step?.work;
  if (!passes || pass.number === undefined || work?.kind !== 'each') return;
  const most = Math.max(KEPT_FAILURES, Math.min(work.concurrency, 1000));
  if (passes.kept.size <= most || passes.kept.get(pass.number) !== pass) return;
  passes.kept.delete(pass.number);
  forget(outline, pass);
}

/** The step counts as done, and the list goes on. */
export function finish(outline: Outline, record: StepRecord, at: number): void {
  settle(outline, record, 'done', at);
  moveOn(outline, record, at);
}

/** The work is there and accepted: what may still follow are exit actions and `next`. */
export function afterWork(outline: Outline, record: StepRecord, at: number): void {
  const { step } = record;
  if (!step || record.settled !== undefined) return;
  // `output: vars` is looked at like a check: it must be an object.
  if ((step.done || step.output === 'vars') && !record.accepted) return;
  if ((step.exit.length > 0 && record.verb !== 'each') || step.next.length > 0) return;
  finish(outline, record, at);
}

function valueGiven(record: StepRecord): Json | undefined {
  return record.outcome ? record.outcome.output : record.lastValue;
}

/** `output: vars`: an object's keys become variables of the workflow. */
function mergeVars(outline: Outline, record: StepRecord): void {
  if (record.kind !== 'step' || record.step?.output !== 'vars' || record.workflow !== outline.workflow)
    return;
  const value = valueGiven(record);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, one] of Object.entries(value)) outline.vars.set(name, one);
}

/** A record has ended and what holds it goes on; with the last one, that has ended too. */
export function moveOn(outline: Outline, record: StepRecord, at: number): void {
  const { parent } = record;
  if (!parent || parent.kind === 'run' || parent.settled !== undefined) return;
  if (record.settled !== 'skipped') parent.lastValue = valueGiven(record);
  if (record.kind === 'pass') {
    if (parent.verb === 'each') eachMovedOn(outline, parent, at);
  } else if (parent.verb === 'parallel') {
    // Of gates there is one review to come.
    if (parent.step?.work.kind === 'parallel' && parent.step.work.gates !== undefined) return;
    if (parent.endedChildren >= parent.children.length && parent.children.every(isHandled)) {
      afterWork(outline, parent, at);
    }
  } else if (parent.children[parent.children.length - 1] === record) listEnded(outline, parent, at);
}

/** A failed child still has exit actions and `next` before it; only what went on past the failure lets the block end. */
const isHandled = (child: StepRecord): boolean =>
  child.settled === 'done' ||
  child.settled === 'skipped' ||
  (child.settled === 'failed' && child.goes === 'continue');

export function eachMovedOn(outline: Outline, each: StepRecord, at: number): void {
  const { passes } = each;
  if (passes && passes.done >= passes.total) afterWork(outline, each, at);
}

function listEnded(outline: Outline, holder: StepRecord, at: number): void {
  if (holder.kind === 'pass') {
    if (holder.parent?.verb === 'each' && (holder.step?.exit.length ?? 0) > 0) return;
    passEnded(outline, holder, at);
  } else if (holder.verb !== 'workflow') afterWork(outline, holder, at);
}

export function passEnded(outline: Outline, pass: StepRecord, at: number): void {
  finish(outline, pass, at);
}

/** The run is over for good: nothing is under way any more. */
export function settleAll(outline: Outline, ended: 'done' | 'cancelled', at: number): void {
  const { root } = outline;
  for (const child of root.children) {
    if (child.settled !== undefined || child.status === 'pending') continue;
    if (ended === 'done') settleInferred(outline, child, at);
    else settle(outline, child, 'cancelled', at);
  }
  root.status = ended;
  outline.questions.clear();
}
