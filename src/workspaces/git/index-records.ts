// index-records: what the index has of each path, and what is not in it; submodules among them, and whether one is dirty.
// Git would look into a submodule with another git that reads the settings there. So git is told to leave them alone
// (IGNORE_INSIDE), and each is asked about like any repository. Paths are Latin-1, one character a byte.

import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { findGitRoot } from '../git-root.ts';
import { isTrue, lastValue } from './config-text.ts';
import { hadRested, looksOf } from './file-looks.ts';
import { findRepository } from './repository.ts';
import { eachRecord, type GitCall, runGitAside } from './run-git.ts';

/** Whether another commit is checked out in a submodule is told; what else is in it is not looked at. */
export const IGNORE_INSIDE = '--ignore-submodules=dirty';

export interface IndexRecord {
  path: string;
  /** `H` as usual; a small letter is assume-unchanged, `S` skip-worktree, `?` not in the index. */
  flag: string;
  mode: string;
  hash: string;
}

/** Of each path from `root`. */
export async function eachIndexRecord(
  root: string,
  call: GitCall,
  options: readonly string[],
  visit: (record: IndexRecord) => void,
): Promise<void> {
  const list = ['ls-files', '-v', '-z', '--stage', ...options, '--', '.'];
  await eachRecord(root, list, call, (record) => visit(parsed(record)));
}

function parsed(record: string): IndexRecord {
  const flag = record.slice(0, 1);
  if (flag === '?') return { path: record.slice(2), flag, mode: '', hash: '' };
  const tab = record.indexOf('\t');
  const [mode = '', hash = ''] = record.slice(2, tab).split(' ');
  return { path: record.slice(tab + 1), flag, mode, hash };
}

/**
 * Those that are no plain files as git has them: submodules, files that it overlooks and, where they are asked for,
 * untracked ones. The others are most of them, and nothing is made of those.
 */
export async function oddRecords(root: string, which: 'tracked' | 'untracked-too'): Promise<IndexRecord[]> {
  if (which === 'untracked-too') return await readOdd(root, ['--others', '--exclude-standard']);
  // Nobody but git writes the index, and a look does not: the one before often serves.
  const index = indexFiles(root);
  const looks = index.map(looksOf).join();
  const before = known.get(root);
  if (before?.looks === looks) return before.records;
  const mayKeep = index.length > 0 && index.every((each) => hadRested(each, Date.now()));
  const records = await readOdd(root, []);
  if (known.size >= MOST_KNOWN) known.clear();
  if (mayKeep) known.set(root, { looks, records });
  else known.delete(root);
  return records;
}

const MOST_KNOWN = 1000;
const known = new Map<string, { looks: string; records: IndexRecord[] }>();

async function readOdd(root: string, options: readonly string[]): Promise<IndexRecord[]> {
  const odd: IndexRecord[] = [];
  const list = ['ls-files', '-v', '-z', '--stage', ...options, '--', '.'];
  await eachRecord(root, list, {}, (record) => {
    if (!record.startsWith('H ') || record.startsWith('160000 ', 2)) odd.push(parsed(record));
  });
  return odd;
}

/** A part of it may lie in files of its own. */
function indexFiles(root: string): Stats[] {
  const gitFolder = findGitRoot(root)?.gitFolder;
  if (gitFolder === undefined) return [];
  return readdirSync(gitFolder)
    .filter((name) => name === 'index' || name.startsWith('sharedindex.'))
    .flatMap((name) => lstatSync(join(gitFolder, name), { throwIfNoEntry: false }) ?? []);
}

interface Submodule extends IndexRecord {
  /** Absolute, as text. */
  folder: string;
}

/** Those that are checked out. */
function submodulesIn(root: string, records: readonly IndexRecord[]): Submodule[] {
  return records
    .filter(({ mode }) => mode === '160000')
    .map((record) => ({ ...record, folder: `${root}/${Buffer.from(record.path, 'latin1').toString()}` }))
    .filter(({ folder }) => findGitRoot(folder)?.top === folder);
}

/** Something in it differs from its HEAD, or is untracked. */
async function isDirty(folder: string): Promise<boolean> {
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal'];
  if ((await runGitAside(folder, [...status, IGNORE_INSIDE])) !== '') return true;
  return (await dirtyModules(folder, await oddRecords(folder, 'tracked'))).length > 0;
}

/** Submodules with something in them that is not committed, which `status` does not tell of (IGNORE_INSIDE). */
export async function dirtyModules(root: string, records: readonly IndexRecord[]): Promise<Submodule[]> {
  const dirty: Submodule[] = [];
  for (const module of submodulesIn(root, records))
    if (module.flag === 'H' && (await isDirty(module.folder))) dirty.push(module);
  return dirty;
}

/** Files that git takes as unchanged without looking, in submodules too. */
export async function overlooked(
  root: string,
  records: readonly IndexRecord[],
): Promise<[path: string, flag: string][]> {
  const found = records
    .filter(({ flag }) => /^[a-zS]$/.test(flag))
    .map(({ path, flag }): [string, string] => [path, flag]);
  for (const { path, folder } of submodulesIn(root, records)) {
    const inside = await overlooked(folder, await oddRecords(folder, 'tracked'));
    for (const [below, flag] of inside) found.push([`${path}/${below}`, flag]);
  }
  return found;
}

/**
 * Of those, the ones that differ from what the index has. In a sparse checkout a file that is not there is meant to be
 * absent; elsewhere somebody hides that it was removed.
 */
export async function hiddenChanges(root: string, records: readonly IndexRecord[]): Promise<string[]> {
  const flagged = records.filter(({ flag, mode }) => /^[a-zS]$/.test(flag) && mode !== '160000');
  if (flagged.length === 0) return [];
  const isThere = ({ path }: IndexRecord) => {
    const stats = lstatSync(Buffer.from(`${root}/${path}`, 'latin1'), { throwIfNoEntry: false });
    return stats !== undefined && !stats.isDirectory();
  };
  const there = flagged.filter((record) => isThere(record) && !record.path.includes('\n'));
  const sparse = isSparse(root);
  const gone = flagged.filter((record) => !isThere(record) && !(sparse && record.flag.toUpperCase() === 'S'));
  if (there.length === 0) return gone.map(({ path }) => path);
  const input = there.map(({ path }) => `${path}\n`).join('');
  const hashes = (await runGitAside(root, ['hash-object', '--stdin-paths'], { input })).split('\n');
  const differing = there.filter(({ hash, mode }, index) => hash !== hashes[index] && mode !== '120000');
  return [...gone, ...differing].map(({ path }) => path);
}

function isSparse(root: string): boolean {
  const { common = [], own = [] } = findRepository(root)?.settings ?? {};
  return isTrue(lastValue(own, 'core', 'sparsecheckout') ?? lastValue(common, 'core', 'sparsecheckout'));
}
