// worktrees: checkouts of their own for runs and passes. The only port that writes into the user's repository: a
// branch, a worktree, and what git keeps about them. Never merges, pushes, or removes what nobody asked it to remove.

import type { Worktree } from '../model/entry.ts';

/** Why a run works in place although it asked for a worktree, in a sentence; else where its worktree will be. */
export type Reservation =
  | { kind: 'in-place'; why: string }
  | {
      kind: 'reserved';
      /** The top of the checkout, absolute. */
      project: string;
      /** `<project>/.worktrees/<slug>`, with a number where that was taken. Nobody else gets it. */
      path: string;
      /** From the top of the repository to the workspace; '' for the top itself. */
      inside: string;
      /** What is checked out where one stands: a commit. */
      base: string;
      warnings: string[];
      /** It is not wanted after all. */
      release(): void;
    };

export interface Wanted {
  /** What its folder is called: `.worktrees/<name>`. */
  name: string;
  /** Its branch will be below this: `lockstep/<slug>`. */
  branches: string;
  /** False: `path` is only how the names of others begin, and no folder is kept. */
  keepFolder: boolean;
}

export interface Prepared {
  worktree: Worktree;
  how: 'made' | 'put-back' | 'found';
  warnings: string[];
}

export interface KnownWorktree {
  /** Absolute. */
  path: string;
  /** '' where HEAD is detached. */
  branch: string;
  /** The folder is not there any more; git only remembers it. */
  isGone: boolean;
}

export interface WorktreeFound extends KnownWorktree {
  /** Files with changes that are not committed. */
  dirty: string[];
  /** Commits that no other branch has, here or as last heard of on a remote. */
  ahead: number;
  /** Why somebody locked it, where somebody did. */
  locked?: string;
}

export interface Worktrees {
  /** Whether worktrees can be made there: a sentence that says why not, else undefined. Changes nothing. */
  whyNot(workspace: string): string | undefined;
  /** Chooses a place for a worktree and keeps it. Faults `worktree-refused`, `git-refused`. */
  reserve(workspace: string, wanted: Wanted): Promise<Reservation>;
  /**
   * The worktree is there when it returns, whatever was there before: idempotent. Where the branch is there it is
   * checked out, else it is made: at `base`, or without one at what is checked out in `from`. Faults `worktree-failed`;
   * `worktree-lost` where a branch that was there before (`base` and `wasThere`) is gone.
   */
  ensure(wanted: {
    project: string;
    from: string;
    worktree: Pick<Worktree, 'path' | 'branch'> & { base?: string };
    /** It was made before: without its branch it cannot be put back. */
    wasThere: boolean;
    /** The branch must not be there yet, unless the worktree is. Fault `worktree-failed`. */
    isNew?: boolean;
  }): Promise<Prepared>;
  /** Those below `<project>/.worktrees`. No file in them is looked at. */
  known(project: string): KnownWorktree[];
  /** The same, each with what would be lost with it. */
  list(project: string): Promise<WorktreeFound[]>;
  /**
   * All of them or none: fault `worktree-unsaved` names uncommitted files, or commits that would be gone, unless `force`.
   * With `branch` their branches go, too. Fault `worktree-unknown`. Resolves with what they were before.
   */
  remove(
    project: string,
    paths: readonly string[],
    options: { force: boolean; branch: boolean },
  ): Promise<WorktreeFound[]>;
}
