// survey: what a run has left in its workspace, looked at when it stops or when somebody asks. What cannot be known is
// left out: the report then says nothing rather than something wrong.

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

/** `workspace`: the one that it works in. Of passes and steps that had their own, what is on their branches. */
export function surveyRun(
  workspaces: Pick<Workspaces, 'open'>,
  workspace: Pick<Workspace, 'changed' | 'changedSince' | 'commits'>,
  { location, mask, pinned, view }: { location: string; mask: Mask; pinned: Pinned; view: RunView },
): Survey {
  const { before } = pinned;
  const filesChanged = orNothing(() => {
    const all = workspace.changed('**');
    if (before === undefined) return all;
    const since = new Set(workspace.changedSince(before));
    return all.filter((path) => since.has(path));
  });
  const committed = (where: () => Pick<Workspace, 'commits'>) =>
    orNothing(() =>
      where()
        .commits()
        .map(({ id, subject }) => ({ id, subject: mask.text(subject) })),
    );
  const commits = committed(() => workspace);
  const own = view.outline.notes.worktrees.kept;
  const branches = own.flatMap(({ worktree: { path, branch, base } }) => {
    const told = committed(() => workspaces.open(path, base));
    return told ? [[branch, told] as const] : [];
  });
  return {
    location,
    ...(filesChanged && { filesChanged: filesChanged.map((path) => mask.text(path)) }),
    ...(commits && { commits }),
    ...(own.length > 0 && { branches: new Map(branches) }),
  };
}

/** Not a git repository, or gone. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
