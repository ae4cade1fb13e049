// survey: what a run has left in its workspace, looked at when it stops or when somebody asks. What cannot be known is
// left out: the report then says nothing rather than something wrong.

import type { Worktree } from '../../model/entry.ts';
import type { Workspace, Workspaces } from '../../ports/workspace.ts';
import type { Mask } from '../../runtime/mask.ts';
import type { Survey } from '../../views/report.ts';

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

export async function surveyOf(
  workspace: Pick<Workspace, 'changed' | 'changedSince' | 'commits'>,
  location: string,
  mask: Pick<Mask, 'text'>,
  before?: string,
): Promise<Survey> {
  const filesChanged = await orNothing(async () => {
    const all = await workspace.changed('**');
    if (before === undefined) return all;
    const since = new Set(await workspace.changedSince(before));
    return all.filter((path) => since.has(path));
  });
  const commits = await orNothing(async () => workspace.commits());
  return {
    location,
    ...(filesChanged && { filesChanged: filesChanged.map((path) => mask.text(path)) }),
    ...(commits && { commits: commits.map(({ id, subject }) => ({ id, subject: mask.text(subject) })) }),
  };
}

/** What was committed on the branches of passes and steps that had their own; of a worktree that is gone, nothing. */
export async function surveyBranches(
  workspaces: Pick<Workspaces, 'open'>,
  own: readonly { worktree: Worktree }[],
  mask: Pick<Mask, 'text'>,
): Promise<Pick<Survey, 'branches'>> {
  if (own.length === 0) return {};
  const looked = own.map(async ({ worktree: { path, branch, base } }) => {
    const commits = await orNothing(async () => workspaces.open(path, base).commits());
    if (!commits) return [];
    const told = commits.map(({ id, subject }) => ({ id, subject: mask.text(subject) }));
    return [[branch, told] as const];
  });
  return { branches: new Map((await Promise.all(looked)).flat()) };
}

/** Not a git repository, or gone. */
async function orNothing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch {
    return undefined;
  }
}
