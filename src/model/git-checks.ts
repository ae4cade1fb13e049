// git-checks: what a run in a worktree of its own is held to by git, and how each of these is called where somebody switches
// it off: `policy.git` in a workflow, `--without` on the command line.

import type { WorkspaceAt } from './command.ts';

/** Each with what it looks after, as `--help` and the docs say it. */
export const GIT_CHECKS = {
  claims: 'files and commits that an answer names are there, and work changed something',
  branch: 'after every step the worktree is on the branch of the run, which goes on from where it was',
  'read-only': 'a step that may not write commits nothing, and what it left is taken away',
  published: 'what is published is what was verified',
  push: 'only a step with `publishes` pushes',
  outside: 'the checkout that the worktree belongs to, its branches and hooks stay as they are',
} as const;

export type GitCheck = keyof typeof GIT_CHECKS;
export const GIT_CHECK_NAMES = Object.keys(GIT_CHECKS) as GitCheck[];

/** What a step that only reads has left behind all the same. */
export interface LeftBehind {
  /** The step. */
  by: string;
  /** The commit that was checked out before it. */
  head: string;
  /** Digests of the tree before it, and after. */
  was: string;
  is: string;
  files: string[];
  /** It wrote into files that held somebody else's uncommitted work: they cannot be put back. */
  mixed?: true;
}

/** What an effect in a worktree of the run is held to. */
export interface GitOrders {
  branch: string;
  /** The commit the worktree was made at. */
  base: string;
  /** Where it stood when the work of this step was first begun; absent: it is begun now. */
  since?: string;
  /** The same, of what is not to be dropped: a step that starts again starts from what it finds. */
  from?: string;
  /** Where the last look at this worktree left it. */
  last?: string;
  /** The checkout that the worktree belongs to. */
  project: WorkspaceAt['root'];
  /** What it looks like is to be told: a step that publishes will be held to it. */
  isVerified?: true;
  /** It may push. */
  publishes?: { verified?: { by: string; head: string; tree: string } };
  left?: LeftBehind;
  /** Switched off. */
  without: readonly GitCheck[];
}

/** What git had when an effect in a worktree of the run was over. */
export interface GitSeen {
  head: string;
  /** Where it stood before, if not there. */
  from?: string;
  /** A digest of all files, for who publishes it. */
  tree?: string;
  /** Why the answer cannot count: it is sent back. One sentence each. */
  missing?: string[];
  /** What a person has to know before it counts. */
  held?: string[];
  /** What is worth telling. */
  notes?: string[];
  /** What changed elsewhere meanwhile, and nothing says that this step did it. */
  meanwhile?: string[];
  /** It changed nothing, and this is why there was nothing to do. */
  nothing?: string;
  left?: LeftBehind;
  /** What a step before it had left is gone, or is a person's now. */
  cleared?: true;
}
