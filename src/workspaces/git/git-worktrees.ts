// git-worktrees: checkouts of their own for runs, below `.worktrees/` of the project.
// Owns: where they go, that they are there, that nothing of value goes with one. Never: merges, pushes, commits; touches
// a worktree or a branch that is not asked for by name.
//
// WT2. A place is given to one run only, however many start at once: its folder is made, and one that is there is not.
// WT3. `ensure` may be cut short anywhere and done again: what a killed git left half made is made anew, since nobody
//      can have worked in it yet; what is whole is left as it is.
// WT4. Nothing of `.worktrees/` shows in git status of the project.

import { lstatSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Worktree } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { Prepared, Reservation, Wanted, Worktrees } from '../../ports/worktrees.ts';
import { openBoundary } from '../boundary.ts';
import { findGitRoot } from '../git-root.ts';
import { isInstalled } from '../is-installed.ts';
import { changesIn } from './changes.ts';
import { expectBranch } from './repository-watch.ts';
import { askGit, changeWithGit, runGit } from './run-git.ts';
import { prepareSubmodules } from './submodules.ts';
import { keepSparse, linkWorktree, unlockWorktree } from './worktree-link.ts';
import { HALF_MADE, type RegisteredWorktree, readWorktrees, realPath } from './worktree-list.ts';
import { knownWorktrees, listWorktrees, removeWorktrees } from './worktree-upkeep.ts';

const FOLDER = '.worktrees';
const MOST_NAMED = 5;
/** Somebody who has this many of one name has another problem. */
const MOST_NUMBERED = 10_000;

/** `standing`: where a person stands. In a worktree of the project, what is checked out there is what a run starts from. */
export function gitWorktrees({ standing }: { standing?: string } = {}): Worktrees {
  // One after the other: git takes locks for it, and who finds one taken gives up.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: Worktrees['ensure'] = (wanted) => {
    const next = last.then(() => ensure(wanted));
    last = next.catch(() => {});
    return next;
  };
  return {
    whyNot,
    reserve: (workspace, wanted) => reserve(workspace, wanted, standing),
    ensure: inTurn,
    known: knownWorktrees,
    list: listWorktrees,
    remove: removeWorktrees,
  };
}

function whyNot(workspace: string): string | undefined {
  const start = startOf(workspace);
  return 'why' in start ? start.why : undefined;
}

/** What a worktree would start from, or why there can be none. */
function startOf(workspace: string): { base: string } | { why: string } {
  if (!isInstalled('git')) return { why: 'git is not installed, or not in PATH' };
  try {
    const base = headOf(openBoundary(workspace).real);
    if (base !== undefined) return { base };
    return { why: 'the repository has no commit yet that a worktree could start from' };
  } catch (error) {
    if (error instanceof Fault && error.code === 'not-a-git-repository')
      return { why: `${workspace} is not in a git repository` };
    throw error;
  }
}

function headOf(folder: string): string | undefined {
  return askGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])?.trim();
}

// ── A place ─────────────────────────────────────────────────────────────────────────────────────

async function reserve(
  workspace: string,
  wanted: Wanted,
  standing: string | undefined,
): Promise<Reservation> {
  const start = startOf(workspace);
  if ('why' in start) return { kind: 'in-place', why: start.why };
  const { project, inside } = topOf(workspace);
  // Without a folder of its own a run works in the checkout of the project, wherever one stands.
  const around = wanted.keepFolder && standing !== undefined ? worktreeAround(project, standing) : undefined;
  refuseTakenBranch(project, wanted.branches);
  const warnings = around ? [around.told, ...(await leftBehind(around.path))] : await leftBehind(workspace);
  const folder = worktreesFolder(project);
  const isTaken = takenNames(project, folder);
  const reserved = wanted.keepFolder ? makeFolder(folder, wanted.name, isTaken) : join(folder, wanted.name);
  return {
    kind: 'reserved',
    project,
    inside,
    path: reserved,
    base: around?.base ?? start.base,
    warnings,
    release() {
      if (wanted.keepFolder) rmdirSync(reserved);
    },
  };
}

/** The worktree below `.worktrees/` that one stands in, and what a run that starts there starts from. */
function worktreeAround(
  project: string,
  standing: string,
): { path: string; base: string; told: string } | undefined {
  const folder = realPath(join(project, FOLDER));
  const here = realPath(standing);
  if (!here.startsWith(`${folder}/`)) return undefined;
  const found = readWorktrees(project).find(
    ({ path, isGone }) =>
      !isGone && dirname(path) === folder && (here === path || here.startsWith(`${path}/`)),
  );
  const base = found && headOf(found.path);
  if (!found || base === undefined) return undefined;
  const what = found.branch === '' ? `commit ${base.slice(0, 12)}` : `branch ${found.branch}`;
  const told = `this run starts from ${what} of the worktree ${found.path}, where it was started, not from what the project has checked out`;
  return { path: found.path, base, told };
}

/** In a bare repository nothing is checked out: worktrees are what one works in. */
function topOf(workspace: string): { project: string; inside: string } {
  const asked = ['rev-parse', '--is-bare-repository', '--absolute-git-dir', '--show-prefix'];
  const [isBare, folder = '', prefix = ''] = text(runGit(workspace, asked)).split('\n');
  if (isBare === 'true') return { project: findGitRoot(workspace)?.top ?? folder, inside: '' };
  const inside = prefix.replace(/\/$/, '');
  // As it was given, where that is the top: it may be reached through a link.
  if (inside === '') return { project: resolve(workspace), inside };
  return { project: text(runGit(workspace, ['rev-parse', '--show-toplevel'])).replace(/\n$/, ''), inside };
}

/** A branch `lockstep` leaves no room for `lockstep/…`: git keeps branches like files in folders. */
function refuseTakenBranch(project: string, ours: string): void {
  const inTheWay = ours.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  const asked = inTheWay.map((branch) => `refs/heads/${branch}`);
  const there = runGit(project, ['for-each-ref', '--format=%(refname)', ...asked]).split('\n');
  const branch = inTheWay.find((_, index) => there.includes(asked[index] as string));
  if (branch === undefined) return;
  throw new Fault(
    'worktree-refused',
    `there is a branch "${branch}", so git cannot make "${ours}/…" beside it`,
    {
      hint: `Rename it (git branch -m ${branch} …), or give branches of worktrees another beginning: policy: { branch_prefix: … }.`,
      exitCode: 2,
    },
  );
}

function commitOf(project: string, branch: string): string | undefined {
  return askGit(project, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`])?.trim();
}

/** With a `.gitignore` of its own, so that nothing in it shows in the project (WT4). */
function worktreesFolder(project: string): string {
  const folder = join(project, FOLDER);
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) {
    const why = there.isSymbolicLink()
      ? 'is a link: worktrees would be made somewhere else'
      : 'is no folder: worktrees are made in it';
    throw new Fault('worktree-refused', `${folder} ${why}`, {
      hint: 'Put a folder in its place, or take it away.',
      exitCode: 2,
    });
  }
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return folder;
}

/** By names that are there, that git remembers, or that worktrees of passes begin with (`spec-execute-0`). */
function takenNames(project: string, folder: string): (name: string) => boolean {
  const real = realPath(folder);
  const names = readdirSync(folder);
  for (const { path } of readWorktrees(project))
    if (dirname(path) === real || dirname(path) === folder) names.push(basename(path));
  return (name) =>
    names.some(
      (taken) =>
        taken === name || (taken.startsWith(`${name}-`) && !/^\d+$/.test(taken.slice(name.length + 1))),
    );
}

function makeFolder(folder: string, wanted: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; number < MOST_NUMBERED; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (isTaken(name)) continue;
    try {
      mkdirSync(join(folder, name));
      return join(folder, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Fault('worktree-refused', `${folder} is full of "${wanted}-…"`, {
    hint: 'Look at them with `lockstep worktree list`, and remove those that nobody needs.',
  });
}

/** What a person sees in the project and will not find in the worktree. */
async function leftBehind(workspace: string): Promise<string[]> {
  let files: string[];
  try {
    files = (await changesIn(workspace)).filter((path) => !/^\.(lockstep|worktrees)(\/|$)/.test(path));
  } catch {
    return []; // a bare repository has no files to leave behind
  }
  if (files.length === 0) return [];
  const named = files.slice(0, MOST_NAMED).join(', ');
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
  const [what, is] = files.length === 1 ? ['a change that is', 'is'] : ['changes that are', 'are'];
  return [
    `${what} not committed ${is} not in the worktree, which starts from the last commit: ${named}${more}`,
  ];
}

// ── Being there ─────────────────────────────────────────────────────────────────────────────────

async function ensure(wanted: Parameters<Worktrees['ensure']>[0]): Promise<Prepared> {
  const { project, from, worktree } = wanted;
  const how = await checkOut(wanted);
  // Asked for again later, its branch may have moved on: who asks then knows the base.
  const base = worktree.base ?? (commitOf(project, worktree.branch) as string);
  const { path, branch } = worktree;
  const warnings = await prepareSubmodules(from, path);
  return { worktree: { path, branch, base }, how, warnings };
}

async function checkOut(wanted: Parameters<Worktrees['ensure']>[0]): Promise<Prepared['how']> {
  const { project, from, worktree, wasThere } = wanted;
  const { path, branch } = worktree;
  const all = readWorktrees(project);
  const place = realPath(path);
  const known = all.find((each) => each.path === place || each.path === path);
  if (known && !known.isGone && !known.isHalfMade) {
    refuseOther(known, worktree, wasThere);
    return 'found';
  }
  if (known?.isHalfMade) {
    linkWorktree(project, path);
    await changeWithGit(project, ['worktree', 'remove', '--force', '--force', path]);
  } else if (isFull(path)) throw occupied(path);
  const tip = commitOf(project, branch);
  if (tip === undefined && wasThere) throw lost(worktree);
  if (tip !== undefined && wanted.isNew && !known?.isHalfMade) throw taken(worktree);
  const elsewhere = all.find((each) => each !== known && each.branch === branch && !each.isGone);
  if (elsewhere) throw checkedOutElsewhere(worktree, elsewhere);
  const start = worktree.base ?? headOf(from);
  if (tip === undefined && start === undefined) throw failed(worktree, `${from} has no commit to start from`);
  // Twice: git may remember a worktree there that somebody deleted, and may have been told to keep it.
  const force = known ? ['--force', '--force'] : [];
  const what = tip === undefined ? ['--no-track', '-b', branch, path, start as string] : [path, branch];
  expectBranch(branch);
  try {
    // Locked until all of it is there, with the reason that git itself gives meanwhile (WT3).
    const add = ['worktree', 'add', '--quiet', '--lock', '--reason', HALF_MADE];
    await changeWithGit(project, [...add, ...force, ...what]);
    const gitFolder = linkWorktree(project, path);
    keepSparse(from, gitFolder);
    await settleIndex(path, gitFolder);
    unlockWorktree(gitFolder);
  } catch (error) {
    throw failed(worktree, (error as Error).message, error);
  }
  return wasThere ? 'put-back' : 'made';
}

/** Of about ten thousand files. */
const LARGE_INDEX = 1024 * 1024;

/**
 * Git compares whole seconds. What it wrote in the second in which it wrote the index may have changed since for all it
 * knows: it would read those files at every look, and no look of ours writes the index. So that is done once, while nobody
 * works there. Of a small repository it is not worth a start of git.
 */
async function settleIndex(path: string, gitFolder: string | undefined): Promise<void> {
  const index = gitFolder && lstatSync(join(gitFolder, 'index'), { throwIfNoEntry: false });
  if (!index || index.size < LARGE_INDEX) return;
  try {
    await changeWithGit(path, ['update-index', '-q', '--refresh']);
  } catch {
    // Files that a filter converts look changed; every look says so, too.
  }
}

function isFull(path: string): boolean {
  try {
    return readdirSync(path).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    return true;
  }
}

/** Once it was made, what is checked out in it is the business of who works there. */
function refuseOther(
  found: RegisteredWorktree,
  { path, branch }: { path: string; branch: string },
  wasThere: boolean,
) {
  if (wasThere || found.branch === branch) return;
  throw new Fault('worktree-failed', `${path} is another worktree, on ${found.branch || 'no branch'}`, {
    hint: `Remove it (lockstep worktree remove ${path}), then resume the run.`,
  });
}

function occupied(path: string): Fault {
  return new Fault(
    'worktree-failed',
    `no worktree can be made in ${path}: it is there, and git does not know it`,
    {
      hint: 'Move it away, then resume the run.',
    },
  );
}

function taken({ path, branch }: Pick<Worktree, 'path' | 'branch'>): Fault {
  return new Fault(
    'worktree-failed',
    `the worktree ${path} cannot be made: there is a branch ${branch} already`,
    {
      hint: `Give it a name that no other has: put {{ run.id }} or the item into \`branch\`. Or remove the one that is there: git branch -D ${branch}`,
    },
  );
}

function lost({ path, branch }: Pick<Worktree, 'path' | 'branch'>): Fault {
  return new Fault('worktree-lost', `the worktree ${path} is gone, and so is its branch ${branch}`, {
    hint: `If the commits are still there (git reflog), put the branch back: git branch ${branch} COMMIT. Then resume the run. Or start a new one.`,
  });
}

function checkedOutElsewhere(
  { path, branch }: Pick<Worktree, 'path' | 'branch'>,
  other: RegisteredWorktree,
): Fault {
  return new Fault(
    'worktree-failed',
    `the worktree ${path} cannot be made: its branch ${branch} is checked out in ${other.path}`,
    { hint: 'Check out another branch there, then resume the run.' },
  );
}

function failed({ path }: Pick<Worktree, 'path'>, why: string, cause?: unknown): Fault {
  return new Fault('worktree-failed', `the worktree ${path} could not be made: ${why}`, {
    hint: 'Put right what git says, then resume the run: it is tried again.',
    cause,
  });
}

function text(latin: string): string {
  return Buffer.from(latin, 'latin1').toString();
}
