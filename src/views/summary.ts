// summary: how a run ended, as data: what ran, what did not and why, what was decided over the engine's head, and
// what to do next. Short by design; the audit has everything.

import type { Failure } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import { failureText, lastWords } from './failure-text.ts';
import { handedOf } from './handed.ts';
import { type Advice, answerCommands, logsCommand, resumeCommand, wordToType } from './next-commands.ts';
import type { Notes, Outline, OutlineTotals, RunStatusView } from './outline/shape.ts';
import { durationAt, runTimeAt } from './outline.ts';
import { type CompactLine, reviewCost } from './report/compact.ts';
import type { OwnBranch } from './report/shape.ts';
import { type StepSummary, stepSummary } from './report/step-summary.ts';
import { questionLines, type ShownPart, shownParts } from './shown.ts';
import { below, itemOf, type Question, type StepRecord, type StepView } from './step-record.ts';
import { plain } from './text/plain.ts';
import { cost } from './text/words.ts';

export interface SummaryStep {
  path: string;
  title: string;
  status: StepView;
  durationMs: number;
  try: number;
  retries: number;
  visits: number;
  cost?: string;
  /** Of agents: `input` and `output`. */
  tokens?: { input: number; output: number };
  items?: { total: number; done: number; failed: number };
  passes?: number;
  skipped?: string;
  error?: string;
  exitCode?: number;
  inDoubt: boolean;
  overriddenBy?: string;
}

export interface SummaryFailure {
  path: string;
  /** What the item is called that it was at. */
  item?: string;
  message: string;
  hint?: string;
  /** The end of what it printed. */
  lastWords: string[];
}

export interface SummaryQuestion {
  path: string;
  kind: Question['question'];
  /** Its lines are kept. */
  text: string;
  reasons: string[];
  /** What it is about; none where there is nothing to show. */
  shown: ShownPart[];
  choices: string[];
  answers: Advice[];
}

export interface Summary {
  run: string;
  workflow: string;
  status: RunStatusView;
  runTimeMs: number;
  resumes: number;
  endedBy?: string;
  error?: { message: string; hint?: string; path?: string };
  /** What the workflow gives: its `outputs`. */
  outputs?: JsonObject;
  steps: SummaryStep[];
  notReached: string[];
  totals: OutlineTotals;
  stepSummary: StepSummary;
  cost?: string;
  /** What reviews used of everything. */
  reviewCost?: string;
  /** The report, in a few lines. */
  report: CompactLine[];
  /** How many were made since the start. */
  commits?: number;
  /** Of passes and steps that have one of their own: how many commits were made on it, where that is known. */
  branches?: { path: string; branch: string; commits?: number }[];
  /** Where the whole of it is. */
  reportFile?: string;
  notes: Notes;
  /** The first ones. */
  failures: SummaryFailure[];
  /** How many there are. */
  failureCount: number;
  questions: SummaryQuestion[];
  /** What a client works on. */
  handed: string[];
  /** Who takes the turns. */
  drive: Outline['drive'];
  /** The run's own; those of steps are in the notes. */
  worktree?: { path: string; branch: string; base: string };
  filesChanged?: string[];
  filesDeleted?: string[];
  logs?: string;
  next: Advice[];
}

/** What a summary tells that no journal holds. */
export interface Surroundings {
  filesChanged?: string[];
  filesDeleted?: string[];
  /** Where the logs are. */
  logs?: string;
  /** Where the report is, and what it comes to. */
  reportFile?: string;
  report?: CompactLine[];
  /** How many were made since the start. */
  commits?: number;
  /** Of passes and steps. */
  branches?: OwnBranch[];
  /** How to go on with what was made. */
  next?: Advice[];
  /** For a run that still runs. */
  now?: number;
  /** Whether a process holds the run. */
  held?: boolean;
}

export function summarize(outline: Outline, around: Surroundings = {}): Summary {
  const now = around.now ?? outline.lastAt;
  const summary: Summary = {
    run: outline.run?.id ?? '',
    workflow: plain(outline.workflow.name),
    status: outline.status,
    runTimeMs: runTimeAt(outline, now),
    resumes: outline.resumes,
    steps: outline.root.children.filter(wasReached).map((record) => stepOf(outline, record, now)),
    notReached: outline.root.children.filter((record) => !wasReached(record)).map((record) => record.id),
    totals: outline.totals,
    stepSummary: stepSummary(outline),
    report: around.report ?? [],
    notes: outline.notes,
    ...failuresOf(outline),
    questions: questionsOf(outline),
    handed: handedOf(outline),
    drive: outline.drive,
    next: [...adviceFor(outline, around), ...(around.next ?? [])],
  };
  const spent = cost(outline.totals.spending);
  if (spent !== undefined) summary.cost = spent;
  const reviewed = reviewCost(reviewFigures(outline.totals));
  if (reviewed !== undefined) summary.reviewCost = reviewed;
  if (around.commits !== undefined) summary.commits = around.commits;
  if (around.branches && around.branches.length > 0) {
    summary.branches = around.branches.map(({ path, branch, commits }) => ({
      ...{ path, branch: plain(branch) },
      ...(commits && { commits: commits.length }),
    }));
  }
  if (around.reportFile !== undefined) summary.reportFile = plain(around.reportFile);
  if (Object.keys(outline.outputs).length > 0) summary.outputs = outline.outputs;
  if (outline.endedBy) summary.endedBy = plain(outline.endedBy.by);
  if (outline.error) summary.error = errorOf(outline.error, outline.failedAt);
  if (outline.worktree) summary.worktree = { ...outline.worktree };
  if (around.filesChanged) summary.filesChanged = around.filesChanged.map(plain);
  if (around.filesDeleted) summary.filesDeleted = around.filesDeleted.map(plain);
  if (around.logs !== undefined) summary.logs = plain(around.logs);
  return summary;
}

function reviewFigures({ reviews, spending }: OutlineTotals): Parameters<typeof reviewCost>[0] {
  const calls = (used: typeof reviews) => used.priced + used.unpriced;
  return { calls: calls(reviews), allCalls: calls(spending), spending: reviews, total: spending };
}

function wasReached(record: StepRecord): boolean {
  return record.status !== 'pending' || record.earlier.length > 0;
}

function errorOf(error: Failure, path: string | undefined): NonNullable<Summary['error']> {
  return {
    message: plain(error.message),
    ...(error.hint !== undefined && { hint: plain(error.hint) }),
    ...(path !== undefined && { path }),
  };
}

function stepOf(outline: Outline, record: StepRecord, now: number): SummaryStep {
  const { passes } = record;
  const step: SummaryStep = {
    path: record.path,
    title: record.title,
    status: statusOf(outline, record),
    durationMs: durationAt(outline, record, now),
    try: record.try,
    retries: record.retries,
    visits: record.earlier.length + 1,
    inDoubt: record.inDoubt,
  };
  const spent = cost(record.spending);
  if (spent !== undefined) step.cost = spent;
  const { input_tokens: input, output_tokens: output } = record.spending;
  if (input + output > 0) step.tokens = { input, output };
  if (passes && record.verb === 'each')
    step.items = { total: passes.total, done: passes.done, failed: passes.failed };
  if (passes && record.verb === 'loop')
    step.passes = passes.done + passes.failed + passes.cancelled + passes.open.size;
  if (record.skip) step.skipped = plain(record.skip.why);
  if (record.settled === 'failed' && record.error) step.error = plain(record.error.message);
  if (record.exitCode !== undefined && record.exitCode !== 0) step.exitCode = record.exitCode;
  if (record.override) step.overriddenBy = plain(record.override.by);
  return step;
}

/** What was under way when the run ended did not finish. */
function statusOf(outline: Outline, { status }: StepRecord): StepView {
  const isOver = outline.status !== 'running' && outline.status !== 'paused';
  return isOver && (status === 'running' || status === 'waiting') ? 'cancelled' : status;
}

/** The innermost ones: what a block says is only that something inside it failed. */
function failuresOf(outline: Outline): Pick<Summary, 'failures' | 'failureCount'> {
  const failures: SummaryFailure[] = [];
  const told = new Set(outline.notes.continued.kept.map(({ path }) => path));
  for (const [path, error] of outline.notes.failed) {
    // Said elsewhere: what the run went on past, and what a person is asked about.
    if (told.has(path) || outline.questions.has(path)) continue;
    if (error.class === 'child' && hasNamedFailureInside(outline, path)) continue;
    const record = outline.byPath.get(path);
    const item = itemOf(record);
    failures.push({
      path,
      ...(item !== undefined && { item }),
      message: failureText(error, record),
      ...(error.hint !== undefined && { hint: plain(error.hint) }),
      lastWords: lastWords(error, record),
    });
  }
  // Only the first ones are named in the notes; how many there were is in the totals.
  let elsewhere = outline.stepsGonePast;
  for (const path of outline.questions.keys())
    if (outline.byPath.get(path)?.settled === 'failed') elsewhere += 1;
  return { failures, failureCount: Math.max(failures.length, outline.totals.failed - elsewhere) };
}

function hasNamedFailureInside(outline: Outline, path: string): boolean {
  const record = outline.byPath.get(path);
  if (!record) return true;
  return below(record).some(
    (inner) =>
      outline.notes.failed.has(inner.path) ||
      (inner.kind === 'pass' && hasNamedFailureInside(outline, inner.path)),
  );
}

function questionsOf(outline: Outline): SummaryQuestion[] {
  const several = outline.questions.size > 1;
  return [...outline.questions.values()].map((question) => ({
    path: question.path,
    kind: question.question,
    text: questionLines(question).join('\n'),
    reasons: question.reasons.map(plain),
    shown: shownParts(outline.run?.id ?? '', question),
    choices: (question.choices ?? []).map((choice) =>
      plain(typeof choice === 'string' ? choice : JSON.stringify(choice)),
    ),
    answers: answerCommands(outline.run?.id ?? '', question, several),
  }));
}

function adviceFor(outline: Outline, around: Surroundings): Advice[] {
  const run = outline.run?.id;
  if (run === undefined) return [];
  const resume = (meaning: string): Advice => ({ command: resumeCommand(run), meaning });
  switch (outline.status) {
    case 'failed': {
      const path = outline.failedAt;
      const logs =
        path === undefined ? [] : [{ command: logsCommand(run, path), meaning: 'what the step printed' }];
      const limit = outline.error?.class === 'limit' ? outline.notes.limits.kept.at(-1)?.limit : undefined;
      if (limit !== undefined) {
        return [
          { command: `${resumeCommand(run)} --limit ${limit}=…`, meaning: 'go on with a higher limit' },
        ];
      }
      return [...logs, resume('go on from the step that failed, once it is mended')];
    }
    case 'interrupted':
      return [resume('go on where it was interrupted')];
    case 'running':
      return around.held === false ? [resume('the process that ran it is gone: go on where it was')] : [];
    case 'paused':
      return pausedAdvice(outline, run);
    default:
      return [];
  }
}

/** What a person is asked has its own lines. */
function pausedAdvice(outline: Outline, run: string): Advice[] {
  if (outline.questions.size > 0) return [];
  if (outline.drive === 'run')
    return [{ command: resumeCommand(run), meaning: 'it was handed over: Lockstep goes on' }];
  const meaning = 'your client goes on when you tell it to; this lets Lockstep start the agents instead';
  return [{ command: `lockstep handover ${wordToType(run)} --to run`, meaning }];
}
