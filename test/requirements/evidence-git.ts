// evidence-git: what agents say of git is held against git (docs/evidence.md).

import type { Requirement } from '../ledger.ts';

const LIES = 'test/cli/git-lies.test.ts';

export const evidenceGit: Requirement[] = [
  {
    id: 'EV-GIT-CLAIMS',
    requirement:
      'In a worktree of the run an answer that names files or commits which git does not have, or that changed nothing, is sent back; so is `pushed: true` where no remote has the branch.',
    proof: [`${LIES} › EV-GIT-CLAIMS: *`, 'src/runtime/perform/git-claims.test.ts › *'],
  },
  {
    id: 'EV-GIT-NOTHING',
    requirement:
      'Work that changed nothing counts where the answer says why, and summary, report and audit show it.',
    proof: `${LIES} › EV-GIT-CLAIMS: * › EV-GIT-NOTHING: *`,
  },
  {
    id: 'EV-GIT-HIDDEN',
    requirement:
      'Every look at git sees through assume-unchanged, skip-worktree, excludes that were added, replaced objects, grafts, core.worktree and status settings.',
    proof: `${LIES} › EV-GIT-HIDDEN: *`,
  },
  {
    id: 'EV-GIT-BRANCH',
    requirement:
      'After every step the worktree is on the branch of the run and goes on from where it was; else the step fails, says what to do, and a resume waits for it.',
    proof: `${LIES} › EV-GIT-BRANCH: *`,
  },
  {
    id: 'EV-GIT-READ-ONLY',
    requirement:
      'A step that may not write may not commit; what it left is taken away before the next one begins, unless somebody touched it since.',
    proof: `${LIES} › EV-GIT-READ-ONLY: *`,
  },
  {
    id: 'EV-GIT-PUBLISHED',
    requirement:
      'A step with `publishes: x` begins and ends at the commit and the files that x saw, and has no tool to write.',
    proof: `${LIES} › EV-GIT-PUBLISHED: *`,
  },
  {
    id: 'EV-GIT-PUSH',
    requirement:
      'Other steps meet a fence that names who pushes; pushes past it are found by references and by asking the remotes. Repositories of tests and hooks of the person work.',
    proof: [`${LIES} › EV-GIT-PUSH: *`, 'src/workspaces/git/push-fence.test.ts › *'],
  },
  {
    id: 'EV-GIT-OUTSIDE',
    requirement:
      'What changes outside the worktree around a step is shown, and holds the run where it shows that the step did it; a person who works on is not asked.',
    proof: [`${LIES} › EV-GIT-OUTSIDE: *`, 'src/runtime/perform/git-outside.test.ts › *'],
  },
  {
    id: 'EV-GIT-OFF',
    requirement: 'Each of these checks can be switched off, by the workflow or for one run, on record.',
    proof: `${LIES} › EV-GIT-OFF: *`,
  },
];
