// fold-git: what is remembered of what git had. A file of its own, so that `fold` needs no expressions: the page folds in the
// browser, and CEL would be most of what it loads.

import type { Outcome } from '../model/entry.ts';
import type { LeftBehind } from '../model/git-checks.ts';
import type { OpenStep, State } from '../model/state.ts';
import { worktreeOf } from './worktree.ts';

/** What git had when an effect was over. */
export function foldGit(state: State, open: OpenStep, { git }: Outcome): void {
  const path = (worktreeOf(open) ?? state.worktree)?.path;
  if (!git || path === undefined) return;
  state.heads.set(path, git.head);
  open.gitSince ??= git.from ?? git.head;
  open.gitFrom ??= git.from ?? git.head;
  if (git.tree !== undefined) open.gitSeen = { head: git.head, tree: git.tree };
  if (git.cleared) state.left.delete(path);
  if (git.left) state.left.set(path, together(state.left.get(path), git.left));
}

/** Several that ran at once may each have seen a part of it: what was there before the first of them counts. */
function together(before: LeftBehind | undefined, now: LeftBehind): LeftBehind {
  if (!before) return now;
  const files = [...new Set([...before.files, ...now.files])];
  const mixed = (before.mixed ?? now.mixed) && { mixed: true as const };
  return { ...before, is: now.is, files, ...mixed };
}
