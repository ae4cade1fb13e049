import type { Requirement } from '../ledger.ts';

const REPORT = 'src/views/report.test.ts › the report of a run';

export const report: Requirement[] = [
  {
    id: 'LS-RPT-RUN',
    requirement:
      'report.md is written when a run completes, pauses or fails; `lockstep report` and the end of the run on the screen say the same.',
    proof: ['test/cli/report.test.ts › the report › *LS-RPT-RUN*', `${REPORT} › reads well: *`],
  },
  {
    id: 'LS-RPT-BEFORE',
    requirement:
      'What was changed before a run in place began is not told as changed by it, and issues of the tracker never are.',
    proof: ['src/hosting/worktree.test.ts › a run in a worktree › LS-RPT-BEFORE: *'],
  },
  {
    id: 'LS-RPT-CLAIMS',
    requirement: 'What an agent claims of tests stands beside what Lockstep saw, and is called a claim.',
    proof: [`${REPORT} › RP1: what an agent claims stands beside what Lockstep saw, and is called a claim`],
  },
  {
    id: 'LS-RPT-REVIEWS',
    requirement: 'Reviews are told by gate and round, with what is settled, open and left out.',
    proof: [`${REPORT} › LS-RPT-REVIEWS: *`],
  },
  {
    id: 'LS-RPT-COST',
    requirement: 'The summary and the report say what reviews cost: calls, tokens, money, and their share.',
    proof: [`${REPORT} › LS-RPT-COST: *`, 'test/cli/report.test.ts › the report › *LS-RPT-RUN*'],
  },
  {
    id: 'LS-RPT-COMMITS',
    requirement: 'The report names the commits made since the start of the run.',
    proof: [
      'src/workspaces/git/git-workspaces.test.ts › *commits since the start, oldest first, in any letters; none before the first one',
    ],
  },
  {
    id: 'LS-RPT-BOUNDED',
    requirement: 'The report of a run of many steps is bounded, and says how many steps it does not tell.',
    proof: [`${REPORT} › is bounded, however many steps there were, and says how many are not told`],
  },
];
