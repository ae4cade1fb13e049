// shape: what a report holds. See ../report.ts for what it is and promises.

import type { Drive, QuestionKind } from '../../model/entry.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Advice } from '../next-commands.ts';
import type { RunStatusView } from '../outline/shape.ts';
import type { StepView } from '../step-record.ts';
import type { Spending } from '../text/words.ts';
import type { BASIS, Basis } from './basis.ts';
import type { StepSummary } from './step-summary.ts';

/** What the driver looked at when the run stopped: no journal holds it. */
export interface Survey {
  /** Files that differ from the start of the run; absent: that cannot be known. */
  filesChanged?: string[];
  /** Of these, the ones that are gone. */
  filesDeleted?: string[];
  /** Since the start of the run, oldest first. */
  commits?: Commit[];
  /** The same of branches that passes and steps have of their own, by branch; one that is not there is not known. */
  branches?: ReadonlyMap<string, Commit[]>;
  /** Where the records of the run are. */
  location?: string;
}

/** Of a pass or a step. */
export interface OwnBranch {
  path: string;
  branch: string;
  worktree: string;
  base: string;
  /** Absent: that cannot be known. */
  commits?: Commit[];
}

export interface Commit {
  id: string;
  subject: string;
}

/** The item of the nearest `each` around a step: its path, and what it is called. */
export interface Item {
  path: string;
  title: string;
}

/** An agent or prompt, and which of the layers it came from. */
export interface Named {
  name: string;
  layer?: string;
  path?: string;
}

export interface ReportStep {
  path: string;
  /** As the definition calls it. */
  name: string;
  title: string;
  verb: string;
  status: StepView;
  agent?: Named;
  prompt?: Named;
  provider?: string;
  model?: string;
  durationMs: number;
  tries: number;
  retries: number;
  cost?: string;
  tokens?: number;
  /** What came of it, in a line. */
  result: string;
  /** Whose word the result is. */
  by: Basis;
  skipped?: { reason: string; why: string };
  inDoubt: boolean;
  overriddenBy?: string;
}

/** A command that Lockstep ran itself: a `run` step or a `done.run`. */
export interface CommandRun {
  path: string;
  command: string;
  exitCode?: number;
  durationMs: number;
  /** It decided whether the work of the step counts. */
  isCheck: boolean;
}

/** A tool call of an agent that did not happen. */
export interface DeniedCall {
  path: string;
  tool: string;
  about: string;
  reason: string;
  /** The step's own tools and rules, or the client by itself. */
  by: 'step' | 'client';
}

/** What an agent says of tests, beside what Lockstep saw in the same step. */
export interface TestClaim {
  path: string;
  try: number;
  total?: number;
  passed?: number;
  failed?: number;
  exitCode?: number;
  coverage?: number;
  /** Exit code of the check that Lockstep ran then. */
  seen?: number;
}

export interface CertifiedFunction {
  path: string;
  name: string;
  testFile: string;
  watchedFail: boolean;
  watchedPass: boolean;
}

export interface ReviewIssue {
  severity: string;
  description: string;
  file?: string;
  line?: number;
  foundBy: string[];
}

export interface GateVerdict {
  gate: string;
  status: 'done' | 'skipped' | 'failed';
  verdict?: string;
  issues: number;
  /** Why it was left out or failed. */
  why?: string;
  /** Not asked again: its last verdict stands. */
  carried?: true;
  /** It is one, and no model: what it says was seen. */
  program?: true;
}

export interface ReviewRound {
  path: string;
  /** The item of the `each` it belongs to, where it does. */
  of?: string;
  /** From 1, within that item. */
  round: number;
  gates: GateVerdict[];
  issues: ReviewIssue[];
}

/** Settled: not found by the last verdict of the gate that had found it. */
export interface FoundIssue extends ReviewIssue {
  of?: string;
  round: number;
  isOpen: boolean;
  by: Basis;
}

export interface Reviews {
  rounds: ReviewRound[];
  /** Each once, from the round in which it was found first. */
  issues: FoundIssue[];
  leftOut: number;
  calls: number;
  /** Of all that agents were asked. */
  allCalls: number;
  spending: Spending;
}

export interface Fix {
  path: string;
  description: string;
  how?: string;
  /** Present: it was not fixed. */
  why?: string;
}

export interface RequirementVerdict {
  path: string;
  id: string;
  description: string;
  met: boolean;
  evidence: string;
}

/** What the work was split into. */
export interface PlannedTask {
  id: string;
  title: string;
  /** How many. */
  requirements: number;
  /** Ids of tasks that come before. */
  dependencies: string[];
  /** Its number in the tracker; a dry run makes none. */
  issue?: number;
}

/** Of `save-checkpoint`: its results are the steps of these paths. */
export interface Checkpoint {
  path: string;
  name?: string;
  task?: string;
  completed: string[];
  pending: string[];
  /** Since the one before, in the order in which they ended. */
  steps: string[];
}

export interface AskedQuestion {
  path: string;
  kind: QuestionKind;
  text: string;
  reasons: string[];
  answer?: string;
  by?: string;
  note?: string;
  /** How the answer reached the run. */
  channel?: string;
}

/** A part of the run in which the same side took the turns. */
export interface Hold {
  drive: Drive;
  at: number;
  /** Who handed it over, and why; absent: it began so. */
  by?: string;
  why?: string;
  /** Paths of steps that ended in it, the first so many; and how many there were. */
  steps: string[];
  stepCount: number;
}

export interface Publication {
  branch?: string;
  pushed?: boolean;
  pullRequest?: string;
}

/** `reviews`: rounds of gates; `claims`: what agents said of their tests. */
export interface LeftOut {
  steps: number;
  commands: number;
  questions: number;
  reviews: number;
  claims: number;
}

export interface Report {
  /** Whose word each part is. */
  basis: typeof BASIS;
  run: string;
  workflow: string;
  workflowFile: string;
  status: RunStatusView;
  startedAt: number;
  endedAt: number;
  runTimeMs: number;
  resumes: number;
  /** What a client works on. */
  handed: string[];
  /** Who took the turns, from the start on; one where it was never handed over. */
  holds: Hold[];
  /** No other agent was there to review: who did the work did. */
  reviewedByAuthor: boolean;
  endedBy?: string;
  error?: { message: string; path?: string; hint?: string };
  inputs: { name: string; value: string; from?: string }[];
  /** What the workflow gives. */
  outputs?: JsonObject;
  stepSummary: StepSummary;
  steps: ReportStep[];
  /** How many of each there was no room for. */
  more: LeftOut;
  tasks: PlannedTask[];
  checkpoints: Checkpoint[];
  commands: CommandRun[];
  /** Tool calls that did not happen, the first of them, and how many there were. */
  denied: DeniedCall[];
  deniedCount: number;
  claims: TestClaim[];
  certified: CertifiedFunction[];
  reviews: Reviews;
  fixes: Fix[];
  requirements: RequirementVerdict[];
  filesChanged?: string[];
  filesDeleted?: string[];
  branch?: string;
  worktree?: string;
  base?: string;
  /** Of passes that had their own. */
  branches: OwnBranch[];
  commits?: Commit[];
  publication?: Publication;
  overrides: { path: string; by: string; note?: string }[];
  doubts: { path: string; remedy: string }[];
  questions: AskedQuestion[];
  warnings: string[];
  /** Of the git repository, changed while a step ran that does not work on them. */
  references: { path: string; message: string }[];
  /** Outputs that were not kept whole, and what was decided on a part of one: the first, and how many there were. */
  cuts: { kept: { path: string; message: string }[]; count: number };
  /** The first ones. */
  failures: { path: string; message: string }[];
  failureCount: number;
  continuedPast: { path: string; message: string }[];
  spending: Spending;
  models: { model: string; provider: string; spending: Spending }[];
  location?: string;
  next: Advice[];
}
