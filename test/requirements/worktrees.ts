import type { Requirement } from '../ledger.ts';

const GIT = 'src/workspaces/git/git-worktrees.test.ts';
const ENGINE = 'src/engine/worktree.test.ts';
const DRIVE = 'src/hosting/worktree.test.ts';
const CLI = 'test/cli/worktree.test.ts';

export const worktrees: Requirement[] = [
  {
    id: 'LS-WT-PLACE',
    requirement:
      'A worktree goes to .worktrees/<slug>/, with a number where that is taken, however many start at once; nothing of it shows in git status, files() or changed().',
    proof: [`${GIT} › a place for a worktree › *LS-WT-PLACE*`, `${GIT} › a place for a worktree › WT2: *`],
  },
  {
    id: 'LS-WT-SLUG',
    requirement:
      'It is called after the id or title of the specification, else its file, else the workflow: lower-case ASCII, at most 50 characters.',
    proof: ['src/hosting/slug.test.ts › what a worktree is called after'],
  },
  {
    id: 'LS-WT-NONE',
    requirement:
      'No repository, no git, no commit yet: the run works in place, with a warning on record, and what asked for a worktree takes turns.',
    proof: [
      `${GIT} › a place for a worktree › LS-WT-NONE: no git: works in place, and says why`,
      `${GIT} › a place for a worktree › *no repository*`,
      `${GIT} › a place for a worktree › *no commit yet*`,
      `${ENGINE} › where none can be made › it works where the run does, and what asked for one takes turns (rule 6)`,
      `${DRIVE} › a run in a worktree › *no repository*`,
    ],
  },
  {
    id: 'LS-WT-DIRTY',
    requirement: 'Changes that are not committed are not in the worktree, and a warning names up to five.',
    proof: [`${GIT} › a place for a worktree › LS-WT-DIRTY*`],
  },
  {
    id: 'LS-WT-DETACHED',
    requirement: 'With a detached HEAD the branch starts from that commit.',
    proof: [`${GIT} › a place for a worktree › LS-WT-DETACHED*`],
  },
  {
    id: 'LS-WT-BARE',
    requirement: 'In a bare repository the worktree starts from its HEAD.',
    proof: [`${GIT} › a place for a worktree › LS-WT-BARE*`],
  },
  {
    id: 'LS-WT-SUBMODULES',
    requirement:
      'Submodules that are checked out are in the worktree, without the network; one that cannot be had is named in a warning.',
    proof: [`${GIT} › submodules`],
  },
  {
    id: 'LS-WT-BRANCH-TAKEN',
    requirement: 'A branch that leaves no room for ours is named before anything is made.',
    proof: [`${GIT} › a place for a worktree › LS-WT-BRANCH-TAKEN*`],
  },
  {
    id: 'LS-WT-EACH',
    requirement:
      'each with `workspace: worktree` has a worktree and a branch per pass; all that happens in the pass happens there, called workflows included; the result has the branch.',
    proof: [
      `${ENGINE} › workspace: worktree on a step`,
      `${DRIVE} › each with a worktree per pass › *`,
      `${DRIVE} › crash and resume › LS-WT-EACH*`,
    ],
  },
  {
    id: 'LS-WT-CRASH',
    requirement:
      'Killed anywhere, while a worktree is made too, a resume goes on in the same worktrees, and no finished step runs twice.',
    proof: [
      `${ENGINE} › crash and resume`,
      `${GIT} › being there › WT3: killed *`,
      `${DRIVE} › crash and resume › LS-WT-CRASH*`,
      `${CLI} › SIGKILL`,
    ],
  },
  {
    id: 'LS-WT-PUT-BACK',
    requirement: 'A worktree that somebody removed is put back from its branch at a resume.',
    proof: [`${GIT} › being there › LS-WT-PUT-BACK*`, `${DRIVE} › crash and resume › LS-WT-PUT-BACK*`],
  },
  {
    id: 'LS-WT-LOST',
    requirement:
      'Without its branch a worktree cannot be put back: the resume says so, and the run is as it was.',
    proof: [`${GIT} › being there › LS-WT-LOST*`, `${DRIVE} › crash and resume › LS-WT-LOST*`],
  },
  {
    id: 'LS-WT-PROJECT',
    requirement: 'Standing in a worktree of ours, the runs of the checkout it was made for are found.',
    proof: [`${GIT} › the project of a worktree › LS-WT-PROJECT*`],
  },
  {
    id: 'LS-WT-MOVED',
    requirement:
      'A project that was moved with its runs is told from one that was not, for runs in worktrees too.',
    proof: [`${DRIVE} › LS-WT-MOVED*`],
  },
  {
    id: 'LS-WT-LIST',
    requirement:
      '`lockstep worktree list` shows path, branch, run, its status, files not committed and commits that nothing else has.',
    proof: [`${GIT} › looking after them › LS-WT-LIST*`, `${CLI} › lockstep worktree › *`],
  },
  {
    id: 'LS-WT-REMOVE',
    requirement:
      '`lockstep worktree remove` loses no work unless forced; of several all are removed or none; --branch takes the branch too.',
    proof: [`${GIT} › looking after them › LS-WT-REMOVE*`],
  },
  {
    id: 'LS-WT-CLI',
    requirement: 'Worktrees through the command: run, status in it, list, remove; never under a run at work.',
    proof: [`${CLI} › lockstep worktree`],
  },
];
