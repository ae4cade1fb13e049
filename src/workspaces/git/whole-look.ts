// whole-look: every file of a work tree as it is at a moment, byte for byte: what an approval is bound to.
// Git is asked for names only: what HEAD has, what the index has, what is untracked and not ignored. What each file holds is
// read by us, so neither the index nor its times, neither an attribute nor a setting nor an object decides what counts as
// changed. (snapshot.ts asks git what differs, which is quicker and knows conversions; it serves where nobody is deceived.)
//
// B1. A path that any of HEAD, the index and the list of untracked files names is read. None of them can hide it.
// B2. A folder that git takes for a repository is looked at like one, with what it ignores; where it is none, every file
//     in it is read.
// B3. What decides which files are ignored is part of it: every .gitignore, ignored itself or not, info/exclude, and the
//     files that core.excludesFile names.

import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { findGitRoot } from '../git-root.ts';
import { turns } from '../turns.ts';
import { byteHash, type Contents, contents } from './content-hash.ts';
import { MAPPED_MS } from './file-looks.ts';
import { eachIndexRecord, type IndexRecord } from './index-records.ts';
import { sha256 } from './kept-folder.ts';
import { isOwnFile } from './own-file.ts';
import { repositoryFiles } from './repository-files.ts';
import { askGit, eachRecord } from './run-git.ts';
import { committed, findPlace, type Place } from './snapshot.ts';
import { excludeFiles } from './start-git.ts';

export interface WholeLook {
  /** '' before the first commit. */
  head: string;
  /** What the folder has, by path from the root, in Latin-1. */
  files: Map<string, string>;
  /** What HEAD has, so. */
  inHead: Map<string, string>;
}

/** Of our own, and of a later form of the print nothing is known. */
const FORM = 2;

export async function takeLook(place: Place, from: Contents = contents): Promise<WholeLook> {
  const look = await lookAt(place, from);
  for (const [path, held] of await repositoryFiles(place.root, place.algorithm, from))
    look.files.set(path, held);
  for (const path of excludeFiles(place.root)) look.files.set(latin(path), excludesHash(path));
  return look;
}

export function printOf({ head, files }: WholeLook): string {
  return JSON.stringify([FORM, head, ...[...files].sort(([one], [other]) => (one < other ? -1 : 1)).flat()]);
}

export function readLook(print: string): Pick<WholeLook, 'head' | 'files'> {
  const [, head = '', ...rest] = JSON.parse(print) as string[];
  const files = new Map<string, string>();
  for (let at = 0; at + 1 < rest.length; at += 2) files.set(rest[at] as string, rest[at + 1] as string);
  return { head, files };
}

/** Paths in Latin-1. A commit is a change, too. */
export async function lookDifferences(
  { root }: Place,
  then: Pick<WholeLook, 'head' | 'files'>,
  now: Pick<WholeLook, 'head' | 'files'>,
): Promise<string[]> {
  const changed = new Set(then.head === now.head ? [] : await committed(root, then.head, now.head));
  for (const path of new Set([...then.files.keys(), ...now.files.keys()]))
    if ((then.files.get(path) ?? '') !== (now.files.get(path) ?? '')) changed.add(path);
  return [...changed].filter((path) => !isOwnFile(root, path));
}

/** A file of 32 MiB or more is told apart by its inode and times: reading it takes too long. */
const BOUNDS = { largest: 32 * 1024 * 1024, restedMs: MAPPED_MS };

async function lookAt({ root, algorithm }: Place, from: Contents): Promise<WholeLook> {
  const head = askGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])?.trim() ?? '';
  const inHead = new Map<string, string>();
  const listed: IndexRecord[] = [];
  const untracked = ['--others', '--exclude-standard'];
  const [, , ignores] = await Promise.all([
    head === '' ? undefined : readTree(root, head, inHead),
    eachIndexRecord(root, {}, untracked, (record) => listed.push(record)),
    hiddenIgnores(root),
  ]);
  const giveWay = turns();
  const files = new Map<string, string>();
  const nested = (folder: string) => nestedLook(folder, from);
  const none = async () => undefined;
  const read = async (path: string, flag: string, isFolder: boolean) => {
    if (isOwnFile(root, path) || files.has(path)) return;
    const options = { algorithm, nested: isFolder ? nested : none, ...BOUNDS };
    const held = await from.hash(root, path, options);
    // The flag is part of it: git overlooks such a file.
    const value = /^[a-zS]$/.test(flag) ? `${flag} ${held}` : held;
    if (value !== '') files.set(path, value);
    const wait = giveWay();
    if (wait) await wait;
  };
  for (const { path, flag, mode } of listed)
    await read(path.replace(/\/$/, ''), flag, mode === '160000' || path.endsWith('/'));
  for (const [path, held] of inHead) if (!files.has(path)) await read(path, 'H', held.startsWith('160000:'));
  for (const path of ignores) await read(path, 'H', false);
  return { head, files, inHead };
}

async function readTree(root: string, head: string, held: Map<string, string>): Promise<void> {
  await eachRecord(root, ['ls-tree', '-r', '-z', head], {}, (record) => {
    // mode SP type SP hash TAB path
    const tab = record.indexOf('\t');
    const [mode, , hash] = record.slice(0, tab).split(' ');
    if (tab > 0) held.set(record.slice(tab + 1), `${mode}:${hash}`);
  });
}

/** A .gitignore that says `*` ignores itself, and git would tell of nothing in that folder. */
async function hiddenIgnores(root: string): Promise<string[]> {
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory', '--', '.'];
  const found: string[] = [];
  await eachRecord(root, list, {}, (path) => {
    if (path.endsWith('/')) found.push(`${path}.gitignore`);
    else if (/(?:^|\/)\.gitignore$/.test(path)) found.push(path);
  });
  return found;
}

/** A submodule, or a repository that was not added: its commit, and a digest of all that is in it. */
async function nestedLook(folder: string, from: Contents): Promise<string | undefined> {
  const repository = findGitRoot(folder);
  if (repository?.top === folder) {
    try {
      const place = await findPlace(folder);
      const look = await takeLook(place, from);
      const isClean = [...look.inHead].every(([path, held]) => look.files.get(path) === held);
      const isAll = [...look.files.keys()].every((path) => look.inHead.has(path) || isOfRepository(path));
      const digest = sha256(JSON.stringify([repository.gitFolder, printOf(look)]));
      return `${look.head}${isClean && isAll ? ' ' : '+'}${digest}`;
    } catch {
      // Git does not read it: it is a folder like any other.
    }
  }
  const files: [path: string, held: string][] = [];
  await walk(folder, '', files, from, turns());
  return files.length === 0 ? undefined : `+${sha256(JSON.stringify(files))}`;
}

/** Not of the work tree: `.git/config`, or a file elsewhere that says what is ignored. */
export function isOfRepository(path: string): boolean {
  return path.startsWith('.git/') || path.startsWith('/');
}

/** Every file below a folder, whatever git thinks of it. */
async function walk(
  folder: string,
  below: string,
  found: [path: string, held: string][],
  from: Contents,
  giveWay: ReturnType<typeof turns>,
): Promise<void> {
  const options = { algorithm: 'sha1' as const, nested: async () => undefined, ...BOUNDS };
  for (const name of namesIn(folder, below)) {
    const path = `${below}${name}`;
    const held = await from.hash(folder, path, options);
    const wait = giveWay();
    if (wait) await wait;
    if (held !== '') found.push([path, held]);
    else await walk(folder, `${path}/`, found, from, giveWay);
  }
}

function namesIn(folder: string, below: string): string[] {
  const place = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(below, 'latin1')]);
  try {
    if (!lstatSync(place).isDirectory()) return [];
    return readdirSync(place, { encoding: 'buffer' })
      .map((name) => name.toString('latin1'))
      .sort();
  } catch {
    return [];
  }
}

/** Of a file of the user: a link to it counts as what it leads to. */
function excludesHash(path: string): string {
  try {
    return statSync(path).isFile() ? `100644:${byteHash('sha1', readFileSync(path))}` : 'special';
  } catch {
    return '';
  }
}

function latin(text: string): string {
  return Buffer.from(text).toString('latin1');
}
