// lifecycle: how records begin, end and begin again, as `fold` says that their steps did (engine/notices.ts). Nothing is
// worked out here: what an entry leaves unsaid (a list ends with its last step) is in its notices.

import { mergedVars } from '../../engine/vars.ts';
import type { Json } from '../../model/json.ts';
import type { Notice } from '../../model/state.ts';
import { dropAttempts } from '../attempts.ts';
import { type Ended, isBlock, type StepRecord } from '../step-record.ts';
import { forget } from './forget.ts';
import { exitsOver } from './moves.ts';
import type { Outline } from './shape.ts';
import { find } from './tree.ts';

const KEPT_FAILURES = 20;
const FAILURES_NAMED = 50;
const CODES: Record<Ended, number> = { done: 1, failed: 2, skipped: 3, cancelled: 4 };

/** What the entry began: before what it says of itself. */
export function projectBegun(outline: Outline, notices: readonly Notice[], at: number): void {
  for (const { kind, path } of notices) {
    if (kind !== 'begun') return;
    // A pass that had ended and was dropped comes back: a resumed run goes on where it failed.
    const record = find(outline, path, true);
    if (record) begin(outline, record, at);
  }
}

/** What the entry ended: after what it says of itself. */
export function projectEnded(outline: Outline, notices: readonly Notice[], at: number): void {
  for (const notice of notices) {
    if (notice.kind === 'begun') continue;
    const record = find(outline, notice.path);
    if (!record || record.kind === 'run') continue;
    if (notice.kind === 'settled') settled(outline, record, notice, at);
    else {
      if (record.settled === undefined) settle(outline, record, notice.as, at);
      if (notice.goesOn) keepValue(record);
    }
  }
}

function settled(
  outline: Outline,
  record: StepRecord,
  { as, error }: Extract<Notice, { kind: 'settled' }>,
  at: number,
): void {
  if (error) record.error = error;
  settle(outline, record, as, at);
  const { failed } = outline.notes;
  if (as === 'failed' && record.error && !error && failed.size < FAILURES_NAMED)
    failed.set(record.path, record.error);
}

// ── Beginning ───────────────────────────────────────────────────────────────────────────────────

function begin(outline: Outline, record: StepRecord, at: number): void {
  // What had ended well runs once more after a jump back: both count. What had failed is being mended.
  if (record.settled === 'done' || record.settled === 'skipped') repeat(record);
  else unsettle(outline, record);
  record.status = 'running';
  record.startedAt ??= at;
  record.startedRunTime = outline.runTime - record.durationMs;
  const { parent } = record;
  if (parent && record.kind === 'step' && parent.verb !== 'parallel') parent.current = record;
  outline.change.opened.push(record);
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
  record.retries = 0;
  record.moved = undefined;
}

// ── Ending ──────────────────────────────────────────────────────────────────────────────────────

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
  if (ended === 'done') mergeVars(outline, record);
  count(outline, record, ended, 1);
  outline.change.settled.push(record);
  if (record.kind === 'pass') retire(outline, record, ended);
}

/** The question no longer stands: it was answered, ran out, or the step ended otherwise. */
export function withdraw(outline: Outline, record: StepRecord): void {
  record.question = undefined;
  outline.questions.delete(record.path);
  record.status = record.settled ?? (record.startedAt === undefined ? 'pending' : 'running');
}

/** Leaves are counted, and a block that was skipped whole: else each failure would count once per level. */
function counts(record: StepRecord, ended: Ended): boolean {
  return record.kind === 'step' && (ended === 'skipped' || !record.step || !isBlock(record.step.work));
}

function count(outline: Outline, record: StepRecord, ended: Ended, by: 1 | -1): void {
  if (counts(record, ended)) outline.totals[ended] += by;
  const { parent, number } = record;
  if (record.kind !== 'pass' || !parent?.passes) return;
  if (ended !== 'skipped') parent.passes[ended] += by;
  if (number !== undefined && number < parent.passes.ended.length) {
    parent.passes.ended[number] = by === 1 ? CODES[ended] : 0;
  }
}

function valueGiven(record: StepRecord): Json | undefined {
  return record.outcome ? record.outcome.output : record.lastValue;
}

/** Of a block the value is that of the last step in it that was not left out. */
function keepValue(record: StepRecord): void {
  const { parent } = record;
  if (parent && parent.kind !== 'run' && record.settled !== 'skipped') parent.lastValue = valueGiven(record);
}

/** `output: vars`: an object's keys become variables of the workflow. */
function mergeVars(outline: Outline, record: StepRecord): void {
  if (record.kind !== 'step' || record.step?.output !== 'vars' || record.workflow !== outline.workflow)
    return;
  const values = mergedVars(record.step, valueGiven(record) ?? null);
  for (const [name, one] of Object.entries(values ?? {})) outline.vars.set(name, one);
}

// ── Passes ──────────────────────────────────────────────────────────────────────────────────────

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
function dropFailed(outline: Outline, pass: StepRecord): void {
  const passes = pass.parent?.passes;
  const work = pass.step?.work;
  if (!passes || pass.number === undefined || work?.kind !== 'each') return;
  const most = Math.max(KEPT_FAILURES, Math.min(work.concurrency, 1000));
  if (passes.kept.size <= most || passes.kept.get(pass.number) !== pass) return;
  passes.kept.delete(pass.number);
  forget(outline, pass);
}

/** The last exit action of a pass says what became of its item. */
export function exitEnded(outline: Outline, record: StepRecord, part: string): void {
  if (part !== `exit[${(record.step?.exit.length ?? 0) - 1}]`) return;
  exitsOver(record);
  if (record.settled !== undefined && record.kind === 'pass') dropFailed(outline, record);
}

// ── The end of the run ──────────────────────────────────────────────────────────────────────────

/** Cancelled for good: whatever is under way was cancelled with it. */
export function cancelBelow(outline: Outline, record: StepRecord, at: number): void {
  for (const inner of [...record.children, ...(record.passes?.open.values() ?? [])]) {
    if (inner.settled !== undefined || inner.status === 'pending') continue;
    cancelBelow(outline, inner, at);
    settle(outline, inner, 'cancelled', at);
  }
}
