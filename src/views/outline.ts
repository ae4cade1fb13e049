// outline: a journal, told as a tree of steps. Fed entry by entry, so what it shows is always what was journaled (J1).
// Owns: the tree, the totals, what is worth naming at the end. Never: evaluates, reads a clock, guesses a cost.
// What an entry does to steps is not worked out here: the outline projects what `fold` told. Who has folded the entry hands
// that over; an outline that is fed bare entries folds them itself.
// O1. `record` never throws, whatever the journal holds: what it cannot place it leaves out of the tree, and says so.
// O2. The cost of an entry does not depend on how many came before; a finished pass leaves figures, not records.
// O3. Totals are exact even where records were dropped. O4. An unknown cost stays unknown.

// Not from engine.ts: it brings the expressions along, and the page folds in the browser.
import { foldAndTell, initialState } from '../engine/fold.ts';
import { listen } from '../engine/notices.ts';
import type { Entry } from '../model/entry.ts';
import type { Told } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import { cutTexts } from './cut-text.ts';
import { projectBegun, projectEnded } from './outline/lifecycle.ts';
import { note } from './outline/note.ts';
import { recordRun } from './outline/run-entries.ts';
import type { Change, Noted, Outline } from './outline/shape.ts';
import { recordStep } from './outline/step-entries.ts';
import { openChildren } from './outline/tree.ts';
import { placeName } from './step-path.ts';
import { rootRecord, type StepRecord } from './step-record.ts';
import { noSpending } from './text/words.ts';

export type { Change, Outline } from './outline/shape.ts';
export type { StepRecord } from './step-record.ts';

const noted = <T>(): Noted<T> => ({ count: 0, kept: [] });
const NOTHING: StepRecord[] = [];

export function createOutline(workflow: Workflow): Outline {
  const outline: Outline = {
    workflow,
    root: rootRecord(workflow),
    status: 'pending',
    workflowFile: '',
    workflowHash: '',
    inputs: {},
    vars: new Map(),
    outputs: {},
    n: 0,
    startedAt: 0,
    lastAt: 0,
    runTime: 0,
    drive: 'run',
    ownReviews: false,
    resumes: 0,
    wentOn: false,
    questions: new Map(),
    totals: {
      done: 0,
      failed: 0,
      skipped: 0,
      cancelled: 0,
      attempts: 0,
      retries: 0,
      accepted: 0,
      rejected: 0,
      jumps: 0,
      continuedPast: 0,
      spending: noSpending(),
      models: [],
      reviews: noSpending(),
    },
    notes: {
      skipped: new Map(),
      failed: new Map(),
      continued: noted(),
      doubts: noted(),
      overrides: noted(),
      actions: noted(),
      limits: noted(),
      leftOut: noted(),
      worktrees: noted(),
      references: noted(),
      warnings: noted(),
      cuts: noted(),
    },
    stepsGonePast: 0,
    byPath: new Map(),
    positions: new Map(),
    isSpending: false,
    change: { entry: { n: 0, at: 0, kind: 'run-interrupted', by: '' }, opened: NOTHING, settled: NOTHING },
  };
  openChildren(outline, outline.root);
  return outline;
}

export function record(outline: Outline, entry: Entry): Change {
  return recordTold(outline, foldHere(outline, entry));
}

export function recordTold(outline: Outline, { entry, notices, elapsed, isSpending }: Told): Change {
  const at = Number.isFinite(entry.at) ? entry.at : outline.lastAt;
  outline.lastAt = at;
  outline.n = entry.n;
  const change: Change = { entry, opened: [], settled: [] };
  outline.change = change;
  outline.runTime = elapsed;
  outline.isSpending = isSpending;
  projectBegun(outline, notices, at);
  if (!recordRun(outline, entry)) recordStep(outline, entry);
  projectEnded(outline, notices, at);
  noteCuts(outline, entry);
  return change;
}

/** After an entry that does not fit, only what entries say themselves is known. */
function foldHere(outline: Outline, entry: Entry): Told {
  const { workflow, runTime: elapsed, isSpending } = outline;
  if (outline.n === 0) outline.folded = listen(initialState(workflow));
  const unfolded: Told = { entry, notices: [], elapsed, isSpending };
  if (!outline.folded) return unfolded;
  try {
    return foldAndTell(workflow, outline.folded, entry);
  } catch {
    outline.folded = undefined;
    note(outline.notes.warnings, {
      message: `entry ${entry.n} of the journal (${entry.kind}) does not fit what came before it: which steps ended after it is not shown`,
    });
    return unfolded;
  }
}

function noteCuts({ notes, workflow }: Outline, entry: Entry): void {
  for (const message of cutTexts(entry)) {
    const path = 'path' in entry && entry.path !== undefined ? entry.path : workflow.name;
    const part = 'part' in entry ? entry.part : undefined;
    note(notes.cuts, { path: placeName(path, part), message });
  }
}

/** Run time up to a moment that lies after the last entry. */
export function runTimeAt(outline: Outline, now: number): number {
  const { status, isSpending, runTime, lastAt } = outline;
  return status === 'running' && isSpending ? runTime + Math.max(0, now - lastAt) : runTime;
}

/** What a step has taken so far, or took in all. */
export function durationAt(outline: Outline, step: StepRecord, now: number): number {
  if (step.settled !== undefined || step.startedAt === undefined) return step.durationMs;
  return Math.max(0, runTimeAt(outline, now) - step.startedRunTime);
}
