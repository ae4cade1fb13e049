// outline: a journal, told as a tree of steps. Fed entry by entry, so what it shows is always what was journaled (J1).
// Owns: the tree, the totals, what is worth naming at the end. Never: evaluates, reads a clock, guesses a cost.
// What an entry does to steps is not worked out here: the outline folds what it is fed, and projects what `fold` tells it.
// O1. `record` never throws, whatever the journal holds: what it cannot place it leaves out of the tree, and says so.
// O2. The cost of an entry does not depend on how many came before; a finished pass leaves figures, not records.
// O3. Totals are exact even where records were dropped. O4. An unknown cost stays unknown.

import { fold, initialState, listen } from '../engine/engine.ts';
import type { Entry } from '../model/entry.ts';
import type { Notice } from '../model/state.ts';
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
    state: listen(initialState(workflow)),
    change: { entry: { n: 0, at: 0, kind: 'run-interrupted', by: '' }, opened: NOTHING, settled: NOTHING },
  };
  openChildren(outline, outline.root);
  return outline;
}

export function record(outline: Outline, entry: Entry): Change {
  const at = Number.isFinite(entry.at) ? entry.at : outline.lastAt;
  outline.lastAt = at;
  outline.n = entry.n;
  const change: Change = { entry, opened: [], settled: [] };
  outline.change = change;
  const notices = noticesOf(outline, entry);
  projectBegun(outline, notices, at);
  if (!recordRun(outline, entry)) recordStep(outline, entry);
  projectEnded(outline, notices, at);
  noteCuts(outline, entry);
  return change;
}

const NOTICES: Notice[] = [];

/** What the entry did to steps, and to the time of the run: `fold` knows. */
function noticesOf(outline: Outline, entry: Entry): Notice[] {
  const { state } = outline;
  if (!state) return NOTICES;
  try {
    fold(outline.workflow, state, entry);
  } catch {
    outline.state = undefined;
    note(outline.notes.warnings, {
      message: `entry ${entry.n} of the journal (${entry.kind}) does not fit what came before it: which steps ended after it is not shown`,
    });
    return NOTICES;
  }
  outline.runTime = state.elapsed;
  return state.notices ?? NOTICES;
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
  return outline.status === 'running' ? outline.runTime + Math.max(0, now - outline.lastAt) : outline.runTime;
}

/** What a step has taken so far, or took in all. */
export function durationAt(outline: Outline, step: StepRecord, now: number): number {
  if (step.settled !== undefined || step.startedAt === undefined) return step.durationMs;
  return Math.max(0, runTimeAt(outline, now) - step.startedRunTime);
}
