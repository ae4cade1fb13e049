import type { Requirement } from '../ledger.ts';

const INTEGRITY = 'test/cli/test-integrity.test.ts';
const REPORT = 'src/views/report-basis.test.ts';
const PROGRAMS = 'test/cli/program-gates.test.ts';

/** Issue 14: gates that are programs, and reports that are true. */
export const evidenceGates: Requirement[] = [
  {
    id: 'EV-GATE-TOOLS',
    requirement:
      'eslint, semgrep, ruff and npm audit are gates of five lines: their SARIF, JUnit, JSON and lines become a review.',
    proof: `${PROGRAMS} › EV-GATE-TOOLS: the programs that the documentation shows, with what they print`,
  },
  {
    id: 'EV-GATE-NEVER-RAN',
    requirement: 'A program that did not run, or whose result cannot be read, never approves.',
    proof: `${PROGRAMS} › EV-GATE-NEVER-RAN: a program that did not run approves nothing`,
  },
  {
    id: 'EV-GATE-CLEAN',
    requirement: 'A program that finds nothing approves; all that it printed stays in the log.',
    proof: `${PROGRAMS} › EV-GATE-CLEAN: *`,
  },
  {
    id: 'EV-GATE-LEVELS',
    requirement:
      'The gate maps levels; an error is not critical by itself; only lines of files that are there count.',
    proof: `${PROGRAMS} › EV-GATE-LEVELS: *`,
  },
  {
    id: 'EV-GATE-FIRST',
    requirement: 'Programs look first, and where the step says so a critical finding spares the models.',
    proof: `${PROGRAMS} › EV-GATE-FIRST: programs look first, and can spare the models`,
  },
  {
    id: 'EV-GATE-LOOKS',
    requirement: 'A program that changes files of the workspace fails its gate.',
    proof: `${PROGRAMS} › EV-GATE-LOOKS: *`,
  },
  {
    id: 'EV-GATE-WHEN',
    requirement: '`run`, `files`, `again` and `enabled` say when a program looks, as of any gate.',
    proof: `${PROGRAMS} › EV-GATE-WHEN: *`,
  },
  {
    id: 'EV-GATE-VALUES',
    requirement:
      'A value in the command of a gate is text; where it would be a command, it is refused with its place.',
    proof: `${PROGRAMS} › EV-GATE-VALUES: *`,
  },
  {
    id: 'EV-GATE-CALL',
    requirement: 'A gate may be a handler.',
    proof: `${PROGRAMS} › EV-GATE-CALL: *`,
  },
  {
    id: 'EV-GATE-INTEGRITY',
    requirement:
      'test-integrity finds new skips, only, xfail, fewer tests and assertions, net over the diff; what is moved or replaced is none.',
    proof: `${INTEGRITY} › EV-GATE-INTEGRITY: *`,
  },
  {
    id: 'EV-REPORT-BASIS',
    requirement:
      'Each line of summary, report.md and the data of both says whether it was seen or is claimed.',
    proof: `${REPORT} › whose word it is › EV-REPORT-BASIS: *`,
  },
  {
    id: 'EV-REPORT-DELETED',
    requirement: 'Deleted tests are called deleted.',
    proof: `${REPORT} › EV-REPORT-DELETED: *`,
  },
  {
    id: 'EV-REPORT-REVIEWS',
    requirement:
      'What is no review is not counted as one: no calls of reviews stand beside "No review ran", and a verification is none.',
    proof: `${REPORT} › EV-REPORT-REVIEWS: *`,
  },
  {
    id: 'EV-REPORT-VERIFIER',
    requirement:
      'A completed run whose verifier said exit code 1, failed tests or no tests says so in head and table.',
    proof: `${REPORT} › EV-REPORT-VERIFIER: *`,
  },
];
