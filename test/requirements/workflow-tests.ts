import type { Requirement } from '../ledger.ts';

const command = 'test/testing/test-command.test.ts › lockstep test ›';
const record = 'test/testing/test-command.test.ts › lockstep record ›';

export const workflowTests: Requirement[] = [
  // ── Tests of workflows ──
  {
    id: 'LS-TEST-FORMAT',
    requirement: 'A test file is checked with positions, and all its problems are told at once.',
    proof: 'src/compile/workflow-test.test.ts › a test file › LS-TEST-FORMAT: *',
  },
  {
    id: 'LS-TEST-SCHEMA',
    requirement: '`lockstep schema test` prints a JSON Schema that every test that ships fits.',
    proof: 'test/examples-schema.test.ts › LS-PROJECT-EXAMPLES, LS-TEST-SCHEMA: *',
  },
  {
    id: 'LS-TEST-RUN',
    requirement:
      'A case is played in a scratch project, and path, status, steps, outputs, vars, files, skips, questions, prompts and commits can be expected.',
    proof: `${command} LS-TEST-RUN: *`,
  },
  {
    id: 'LS-TEST-FAULTS',
    requirement:
      'Time-outs, malformed answers, errors and crashes can be injected at a step, without waiting.',
    proof: `${command} LS-TEST-FAULTS: *`,
  },
  {
    id: 'LS-TEST-CRASH-REAL',
    requirement: 'A crash in a test leaves what a SIGKILL at that moment leaves, and comes to the same end.',
    proof: 'test/testing/crash.test.ts › a crash › X2, K1, K2, LS-TEST-CRASH-REAL: *',
  },
  {
    id: 'LS-TEST-EVERYWHERE',
    requirement:
      'A case can be played with a crash at every step, and a step that must not be done twice is found.',
    proof: `${command} LS-TEST-EVERYWHERE: *`,
  },
  {
    id: 'LS-TEST-MISTAKES',
    requirement:
      'A fault that never happens, a reply nobody asked for or a stand-in that is never used fails the case.',
    proof: `${command} LS-TEST-MISTAKES: *`,
  },
  {
    id: 'LS-TEST-DIFF',
    requirement: 'A failed case says where expected and actual part.',
    proof: [
      'src/testing/compare-path.test.ts › showParting › LS-TEST-DIFF: *',
      'src/testing/compare-value.test.ts › differences › LS-TEST-DIFF: *',
    ],
  },
  {
    id: 'LS-TEST-KEPT',
    requirement: 'What a failed case left, its journal above all, is kept and named.',
    proof: `${command} LS-TEST-KEPT: *`,
  },
  {
    id: 'LS-TEST-EXIT',
    requirement: '`lockstep test` ends with 0, 1 or 2: passed, failed, cannot be read.',
    proof: `${command} LS-TEST-EXIT: *`,
  },
  {
    id: 'LS-TEST-OUTPUT',
    requirement: '-t chooses cases; --json and --junit tell the results to programs.',
    proof: `${command} LS-TEST-OUTPUT: *`,
  },
  {
    id: 'LS-TEST-JUNIT',
    requirement: 'JUnit output is valid XML, whatever the names and messages hold.',
    proof: 'src/testing/junit.test.ts › junit › LS-TEST-JUNIT: *',
  },
  {
    id: 'LS-TEST-ALONE',
    requirement: 'A case starts no client and sees no setting of whoever runs it.',
    proof: `${command} LS-TEST-ALONE: *`,
  },
  {
    id: 'LS-TEST-BUILTIN',
    requirement: 'Every built-in workflow ships with tests, and passes them.',
    proof: 'test/testing/builtin.test.ts › * › LS-TEST-BUILTIN: passes all its tests',
  },
  {
    id: 'LS-TEST-BUILTIN-CRASH',
    requirement: 'Every built-in workflow, killed at every step, comes to the same end.',
    proof: 'test/testing/builtin.test.ts › * › LS-TEST-BUILTIN-CRASH: *',
  },
  {
    id: 'LS-TEST-BUILTIN-UNHAPPY',
    requirement:
      'The tests of spec-implementation have the unhappy ways: exhausted reviews, failing tests, blockers, skips, a dry run.',
    proof: 'test/testing/builtin.test.ts › LS-TEST-BUILTIN-UNHAPPY: *',
  },
  {
    id: 'LS-REC-PASSES',
    requirement: '`lockstep record` writes a test from a run, and it passes.',
    proof: `${record} LS-REC-PASSES: *`,
  },
  {
    id: 'LS-REC-IN-PLACE',
    requirement: 'A test recorded from a run without git, or before the first commit, passes as well.',
    proof: `${record} LS-REC-IN-PLACE: *`,
  },
  {
    id: 'LS-REC-RESUMED',
    requirement: 'What no test can play again, a run that failed and was resumed, is said in a sentence.',
    proof: `${record} LS-REC-RESUMED: *`,
  },
  {
    id: 'LS-REC-CONTENT',
    requirement:
      'A recorded test has what agents answered, wrote and committed, what commands came to and people said.',
    proof: `${record} LS-REC-CONTENT: *`,
  },
  {
    id: 'LS-REC-SECRETS',
    requirement: 'No secret is in a recorded test, not even from a file.',
    proof: `${record} LS-REC-SECRETS: *`,
  },
  {
    id: 'LS-REC-SAME',
    requirement: 'Recording a run twice gives the same test.',
    proof: `${record} LS-REC-SAME: *`,
  },
  {
    id: 'LS-REC-REFUSED',
    requirement: 'Nothing is overwritten, and a run that is not over is not recorded.',
    proof: `${record} LS-REC-REFUSED: *`,
  },
];
