import type { Requirement } from '../ledger.ts';

export const commandLine: Requirement[] = [
  // ── Command line ──
  {
    id: 'LS-CLI-RUN-NAME',
    requirement: '`run` takes a name.',
    proof: 'test/cli/run.test.ts › what is run › LS-CLI-RUN-NAME: a name is a workflow of the library',
  },
  {
    id: 'LS-CLI-RUN-FILE',
    requirement: '`run` takes a file.',
    proof:
      'test/cli/run.test.ts › what is run › LS-CLI-RUN-FILE: a path is a file, wherever it lies, and so is a file without an ending',
  },
  {
    id: 'LS-CLI-RUN-INPUT',
    requirement: '`run --input k=v`',
    proof: [
      'test/cli/run.test.ts › inputs › LS-CLI-RUN-INPUT: inputs are typed as they are declared; the last of a name wins',
      'test/cli/run.test.ts › inputs › LS-CLI-RUN-INPUT: rule 14: a file is read, its title and front matter with it',
    ],
  },
  {
    id: 'LS-CLI-RUN-VAR',
    requirement: '`run --var k=v`',
    proof:
      'test/cli/run.test.ts › inputs › LS-CLI-RUN-VAR: vars are typed by their initial value; null takes anything',
  },
  {
    id: 'LS-CLI-RUN-INPUT-FILE',
    requirement: '`run --input-file`',
    proof:
      'test/cli/run.test.ts › inputs › LS-CLI-RUN-INPUT-FILE: inputs come from a YAML or JSON map, and --input goes before it',
  },
  {
    id: 'LS-CLI-RUN-SCRIPT',
    requirement: '`run --script FILE`',
    proof: 'test/cli/run.test.ts › agents › LS-CLI-RUN-SCRIPT: a script answers every prompt',
  },
  {
    id: 'LS-CLI-RUN-DRY-RUN',
    requirement: '`run --dry-run` resolves and checks all, prints the plan and runs nothing.',
    proof: [
      'test/cli/run.test.ts › what is left out › LS-CLI-RUN-DRY-RUN: everything is checked, the plan is printed, nothing is run and nothing made',
      'test/cli/run.test.ts › what is left out › LS-CLI-RUN-DRY-RUN: a missing client is told, and the plan is printed all the same',
      'test/cli/run.test.ts › what is left out › LS-CLI-RUN-DRY-RUN: steps marked `dry_run: true` do run, and the others are on record',
    ],
  },
  {
    id: 'LS-CLI-RUN-SKIP-STEP',
    requirement: '`run --skip-step` leaves out a step, on record.',
    proof: [
      'test/cli/run.test.ts › what is left out › LS-CLI-RUN-SKIP-STEP: a step is left out, on record',
      'test/cli/run.test.ts › what is left out › LS-CLI-RUN-SKIP-STEP: rule 15: against an invariant it is refused',
    ],
  },
  {
    id: 'LS-CLI-RUN-SKIP-CHECKS',
    requirement: '`run --skip-checks` leaves out the quality checks, on record.',
    proof:
      'test/cli/run.test.ts › what is left out › LS-CLI-RUN-SKIP-CHECKS: steps that are checks are left out, on record',
  },
  {
    id: 'LS-CLI-RUN-JSON',
    requirement: '`run --json` prints machine-readable events only.',
    proof: [
      'test/cli/run.test.ts › what is printed › LS-CLI-RUN-JSON: every line is JSON: the entries in order, then the summary',
      'test/cli/run.test.ts › what is printed › LS-CLI-RUN-JSON: problems are JSON too',
    ],
  },
  {
    id: 'LS-CLI-RUN-QUIET',
    requirement: '`run --quiet` prints no progress.',
    proof:
      'test/cli/run.test.ts › what is printed › LS-CLI-RUN-QUIET: no progress; the outcome, and what failed',
  },
  {
    id: 'LS-CLI-RUN-VERBOSE',
    requirement: '`run --verbose` shows what the steps print.',
    proof: 'test/cli/run.test.ts › what is printed › LS-CLI-RUN-VERBOSE: what the steps print is shown',
  },
  {
    id: 'LS-CLI-RESUME',
    requirement: '`resume` goes on with a run.',
    proof: [
      'test/cli/go-on.test.ts › resume › LS-CLI-RESUME: a failed step runs again once it is mended',
      'test/cli/go-on.test.ts › resume › LS-CLI-RESUME: nothing to go on with is wrong input',
      'test/cli/go-on.test.ts › resume › LS-CLI-RESUME: --limit raises a limit that paused or ended the run',
    ],
  },
  {
    id: 'LS-CLI-VALIDATE',
    requirement: '`validate` checks a workflow and says so.',
    proof: [
      'test/cli/definitions.test.ts › validate › LS-CLI-VALIDATE: all problems of several workflows at once, each once',
      'test/cli/definitions.test.ts › validate › LS-CLI-VALIDATE: --json is an object with every diagnostic',
      'test/cli/definitions.test.ts › validate › LS-CLI-VALIDATE: what needs a live session is said, and run refuses it before it makes anything',
    ],
  },
  {
    id: 'LS-CLI-LIST',
    requirement: '`list` lists definitions.',
    proof:
      'test/cli/definitions.test.ts › list and show › LS-CLI-LIST: names, the layer that won, what it shadows, and descriptions',
  },
  {
    id: 'LS-CLI-SHOW',
    requirement: '`show` prints a definition.',
    proof: [
      'test/cli/definitions.test.ts › list and show › LS-CLI-SHOW: the layer, the path, the hash, what it shadows, inputs and steps',
      'test/cli/definitions.test.ts › list and show › LS-CLI-SHOW: --source prints the text; an agent, a file, a name that several have, a name that none has',
    ],
  },
  {
    id: 'LS-CLI-RUNS',
    requirement: '`runs` lists runs.',
    proof: [
      'test/cli/runs.test.ts › runs › LS-CLI-RUNS: id, workflow, status, start, time, steps and cost, the newest last',
      'test/cli/runs.test.ts › runs › LS-CLI-RUNS: none yet, and more than are shown',
      'test/cli/runs.test.ts › runs › LS-CLI-RUNS: J1: without its view a run is read from its journal, and a broken one does not hide the others',
    ],
  },
  {
    id: 'LS-CLI-STATUS',
    requirement: '`status` shows where a run stands.',
    proof: [
      'test/cli/runs.test.ts › status › LS-CLI-STATUS: the steps, the question and the commands that answer it',
      'test/cli/runs.test.ts › status › LS-CLI-STATUS: of a run that runs now it says who runs it',
    ],
  },
  {
    id: 'LS-CLI-LOGS',
    requirement: '`logs` prints the logs of a run or a step.',
    proof: [
      'test/cli/runs.test.ts › logs › LS-CLI-LOGS: all logs in the order of their steps, each under its name',
      'test/cli/runs.test.ts › logs › LS-CLI-LOGS: those of a step, of a block, one by its name; a single one is printed as it is',
    ],
  },
  {
    id: 'LS-CLI-LOGS-FOLLOW',
    requirement: '`logs --follow` goes on printing until the run ends.',
    proof: 'test/cli/runs.test.ts › logs › LS-CLI-LOGS-FOLLOW: goes on printing until the run ends',
  },
  {
    id: 'LS-CLI-ANSWER-APPROVE',
    requirement: '`answer` approves.',
    proof: 'test/cli/go-on.test.ts › answer › LS-CLI-ANSWER-APPROVE: the run goes on in this process',
  },
  {
    id: 'LS-CLI-ANSWER-REJECT',
    requirement: '`answer` rejects.',
    proof:
      'test/cli/go-on.test.ts › answer › LS-CLI-ANSWER-REJECT: with a note, the work is sent back with it',
  },
  {
    id: 'LS-CLI-ANSWER-CHOOSE',
    requirement: '`answer` chooses.',
    proof:
      'test/cli/go-on.test.ts › answer › LS-CLI-ANSWER-CHOOSE and LS-CLI-ANSWER-TYPE: a choice by number or by name, and a text',
  },
  {
    id: 'LS-CLI-ANSWER-TYPE',
    requirement: '`answer` takes a typed text.',
    proof:
      'test/cli/go-on.test.ts › answer › LS-CLI-ANSWER-CHOOSE and LS-CLI-ANSWER-TYPE: a choice by number or by name, and a text',
  },
  {
    id: 'LS-CLI-ANSWER-AGAIN',
    requirement: '`answer` says again.',
    proof: 'test/cli/go-on.test.ts › answer › LS-CLI-ANSWER-AGAIN: the step runs once more',
  },
  {
    id: 'LS-CLI-ANSWER-ACCEPT',
    requirement: '`answer` says accept, a recorded override.',
    proof:
      'test/cli/go-on.test.ts › answer › LS-CLI-ANSWER-ACCEPT: it is taken as it is, on record as a decision of this person',
  },
  {
    id: 'LS-CLI-ANSWER-FAIL',
    requirement: '`answer` says fail.',
    proof: 'test/cli/go-on.test.ts › answer › LS-CLI-ANSWER-FAIL: the run fails',
  },
  {
    id: 'LS-CLI-SIGNAL',
    requirement: '`signal` sends a signal.',
    proof: [
      'test/cli/go-on.test.ts › signal › LS-CLI-SIGNAL: a waiting run gets it, with its data',
      'test/cli/go-on.test.ts › signal › LS-CLI-SIGNAL: one that comes while nobody runs it is kept',
    ],
  },
  {
    id: 'LS-CLI-CANCEL',
    requirement: '`cancel` cancels a run.',
    proof: [
      'test/cli/go-on.test.ts › cancel › LS-CLI-CANCEL: the process that runs it ends what runs, and the run with it',
      'test/cli/go-on.test.ts › cancel › LS-CLI-CANCEL: a run that nobody holds is closed at once, and only once',
    ],
  },
  {
    id: 'LS-CLI-AUDIT-VERIFY',
    requirement: '`audit` verifies the chain.',
    proof:
      'test/cli/runs.test.ts › audit › LS-CLI-AUDIT-VERIFY: J4: a changed byte is found, with its offset, and exits 1',
  },
  {
    id: 'LS-CLI-AUDIT-STORY',
    requirement: '`audit` tells the run as a story.',
    proof:
      'test/cli/runs.test.ts › audit › LS-CLI-AUDIT-STORY: tells who did what, in order, and that it is whole',
  },
  {
    id: 'LS-CLI-GRAPH',
    requirement: '`graph` draws a workflow.',
    proof:
      'test/cli/definitions.test.ts › graph and schema › LS-CLI-GRAPH: Mermaid by default, a tree as text; a broken workflow is told',
  },
  {
    id: 'LS-CLI-SCHEMA',
    requirement: '`schema` prints the schema.',
    proof:
      'test/cli/definitions.test.ts › graph and schema › LS-CLI-SCHEMA: the schema accepts the workflow and the script, and refuses a misspelt field',
  },
  {
    id: 'LS-CLI-CLEAN',
    requirement: '`clean --older-than` removes old runs and no others.',
    proof: [
      'test/cli/runs.test.ts › clean › LS-CLI-CLEAN: removes old runs and no others, and says what it freed',
      'test/cli/runs.test.ts › clean › LS-CLI-CLEAN: a paused run stays unless --paused is given',
      'test/cli/runs.test.ts › clean › LS-CLI-CLEAN: a run that runs is never removed',
    ],
  },
  {
    id: 'LS-CLI-INIT',
    requirement: '`init` writes a commented starter that validates and runs.',
    proof: [
      'test/cli/set-up.test.ts › init › LS-CLI-INIT: the starter validates, runs with its script, and the commands it names work',
      'test/cli/set-up.test.ts › init › LS-CLI-INIT: in another folder it says where to go',
      'test/cli/set-up.test.ts › init › LS-CLI-INIT: nothing is overwritten',
    ],
  },
  {
    id: 'LS-CLI-COMPLETION',
    requirement: 'Shell completion works.',
    proof: 'test/cli/set-up.test.ts › completion › LS-CLI-COMPLETION:*',
  },
  {
    id: 'LS-CLI-VERSION',
    requirement: '`--version` prints the version.',
    proof: 'test/cli/set-up.test.ts › help › LS-CLI-VERSION: --version prints the version',
  },
  {
    id: 'LS-CLI-USAGE',
    requirement:
      'An unknown command or flag, or a missing argument, is exit code 2 with what to type instead.',
    proof:
      'test/cli/set-up.test.ts › LS-CLI-USAGE: what cannot be typed is exit code 2, with what to type instead',
  },
  // ── Terminal ──
  {
    id: 'LS-TTY-TREE',
    requirement: 'On a terminal a live tree of steps shows spinner, elapsed time, try, item n of m and cost.',
    proof: 'src/cli/screen/frame.test.ts › the live tree',
  },
  {
    id: 'LS-TTY-STEADY',
    requirement: 'The tree does not flicker: only what changed is written.',
    proof: [
      'src/cli/screen/painter.test.ts › the painter',
      'src/cli/screen/screen.test.ts › on a terminal › C4: paints when the clock ticks, not when something happens, in one write each',
    ],
  },
  {
    id: 'LS-TTY-WIDTH',
    requirement: 'It is right at 80 columns and when resized.',
    proof: [
      'src/cli/screen/frame.test.ts › the live tree › shows what runs, what has ended and what is to come, at 80 columns',
      'src/cli/screen/screen.test.ts › on a terminal › leaves no stale line when the terminal is resized while it runs',
    ],
  },
  {
    id: 'LS-TTY-QUESTIONS',
    requirement: 'Questions are asked in place.',
    proof: [
      'src/cli/screen/screen.test.ts › on a terminal › asks in place, with the tree out of the way, and goes on with the answer',
      'src/cli/screen/ask.test.ts › a question put in place',
    ],
  },
  {
    id: 'LS-PLAIN-LINES',
    requirement: 'Not on a terminal: one plain line per change.',
    proof:
      'test/cli/run.test.ts › what is printed › LS-PLAIN-LINES: not on a terminal every change is one plain line',
  },
  {
    id: 'LS-NO-COLOR',
    requirement: '`NO_COLOR` is honoured.',
    proof: 'test/cli/run.test.ts › what is printed › LS-NO-COLOR: colours only where they are wanted',
  },
  {
    id: 'LS-SUMMARY-CONTENT',
    requirement:
      'The summary says what ran, what was skipped and why, checks, time, cost, files changed and where the logs are.',
    proof:
      'test/cli/run.test.ts › what is printed › LS-SUMMARY-CONTENT: the summary tells steps, skips, checks, time, cost, files and logs',
  },
  {
    id: 'LS-SUMMARY-NEXT',
    requirement: 'The summary says what to do next when the run failed or paused.',
    proof:
      'test/cli/run.test.ts › what is printed › LS-SUMMARY-NEXT: a failed run says why, exits 1, and names the commands that help',
  },
  {
    id: 'LS-PAUSED-COMMAND',
    requirement: 'A paused run says exactly which command continues it.',
    proof:
      'test/cli/go-on.test.ts › answer › LS-PAUSED-COMMAND: a paused run exits 3 and says exactly which commands continue it',
  },
  // ── Done when ──
  {
    id: 'LS-DONE-FIVE-STEPS',
    requirement: 'The five-step workflow that the docs have a new user write validates and runs.',
    proof: 'test/cli/definitions.test.ts › LS-DONE-FIVE-STEPS: a five-step workflow',
  },
  {
    id: 'LS-DONE-TEN-BREAKS',
    requirement: 'Ten ways of breaking it are each answered with what to fix.',
    proof:
      'test/cli/definitions.test.ts › LS-DONE-TEN-BREAKS: ten ways of breaking it, each answered with what to fix',
  },
  {
    id: 'LS-DONE-KILLED',
    requirement: 'It is killed in mid-run and resumed.',
    proof:
      'test/cli/definitions.test.ts › LS-DONE-FIVE-STEPS: a five-step workflow › LS-DONE-KILLED: it is killed in mid-run and resumed',
  },
];
