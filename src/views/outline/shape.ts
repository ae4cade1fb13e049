// shape: what the outline of a run holds. See outline.ts for what it is and promises.

import type { Drive, Entry, Failure, Holder, RunFacts, SkipReason, Worktree } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { State } from '../../model/state.ts';
import type { Step, Workflow } from '../../model/workflow.ts';
import type { Attempt, Ended, Question, StepRecord } from '../step-record.ts';
import type { Spending } from '../text/words.ts';

/** `interrupted` is a pause of the run that no question caused. */
export type RunStatusView =
  | 'pending'
  | 'running'
  | 'paused'
  | 'interrupted'
  | 'completed'
  | 'failed'
  | 'cancelled';

export interface OutlineTotals extends Record<Ended, number> {
  attempts: number;
  retries: number;
  accepted: number;
  rejected: number;
  jumps: number;
  continuedPast: number;
  spending: Spending;
  /** The same by model, in the order in which they were first heard of. */
  models: ModelSpending[];
  /** Of these, what reviews used: gates, and prompts that are marked as checks. */
  reviews: Spending;
}

export interface ModelSpending {
  /** Empty: nobody said which. */
  model: string;
  provider: string;
  spending: Spending;
}

/** The first ones, and how many there were. */
export interface Noted<T> {
  count: number;
  kept: T[];
}

export interface Skipped {
  /** Of the first of them. */
  path: string;
  /** Without visits, items and passes: the same for every item of an `each`. */
  place: string;
  /** As its definition calls it. */
  name: string;
  reason: SkipReason;
  why: string;
  count: number;
}

export interface Notes {
  skipped: Map<string, Skipped>;
  /** By path; those that failed and are not mended. The first ones only: `totals.failed` is exact. */
  failed: Map<string, Failure>;
  continued: Noted<{ path: string; item?: string; message: string }>;
  doubts: Noted<{ path: string; part?: string; remedy: string }>;
  overrides: Noted<{ path: string; by: string; answer: string; note?: string }>;
  actions: Noted<{ path: string; part: string; message: string }>;
  limits: Noted<{ limit: string; message: string; path?: string }>;
  leftOut: Noted<{ path: string; why: string }>;
  /** Of steps that have one of their own. */
  worktrees: Noted<{ path: string; item?: string; worktree: Worktree }>;
  /** Branches and tags that changed while a step ran that does not work on them. */
  references: Noted<{ path: string; message: string }>;
  /** About worktrees and repositories; without a path: of the run. */
  warnings: Noted<{ path?: string; message: string }>;
  /** Outputs that were not kept whole, and what was decided on a part of one. */
  cuts: Noted<{ path: string; message: string }>;
}

export interface Outline {
  workflow: Workflow;
  root: StepRecord;
  status: RunStatusView;
  run?: RunFacts;
  /** The run's own. */
  worktree?: Worktree;
  workflowFile: string;
  workflowHash: string;
  inputs: JsonObject;
  /** Of the root workflow. */
  vars: Map<string, Json>;
  outputs: JsonObject;
  by?: Holder;
  /** Who takes the turns now. */
  drive: Drive;
  /** guide: gates are handed to the client that did the work. */
  ownReviews: boolean;
  endedBy?: { by: string; why?: string };
  n: number;
  startedAt: number;
  lastAt: number;
  /** Milliseconds the run was running: pauses and the time after a crash do not count. */
  runTime: number;
  /** By another process; one that waits for an answer and goes on by itself was not resumed. */
  resumes: number;
  /** Whether the last `run-resumed` came from the process that had the run before. */
  wentOn: boolean;
  error?: Failure;
  failedAt?: string;
  questions: Map<string, Question>;
  totals: OutlineTotals;
  notes: Notes;
  /** How many steps that do something themselves failed and were gone past. */
  stepsGonePast: number;
  /** Whether its time goes on after the last entry. */
  isSpending: boolean;
  /** Of an outline that is fed bare entries. Absent once an entry did not fit what came before it. */
  folded?: State;
  byPath: Map<string, StepRecord>;
  positions: Map<Step[], Map<string, number>>;
  change: Change;
}

/** What an entry did to the tree. */
export interface Change {
  entry: Entry;
  record?: StepRecord;
  /** That started or finished with this entry. */
  attempt?: Attempt;
  /** Began (again) with this entry, the outermost first. */
  opened: StepRecord[];
  /** Ended with this entry, the innermost first. A pass is out of the tree by now, but whole here. */
  settled: StepRecord[];
}
