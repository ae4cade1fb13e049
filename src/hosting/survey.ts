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
export async function beforeIn(
  workspace: Pick<Workspace, 'changed' | 'fingerprint'>,
): Promise<{ before?: string }> {
  const isDirty = await orNothing(async () => (await workspace.changed('**')).length > 0);
  const before = isDirty ? await orNothing(() => workspace.fingerprint()) : undefined;
  return before === undefined || before.length > LARGEST_BEFORE ? {} : { before };
}

/** `workspace`: the one that it works in. Of passes and steps that had their own, what is on their branches. */
export async function surveyRun(
  workspaces: Pick<Workspaces, 'open'>,
  workspace: Pick<Workspace, 'changed' | 'changedSince' | 'commits' | 'exists'>,
  { location, mask, pinned, view }: { location: string; mask: Mask; pinned: Pinned; view: RunView },
): Promise<Survey> {
  const { before } = pinned;
  const filesChanged = await orNothing(async () => {
    const all = await workspace.changed('**');
    if (before === undefined) return all;
    const since = new Set(await workspace.changedSince(before));
    return all.filter((path) => since.has(path));
  });
  const filesDeleted = await orNothing(async () => filesChanged?.filter((path) => !workspace.exists(path)));
  const committed = (where: () => Pick<Workspace, 'commits'>) =>
    orNothing(async () =>
      where()
        .commits()
        .map(({ id, subject }) => ({ id, subject: mask.text(subject) })),
    );
  const commits = await committed(() => workspace);
  const own = view.outline.notes.worktrees.kept;
  const branches = await Promise.all(
    own.map(async ({ worktree: { path, branch, base } }) => {
      const told = await committed(() => workspaces.open(path, base));
      return told ? [[branch, told] as const] : [];
    }),
  );
  return {
    location,
    ...(filesChanged && { filesChanged: filesChanged.map((path) => mask.text(path)) }),
    ...(filesDeleted &&
      filesDeleted.length > 0 && { filesDeleted: filesDeleted.map((path) => mask.text(path)) }),
    ...(commits && { commits }),
    ...(own.length > 0 && { branches: new Map(branches.flat()) }),
  };
}

/** Not a git repository, or gone. */
async function orNothing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch {
    return undefined;
  }
}
