import type { Requirement } from '../ledger.ts';

export const commandLine: Requirement[] = [
  // ── Command line ──
  { id: 'LS-CLI-RUN-NAME', requirement: '`run` takes a name.', proof: [] },
  { id: 'LS-CLI-RUN-FILE', requirement: '`run` takes a file.', proof: [] },
  { id: 'LS-CLI-RUN-INPUT', requirement: '`run --input k=v`', proof: [] },
  { id: 'LS-CLI-RUN-VAR', requirement: '`run --var k=v`', proof: [] },
  { id: 'LS-CLI-RUN-INPUT-FILE', requirement: '`run --input-file`', proof: [] },
  { id: 'LS-CLI-RUN-SCRIPT', requirement: '`run --script FILE`', proof: [] },
  {
    id: 'LS-CLI-RUN-DRY-RUN',
    requirement: '`run --dry-run` resolves and checks all, prints the plan and runs nothing.',
    proof: [],
  },
  { id: 'LS-CLI-RUN-SKIP-STEP', requirement: '`run --skip-step` leaves out a step, on record.', proof: [] },
  {
    id: 'LS-CLI-RUN-SKIP-CHECKS',
    requirement: '`run --skip-checks` leaves out the quality checks, on record.',
    proof: [],
  },
  { id: 'LS-CLI-RUN-JSON', requirement: '`run --json` prints machine-readable events only.', proof: [] },
  { id: 'LS-CLI-RUN-QUIET', requirement: '`run --quiet` prints no progress.', proof: [] },
  { id: 'LS-CLI-RUN-VERBOSE', requirement: '`run --verbose` shows what the steps print.', proof: [] },
  { id: 'LS-CLI-RESUME', requirement: '`resume` goes on with a run.', proof: [] },
  { id: 'LS-CLI-VALIDATE', requirement: '`validate` checks a workflow and says so.', proof: [] },
  { id: 'LS-CLI-LIST', requirement: '`list` lists definitions.', proof: [] },
  { id: 'LS-CLI-SHOW', requirement: '`show` prints a definition.', proof: [] },
  { id: 'LS-CLI-RUNS', requirement: '`runs` lists runs.', proof: [] },
  { id: 'LS-CLI-STATUS', requirement: '`status` shows where a run stands.', proof: [] },
  { id: 'LS-CLI-LOGS', requirement: '`logs` prints the logs of a run or a step.', proof: [] },
  {
    id: 'LS-CLI-LOGS-FOLLOW',
    requirement: '`logs --follow` goes on printing until the run ends.',
    proof: [],
  },
  { id: 'LS-CLI-ANSWER-APPROVE', requirement: '`answer` approves.', proof: [] },
  { id: 'LS-CLI-ANSWER-REJECT', requirement: '`answer` rejects.', proof: [] },
  { id: 'LS-CLI-ANSWER-CHOOSE', requirement: '`answer` chooses.', proof: [] },
  { id: 'LS-CLI-ANSWER-TYPE', requirement: '`answer` takes a typed text.', proof: [] },
  { id: 'LS-CLI-ANSWER-AGAIN', requirement: '`answer` says again.', proof: [] },
  { id: 'LS-CLI-ANSWER-ACCEPT', requirement: '`answer` says accept, a recorded override.', proof: [] },
  { id: 'LS-CLI-ANSWER-FAIL', requirement: '`answer` says fail.', proof: [] },
  { id: 'LS-CLI-SIGNAL', requirement: '`signal` sends a signal.', proof: [] },
  { id: 'LS-CLI-CANCEL', requirement: '`cancel` cancels a run.', proof: [] },
  { id: 'LS-CLI-AUDIT-VERIFY', requirement: '`audit` verifies the chain.', proof: [] },
  { id: 'LS-CLI-AUDIT-STORY', requirement: '`audit` tells the run as a story.', proof: [] },
  { id: 'LS-CLI-GRAPH', requirement: '`graph` draws a workflow.', proof: [] },
  { id: 'LS-CLI-SCHEMA', requirement: '`schema` prints the schema.', proof: [] },
  { id: 'LS-CLI-CLEAN', requirement: '`clean --older-than` removes old runs and no others.', proof: [] },
  { id: 'LS-CLI-INIT', requirement: '`init` writes a commented starter that validates and runs.', proof: [] },
  { id: 'LS-CLI-COMPLETION', requirement: 'Shell completion works.', proof: [] },
  { id: 'LS-CLI-VERSION', requirement: '`--version` prints the version.', proof: [] },
  {
    id: 'LS-CLI-USAGE',
    requirement:
      'An unknown command or flag, or a missing argument, is exit code 2 with what to type instead.',
    proof: [],
  },
  // ── Terminal ──
  {
    id: 'LS-TTY-TREE',
    requirement: 'On a terminal a live tree of steps shows spinner, elapsed time, try, item n of m and cost.',
    proof: [],
  },
  { id: 'LS-TTY-STEADY', requirement: 'The tree does not flicker: only what changed is written.', proof: [] },
  { id: 'LS-TTY-WIDTH', requirement: 'It is right at 80 columns and when resized.', proof: [] },
  { id: 'LS-TTY-QUESTIONS', requirement: 'Questions are asked in place.', proof: [] },
  { id: 'LS-PLAIN-LINES', requirement: 'Not on a terminal: one plain line per change.', proof: [] },
  { id: 'LS-NO-COLOR', requirement: '`NO_COLOR` is honoured.', proof: [] },
  {
    id: 'LS-SUMMARY-CONTENT',
    requirement:
      'The summary says what ran, what was skipped and why, checks, time, cost, files changed and where the logs are.',
    proof: [],
  },
  {
    id: 'LS-SUMMARY-NEXT',
    requirement: 'The summary says what to do next when the run failed or paused.',
    proof: [],
  },
  {
    id: 'LS-PAUSED-COMMAND',
    requirement: 'A paused run says exactly which command continues it.',
    proof: [],
  },
  // ── Done when ──
  {
    id: 'LS-DONE-FIVE-STEPS',
    requirement: 'The five-step workflow that the docs have a new user write validates and runs.',
    proof: [],
  },
  {
    id: 'LS-DONE-TEN-BREAKS',
    requirement: 'Ten ways of breaking it are each answered with what to fix.',
    proof: [],
  },
  { id: 'LS-DONE-KILLED', requirement: 'It is killed in mid-run and resumed.', proof: [] },
];
