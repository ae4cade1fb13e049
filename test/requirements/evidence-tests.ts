// Whether tests still mean anything: `done.tests` (issue 14, section 1).

import type { Requirement } from '../ledger.ts';

const NODE = 'test/evidence/node-tests.test.ts';
const RUNNERS = 'test/evidence/runners.test.ts';
const SPEC = 'test/evidence/specification.test.ts';

export const evidenceTests: Requirement[] = [
  {
    id: 'EV-TESTS-HONEST',
    requirement:
      'Honest work with tests of its own is asked nothing, and the report says how much is known of the tests.',
    proof: `${NODE} › honest work › EV-TESTS-HONEST: *`,
  },
  {
    id: 'EV-TESTS-DEMO',
    requirement: 'The demo shows one more lie that is caught: the test script set to `true`.',
    proof: 'test/builtins.test.ts › the demo: a specification becomes a branch › EV-TESTS-DEMO: *',
  },
  {
    id: 'EV-TESTS-RENAMED',
    requirement: 'Tests with another name or place are a note.',
    proof: `${NODE} › honest work › EV-TESTS-RENAMED: *`,
  },
  {
    id: 'EV-TESTS-CHANGED',
    requirement: 'A changed expectation is told old → new, and asked about unless its requirement is named.',
    proof: `${NODE} › honest work › EV-TESTS-CHANGED: *`,
  },
  {
    id: 'EV-TESTS-LIE',
    requirement:
      'A test command that cannot fail, and tests that went, are skipped or lost assertions over broken code, do not count.',
    proof: `${NODE} › lies › EV-TESTS-LIE: *`,
  },
  {
    id: 'EV-TESTS-ROOM',
    requirement:
      'Tests run in a clean clone; where base does not pass there, it is given what git ignores, and that is said.',
    proof: [`${NODE} › the room › EV-TESTS-ROOM: *`],
  },
  {
    id: 'EV-TESTS-OFF',
    requirement: 'Each look can be left out by the workflow or on the command line, on record.',
    proof: `${NODE} › the room › EV-TESTS-OFF: *`,
  },
  {
    id: 'EV-TESTS-RUNNERS',
    requirement:
      'Runners are told of test by test without a change of the project: vitest, pytest and cargo for real; jest, mocha and go as recorded.',
    proof: [`${RUNNERS} › EV-TESTS-RUNNERS: *`, 'src/evidence/read-results.test.ts › EV-TESTS-RUNNERS: *'],
  },
  {
    id: 'EV-TESTS-SPEC',
    requirement:
      'spec-implementation sends a changed test script back once, and asks a person at verify if it stands.',
    proof: `${SPEC} › EV-TESTS-SPEC: *`,
  },
  {
    id: 'EV-TESTS-DEFINITIONS',
    requirement: 'What defines the tests is known by file and setting, and what does not is left alone.',
    proof: 'src/evidence/definitions.test.ts › EV-TESTS-DEFINITIONS: *',
  },
  {
    id: 'EV-TESTS-TARGET',
    requirement: 'At most 1 in 50 changes of this repository asks about what defines its tests.',
    proof: 'test/evidence/history.test.ts › EV-TESTS-TARGET: *',
  },
  {
    id: 'EV-TESTS-CANARY',
    requirement: 'A canary is written in the words of the test file, with the assertion that the file uses.',
    proof: 'src/evidence/canary.test.ts › EV-TESTS-CANARY: *',
  },
];
