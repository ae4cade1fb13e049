// checkout: what git has in a folder that a run works in, past all that makes git show something else.
// CO1. Commits and references are read as they are: no replacement, no graft, no setting of the repository.
// CO2. Only `putBack` writes, and only into the work tree that it is given.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Bystander, Checkout, CheckoutLook, OnRemote, Work } from '../../ports/checkout.ts';
import { findGitRoot } from '../git-root.ts';
import { looksOf } from './file-looks.ts';
import { IGNORE_INSIDE } from './index-records.ts';
import { sha256 } from './kept-folder.ts';
import { isOwnFile } from './own-file.ts';
import { pushFence, remotesOf } from './push-fence.ts';
import { readShort } from './references.ts';
import { referencesOf } from './repository-watch.ts';
import { askGit, changeWithGit, eachRecord, runGitAside } from './run-git.ts';
import { sharedLook } from './shared-look.ts';
import { findPlace, takeSnapshot } from './snapshot.ts';

/** How long a remote may take to answer. */
const REMOTE_MS = 30_000;
/** What was seen of another work tree serves who asks again so soon. */
const SERVES_MS = 1_000;

interface Parts {
  changedSince(mark: string): Promise<string[]>;
  dirtyIn(fingerprint: string): string[];
}

export function openCheckout(root: string, { changedSince, dirtyIn }: Parts): Checkout {
  return {
    async look() {
      return lookAt(root);
    },
    descends: (from, to) => descends(root, from, to),
    async work(since): Promise<Work> {
      const [files, commits] = await Promise.all([changedSince(since), commitsBetween(root, since)]);
      return { files, commits };
    },
    touched: (since) => touchedSince(root, since),
    async digest() {
      const { head, files } = await takeSnapshot(await findPlace(root));
      // Who pushes may have git remember where to.
      const own = [...files].filter(([path]) => !path.startsWith('.git/'));
      return sha256(JSON.stringify([head, own.sort(([one], [other]) => (one < other ? -1 : 1))]));
    },
    dirtyIn,
    putBack: (head, files) => putBack(root, head, files),
    watch: (folder) => watchOther(folder),
    async onRemotes(branch) {
      return await Promise.all(remotesOf(root).map((remote) => askRemote(root, remote.name, branch)));
    },
    fence: () => pushFence(root),
  };
}

function lookAt(root: string): CheckoutLook {
  const gitFolder = findGitRoot(root)?.gitFolder ?? '';
  const references = referencesOf(root);
  const line = gitFolder === '' ? '' : readShort(join(gitFolder, 'HEAD'));
  const name = /^ref: (.+)$/.exec(line)?.[1] ?? '';
  const read = name === '' ? line : references.get(name);
  // Of a name that leads to another name, and where references are kept in the newer format, git knows more.
  const head =
    read !== undefined && /^[0-9a-f]{40,64}$/.test(read)
      ? read
      : (askGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])?.trim() ?? '');
  const branch =
    name === 'refs/heads/.invalid'
      ? (askGit(root, ['branch', '--show-current'])?.trim() ?? '')
      : name.replace(/^refs\/heads\//, '');
  return { branch, head, gitFolder, references };
}

async function descends(root: string, from: string, to: string): Promise<boolean> {
  if (from === to || from === '') return true;
  if (to === '') return false;
  // What `to` has not: nothing of `from` may be in it.
  const count = async (env: Record<string, string>) =>
    await runGitAside(root, ['rev-list', '--count', '--max-count=1', from, '--not', to, '--'], {
      more: env,
    });
  try {
    return (await count({ GIT_SHALLOW_FILE: '' })).trim() === '0';
  } catch {
    // A clone that is shallow indeed ends somewhere.
    return (await count({})).trim() === '0';
  }
}

async function commitsBetween(root: string, since: string): Promise<Work['commits']> {
  const isCommit = askGit(root, ['cat-file', '-t', since])?.trim() === 'commit';
  const range = isCommit ? `${since}..HEAD` : 'HEAD';
  const commits: Work['commits'] = [];
  await eachRecord(root, ['log', '-z', '--format=%H %s', '--no-show-signature', range, '--'], {}, (line) => {
    const id = line.slice(0, line.indexOf(' '));
    const subject = Buffer.from(line.slice(line.indexOf(' ') + 1), 'latin1').toString();
    commits.unshift({ id, subject });
  });
  return commits;
}

async function touchedSince(root: string, since: string): Promise<string[]> {
  const files = new Set<string>();
  const options = ['-z', '--format=', '--name-only', '--no-renames', '--relative', '--no-ext-diff'];
  await eachRecord(root, ['log', ...options, `${since}..HEAD`, '--', '.'], {}, (path) =>
    files.add(Buffer.from(path, 'latin1').toString()),
  );
  return [...files];
}

async function putBack(root: string, head: string, files: readonly string[]): Promise<void> {
  // The branch moves back to it; then each file, in the index and in the folder.
  await changeWithGit(root, ['reset', '--soft', head]);
  const known = new Set<string>();
  await eachRecord(root, ['ls-tree', '-r', '-z', '--name-only', head, '--', ...files], {}, (path) =>
    known.add(Buffer.from(path, 'latin1').toString()),
  );
  const old = files.filter((file) => known.has(file));
  const fresh = files.filter((file) => !known.has(file));
  if (old.length > 0) await changeWithGit(root, ['checkout', '-f', head, '--', ...old]);
  if (fresh.length === 0) return;
  await changeWithGit(root, ['rm', '-q', '-r', '--cached', '--ignore-unmatch', '--', ...fresh]);
  await changeWithGit(root, ['clean', '-q', '-f', '-d', '-x', '--', ...fresh]);
}

// ── Somebody else's work tree ───────────────────────────────────────────────────────────────────

type Looks = Map<string, string>;
const others = new Map<string, { take(): Promise<Looks>; seen?: { at: number; looks: Looks } }>();

async function watchOther(folder: string): Promise<Bystander | undefined> {
  const before = await looksIn(folder, true);
  if (before === undefined) return undefined;
  return {
    async changed() {
      const after = await looksIn(folder, false);
      if (after === undefined) return [];
      const names = new Set([...before.keys(), ...after.keys()]);
      return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
    },
  };
}

/** Undefined: nothing is checked out there. */
async function looksIn(folder: string, maySeen: boolean): Promise<Looks | undefined> {
  let other = others.get(folder);
  if (!other) {
    other = { take: sharedLook(() => takeLooks(folder)) };
    others.set(folder, other);
  }
  const { seen } = other;
  if (maySeen && seen && Date.now() - seen.at < SERVES_MS) return seen.looks;
  try {
    const looks = await other.take();
    other.seen = { at: Date.now(), looks };
    return looks;
  } catch {
    return undefined;
  }
}

async function takeLooks(folder: string): Promise<Looks> {
  const looks: Looks = new Map();
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal', IGNORE_INSIDE];
  await eachRecord(folder, status, {}, (record) => {
    const path = Buffer.from(record.slice(3), 'latin1').toString();
    // A folder that nobody has added is one name, whatever is in it: ours may be all that is.
    if (path === '.lockstep/' || isOwnFile(folder, record.slice(3))) return;
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
    looks.set(
      path,
      `${record.slice(0, 2)} ${stats === undefined || stats.isDirectory() ? '' : looksOf(stats)}`,
    );
  });
  return looks;
}

// ── Remotes ─────────────────────────────────────────────────────────────────────────────────────

async function askRemote(root: string, remote: string, branch: string): Promise<OnRemote> {
  const name = `refs/heads/${branch}`;
  try {
    const said = await changeWithGit(root, ['ls-remote', '--refs', remote, name], undefined, REMOTE_MS);
    const head = said
      .split('\n')
      .flatMap((line) => (line.endsWith(`\t${name}`) ? (line.split('\t')[0] ?? []) : []))[0];
    return { remote, ...(head !== undefined && { head }) };
  } catch (error) {
    return { remote, problem: (error as Error).message };
  }
}
