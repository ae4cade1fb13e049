// worktree-upkeep: what worktrees of ours there are, and getting rid of one. Nothing that exists only there goes with it
// unless somebody says so.

import { join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import type { KnownWorktree, WorktreeFound, Worktrees } from '../../ports/worktrees.ts';
import { isWithin } from '../boundary.ts';
import { changesIn } from './changes.ts';
import type { Setting } from './config-text.ts';
import { findRepository } from './repository.ts';
import { askGit, runGitAside } from './run-git.ts';
import { type RegisteredWorktree, readWorktrees, realPath } from './worktree-list.ts';

const MOST_NAMED = 5;

/** Looks at so many at once: each makes git read a whole work tree. */
const AT_ONCE = 4;

export function knownWorktrees(project: string): KnownWorktree[] {
  return oursIn(project).map(({ path, branch, isGone }) => ({ path, branch, isGone }));
}

export async function listWorktrees(project: string): Promise<WorktreeFound[]> {
  return await lookAtAll(project, oursIn(project));
}

function oursIn(project: string): RegisteredWorktree[] {
  const folder = realPath(join(project, '.worktrees'));
  return readWorktrees(project).filter(({ path }) => path !== folder && isWithin(folder, path));
}

async function lookAtAll(project: string, all: readonly RegisteredWorktree[]): Promise<WorktreeFound[]> {
  const found: WorktreeFound[] = [];
  const left = all.entries();
  const work = async () => {
    for (const [index, each] of left) found[index] = await lookAt(project, each);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

async function lookAt(project: string, each: RegisteredWorktree): Promise<WorktreeFound> {
  const { path, branch, isGone, locked } = each;
  const [dirty, ahead] = await Promise.all([isGone ? [] : changesIn(path), commitsOnlyIn(project, each)]);
  return { path, branch, isGone, dirty, ahead, ...(locked !== undefined && { locked }) };
}

/** Commits that would be gone with it: no other branch has them, no remote as last heard of, no tag. */
async function commitsOnlyIn(project: string, { branch, head }: RegisteredWorktree): Promise<number> {
  if (head === '') return 0;
  const others = [...(branch === '' ? [] : [`--exclude=${branch}`]), '--branches', '--remotes', '--tags'];
  return Number((await runGitAside(project, ['rev-list', '--count', head, '--not', ...others])).trim());
}

export async function removeWorktrees(
  project: string,
  paths: readonly string[],
  { force, branch: withBranch }: Parameters<Worktrees['remove']>[2],
): Promise<WorktreeFound[]> {
  const known = readWorktrees(project);
  const named = paths.map((path) => {
    const place = realPath(path);
    const each = known.find((one) => one.path === place);
    if (each === undefined) throw unknown(project, path);
    return each;
  });
  const chosen = await lookAtAll(project, named);
  if (!force) for (const each of chosen) refuseUnsaved(each, withBranch);
  for (const { path, branch } of chosen) {
    // It was asked for: git itself would not remove one with submodules, or one that is locked.
    await runGitAside(project, ['worktree', 'remove', '--force', '--force', path], { writes: true });
    if (withBranch && branch !== '' && hasBranch(project, branch)) removeBranch(project, branch);
  }
  return chosen;
}

/** Git was shown none of the repository's settings, so those about the branch are removed apart. */
function removeBranch(project: string, branch: string): void {
  askGit(project, ['branch', '--quiet', '-D', '--', branch], { writes: true });
  const repository = findRepository(project);
  const isKnown = ({ section, subsection }: Setting) => section === 'branch' && subsection === branch;
  if (!repository?.settings.common.some(isKnown)) return;
  const file = join(repository.common, 'config');
  askGit(project, ['config', '--file', file, '--remove-section', `branch.${branch}`], { writes: true });
}

function hasBranch(project: string, branch: string): boolean {
  return askGit(project, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]) !== undefined;
}

function unknown(project: string, path: string): Fault {
  return new Fault('worktree-unknown', `${path} is not a worktree of ${project}`, {
    hint: 'lockstep worktree list shows those there are.',
    exitCode: 2,
  });
}

function refuseUnsaved({ path, dirty, ahead, branch, locked }: WorktreeFound, withBranch: boolean): void {
  const reasons: string[] = [];
  if (locked !== undefined) reasons.push(`somebody locked it${locked === '' ? '' : ` (${locked})`}`);
  if (dirty.length > 0) {
    const more = dirty.length > MOST_NAMED ? ` and ${dirty.length - MOST_NAMED} more` : '';
    reasons.push(`it has changes that are not committed (${dirty.slice(0, MOST_NAMED).join(', ')}${more})`);
  }
  const commits = ahead === 1 ? '1 commit' : `${ahead} commits`;
  if (ahead > 0 && branch === '') reasons.push(`it has ${commits} that no branch has`);
  else if (ahead > 0 && withBranch) reasons.push(`its branch ${branch} has ${commits} that nothing else has`);
  if (reasons.length === 0) return;
  throw new Fault('worktree-unsaved', `${path} was not removed: ${reasons.join('; ')}`, {
    hint: 'Commit, merge or push what is worth it; --force removes it all the same.',
    exitCode: 2,
  });
}
