// report: what a run came to, for whoever answers for it: what was tested, reviewed, fixed, left out, decided by people,
// what it cost, and how to go on. Pure: from the journal, and from what the driver saw when the run stopped.
// RP1. What Lockstep saw itself and what an agent claims are never mixed: a claim is called one.
// RP2. Nothing is left out silently: what was skipped, overridden, in doubt or failed has a place of its own.
// RP3. The same journal and survey give the same report.

import { placeName } from '../model/place-name.ts';
import { handedOf } from './handed.ts';
import { type Advice, wordToType } from './next-commands.ts';
import type { Outline } from './outline/shape.ts';
import { answerText } from './report/answer-text.ts';
import { BASIS } from './report/basis.ts';
import { checkpointsOf } from './report/checkpoints.ts';
import { type ReportNotes, underWay } from './report/report-notes.ts';
import { reviewsOf } from './report/reviews.ts';
import type { Commit, Report, Survey } from './report/shape.ts';
import { stepSummary } from './report/step-summary.ts';
import { tasksOf } from './report/tasks.ts';
import { summarize } from './summary.ts';
import { plain } from './text/plain.ts';
import { thousands } from './text/words.ts';

export type { Report, Survey } from './report/shape.ts';

export function reportOf(notes: ReportNotes, survey: Survey = {}): Report {
  const { outline, commands, denied, deniedCount, questions } = notes;
  const { totals } = outline;
  const summary = summarize(outline);
  const claims = [...notes.steps.values()].flatMap((told) => told.claims ?? []);
  const places = placesOf(notes, survey);
  const publication = claims.findLast((claim) => claim.publication)?.publication;
  return {
    basis: BASIS,
    run: summary.run,
    workflow: summary.workflow,
    workflowFile: plain(outline.workflowFile),
    status: outline.status,
    startedAt: outline.startedAt,
    endedAt: outline.lastAt,
    runTimeMs: outline.runTime,
    resumes: outline.resumes,
    handed: handedOf(outline),
    holds: notes.holds,
    reviewedByAuthor: outline.ownReviews,
    ...(summary.endedBy !== undefined && { endedBy: summary.endedBy }),
    ...(summary.error && { error: summary.error }),
    inputs: inputsOf(notes),
    ...(summary.outputs && { outputs: summary.outputs }),
    stepSummary: stepSummary(outline),
    steps: [...[...notes.steps.values()].map(({ step }) => step), ...underWay(notes)],
    more: notes.more,
    tasks: tasksOf(notes.steps.values()),
    checkpoints: checkpointsOf(notes.steps.values()),
    commands,
    denied,
    deniedCount,
    claims: notes.tests,
    certified: claims.flatMap(({ certified }) => certified),
    reviews: reviewsOf(notes),
    fixes: claims.flatMap(({ fixes }) => fixes),
    // A later verification takes the place of an earlier one.
    requirements: claims.findLast(({ requirements }) => requirements.length > 0)?.requirements ?? [],
    ...places,
    ...(publication && { publication }),
    overrides: outline.notes.overrides.kept.map(({ path, by, note }) => ({
      ...{ path, by: plain(by) },
      ...(note !== undefined && { note: plain(note) }),
    })),
    doubts: outline.notes.doubts.kept.map(({ path, part, remedy }) => ({
      ...{ path: placeName(path, part), remedy },
    })),
    questions,
    warnings: [
      ...outline.notes.warnings.kept.map(({ path, message }) =>
        plain(path === undefined ? message : `${path}: ${message}`),
      ),
      ...notNamed(outline.notes),
    ],
    cuts: {
      count: outline.notes.cuts.count,
      kept: outline.notes.cuts.kept.map(({ path, message }) => ({
        path: plain(path),
        message: plain(message),
      })),
    },
    references: outline.notes.references.kept.map(({ path, message }) => ({ path, message: plain(message) })),
    failures: summary.failures.map(({ path, message }) => ({ path, message })),
    failureCount: summary.failureCount,
    continuedPast: outline.notes.continued.kept.map(({ path, message }) => ({
      path,
      message: plain(message),
    })),
    spending: totals.spending,
    models: totals.models,
    next: [
      ...summary.questions.flatMap((question) => question.answers),
      ...summary.next,
      ...wayOn({ ...places, run: summary.run, status: outline.status }),
    ],
  };
}

/** Of a file its path: the text is in the journal. */
function inputsOf({ outline, found }: ReportNotes): Report['inputs'] {
  return Object.entries(outline.inputs).map(([name, value]) => {
    const isFile = outline.workflow.inputs[name]?.type === 'file';
    const shown =
      isFile && typeof value === 'object' && value !== null && 'path' in value ? value.path : value;
    const from = found[name]?.from ?? found[name]?.by;
    return {
      name: plain(name),
      value: answerText(shown),
      ...(from !== undefined && { from: plain(from) }),
    };
  });
}

type Places = Pick<
  Report,
  'filesChanged' | 'filesDeleted' | 'branch' | 'worktree' | 'base' | 'branches' | 'commits' | 'location'
>;

function placesOf({ outline }: ReportNotes, survey: Survey): Places {
  const { worktree, run, notes } = outline;
  const branch = worktree?.branch ?? run?.branch ?? '';
  return {
    ...(survey.filesChanged && { filesChanged: survey.filesChanged.map(plain) }),
    ...(survey.filesDeleted && { filesDeleted: survey.filesDeleted.map(plain) }),
    ...(branch !== '' && { branch: plain(branch) }),
    ...(worktree && { worktree: plain(worktree.path), base: worktree.base }),
    branches: notes.worktrees.kept.map(({ path, worktree: own }) => {
      const commits = survey.branches?.get(own.branch);
      return {
        ...{ path, branch: plain(own.branch), worktree: plain(own.path), base: own.base },
        ...(commits && { commits: commits.map(plainCommit) }),
      };
    }),
    ...(survey.commits && { commits: survey.commits.map(plainCommit) }),
    ...(survey.location !== undefined && { location: plain(survey.location) }),
  };
}

function plainCommit({ id, subject }: Commit): Commit {
  return { id, subject: plain(subject) };
}

/** More are in the report. */
/** Of what there may be many of, the first ones are named. */
function notNamed({ warnings, doubts, continued, overrides }: Outline['notes']): string[] {
  const lists: [string, { count: number; kept: unknown[] }][] = [
    ['more warnings', warnings],
    ['more steps were in doubt after a crash', doubts],
    ['more steps failed, and the run went on', continued],
    ['more steps were accepted by a person', overrides],
  ];
  return lists
    .filter(([, { count, kept }]) => count > kept.length)
    .map(
      ([what, { count, kept }]) => `and ${thousands(count - kept.length)} ${what}, which are in the audit`,
    );
}

const MOST_BRANCHES = 5;

/** Once it is complete: how to look at what was made, take it over and tidy up. */
export function wayOn({ run, status, worktree, branch = '', base = '', branches = [] }: WayOn): Advice[] {
  const isOwn = worktree !== undefined;
  if (status !== 'completed' || !(isOwn || branches.length > 0)) return [];
  const name = wordToType(branch);
  const changed = branches.filter(({ commits }) => commits?.length !== 0).slice(0, MOST_BRANCHES);
  const done = isOwn && branches.length === 0 ? 'the worktree' : 'the worktrees';
  return [
    ...(isOwn
      ? [
          { command: diff(base, branch), meaning: 'look at what was made' },
          { command: `git merge ${name}`, meaning: 'take it into the branch you stand on' },
        ]
      : []),
    ...changed.map((own) => ({
      command: diff(own.base, own.branch),
      meaning: `look at what ${own.path} made`,
    })),
    { command: `lockstep worktree remove ${run}`, meaning: `when you are done with ${done}` },
  ];
}

function diff(base: string, branch: string): string {
  return `git diff ${base.slice(0, 12)} ${wordToType(branch)}`;
}

type WayOn = Pick<Report, 'run' | 'status' | 'worktree' | 'branch' | 'base'> &
  Partial<Pick<Report, 'branches'>>;
