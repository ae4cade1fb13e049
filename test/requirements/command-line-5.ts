// What the command line gained with specifications: `lockstep run SPEC.md` and what goes with it.

import type { Requirement } from '../ledger.ts';

const specification = 'test/cli/specification.test.ts › a specification';
const found = 'test/cli/specification.test.ts › an input that is found';

export const commandLine5: Requirement[] = [
  {
    id: 'LS-CLI5-SPEC',
    requirement: '`lockstep run SPEC.md` is `spec-implementation` on that file.',
    proof: `${specification} › LS-CLI5-SPEC: is run by spec-implementation, as its first input that is a file`,
  },
  {
    id: 'LS-CLI5-EMPTY',
    requirement:
      'An empty specification, or an empty command for the tests, is refused before anything is made.',
    proof: `${specification} › LS-CLI5-EMPTY: *`,
  },
  {
    id: 'LS-CLI5-SKIP-WRITTEN',
    requirement:
      '`--skip-step` takes the name that a step has in its file, also where its id here is another.',
    proof: '*LS-CLI5-SKIP-WRITTEN*',
  },
  {
    id: 'LS-CLI5-WORKFLOW',
    requirement: '`-w, --workflow` names another workflow for the specification.',
    proof: `${specification} › LS-CLI5-WORKFLOW: -w names another workflow for it, a name or a file; then it may be any file`,
  },
  {
    id: 'LS-CLI5-ERRORS',
    requirement:
      'What is wrong with the words behind `run` is told, with what to do, before anything is made.',
    proof: `${specification} › LS-CLI5-ERRORS: * is wrong input: it is told what to do, and nothing is made`,
  },
  {
    id: 'LS-CLI5-RESUME',
    requirement: '`run --resume RUN` is `resume RUN`; a run goes on with what it was started with.',
    proof: `${specification} › LS-CLI5-RESUME: run --resume goes on with a run, and refuses what only a new one can be given`,
  },
  {
    id: 'LS-CLI5-WORKING-DIR',
    requirement: '`--working-dir` is as if one stood there.',
    proof: `${specification} › LS-CLI5-WORKING-DIR: everything is looked for, and made, as if one stood there`,
  },
  {
    id: 'LS-CLI5-MODEL',
    requirement: '`--model` replaces `defaults.model`; step and agent go before it.',
    proof: `${specification} › LS-CLI5-MODEL: --model is for prompts where neither the step nor its agent names one, and on record`,
  },
  {
    id: 'LS-CLI5-REFUSED',
    requirement: 'Nobody leaves out what an invariant of the built-in counts on.',
    proof:
      'test/cli/specification.test.ts › the built-in spec-implementation › LS-CLI5-REFUSED: publishes only what is verified: --skip-step verify is refused, and nothing is made',
  },
  {
    id: 'LS-CLI5-FIND',
    requirement:
      '`find: test-command` finds the command that runs the tests of a project, shows it and records it.',
    proof: [
      `${found} › LS-CLI5-FIND: what the project says is taken, shown and on record; of several the first, the others named`,
      'src/drivers/run/find-test-command.test.ts › testCommands',
      'src/workspaces/project-files.test.ts › projectFiles',
    ],
  },
  {
    id: 'LS-CLI5-FIND-GIVEN',
    requirement: 'What is given goes before what is found.',
    proof: `${found} › LS-CLI5-FIND-GIVEN: what is given goes before what is found, and is not said to be found`,
  },
  {
    id: 'LS-CLI5-FIND-NONE',
    requirement: 'Where nothing is found, `default` counts; without one the error says what was looked at.',
    proof: `${found} › LS-CLI5-FIND-NONE: where nothing says it, the error says what was looked at and what to type`,
  },
  {
    id: 'LS-CLI5-FIND-ASKED',
    requirement: 'Where nothing is found and somebody sits at a terminal, it is asked for.',
    proof:
      'test/cli/terminal.test.ts › on a terminal* › LS-CLI5-FIND-ASKED: what a project does not say is asked before anything is made, and whose word it is, is on record',
  },
  {
    id: 'LS-CLI5-FIND-AGAIN',
    requirement: 'A resumed run keeps what was found; a restarted one looks again.',
    proof: `${found} › LS-CLI5-FIND-AGAIN: a restart looks again; a resume goes on with what was found`,
  },
  {
    id: 'LS-CLI5-FIND-TYPE',
    requirement: '`find` is for texts, and a called workflow gets it from its caller; both checked at load.',
    proof: `${found} › LS-CLI5-FIND-TYPE: it must be a text, and a caller must pass it on: both are told at load`,
  },
];
