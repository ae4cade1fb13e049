// survey: what a run has left in its workspace, looked at when it stops or when somebody asks. What cannot be known is
// left out: the report then says nothing rather than something wrong.

import type { Worktree } from '../model/entry.ts';
import type { Workspace, Workspaces } from '../ports/workspace.ts';
import type { Mask } from '../runtime/mask.ts';
import type { Survey } from '../views/report.ts';
import type { RunView } from '../views/run-view.ts';
import type { Pinned } from './pinned.ts';

/** More is not kept: then whatever differs from the last commit counts as changed. */
const LARGEST_BEFORE = 2 ** 20;

/** What had been changed before the run began is none of its doing, unless it changes it again. */
export function beforeIn(workspace: Pick<Workspace, 'changed' | 'fingerprint'>): { before?: string } {
  const isDirty = orNothing(() => workspace.changed('**').length > 0);
  const before = isDirty ? orNothing(() => workspace.fingerprint()) : undefined;
  return before === undefined || before.length > LARGEST_BEFORE ? {} : { before };
}

export interface Surveyed {
  workspace: Pick<Workspace, 'changed' | 'changedSince' | 'commits'>;
  /** Where the run lies. */
  location: string;
  mask: Pick<Mask, 'text'>;
  pinned: Pinned;
  view: RunView;
}

export function surveyRun(workspaces: Pick<Workspaces, 'open'>, run: Surveyed): Survey {
  const { workspace, location, mask, pinned, view } = run;
  return {
    ...surveyOf(workspace, location, mask, pinned.before),
    ...surveyBranches(workspaces, view.outline.notes.worktrees.kept, mask),
  };
}

function surveyOf(
  workspace: Pick<Workspace, 'changed' | 'changedSince' | 'commits'>,
  location: string,
  mask: Pick<Mask, 'text'>,
  before?: string,
): Survey {
  const filesChanged = orNothing(() => {
    const all = workspace.changed('**');
    if (before === undefined) return all;
    const since = new Set(workspace.changedSince(before));
    return all.filter((path) => since.has(path));
  });
  const commits = orNothing(() => workspace.commits());
  return {
    location,
    ...(filesChanged && { filesChanged: filesChanged.map((path) => mask.text(path)) }),
    ...(commits && { commits: commits.map(({ id, subject }) => ({ id, subject: mask.text(subject) })) }),
  };
}

/** What was committed on the branches of passes and steps that had their own; of a worktree that is gone, nothing. */
function surveyBranches(
  workspaces: Pick<Workspaces, 'open'>,
  own: readonly { worktree: Worktree }[],
  mask: Pick<Mask, 'text'>,
): Pick<Survey, 'branches'> {
  if (own.length === 0) return {};
  const looked = own.flatMap(({ worktree: { path, branch, base } }) => {
    const commits = orNothing(() => workspaces.open(path, base).commits());
    if (!commits) return [];
    const told = commits.map(({ id, subject }) => ({ id, subject: mask.text(subject) }));
    return [[branch, told] as const];
  });
  return { branches: new Map(looked) };
}

/** Not a git repository, or gone. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
