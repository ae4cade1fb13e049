// snapshot: what a work tree looks like at a moment: HEAD, and of every file that differs from it or is untracked what
// HEAD has and what the folder has. Two of them tell which files changed in between, also files that were dirty
// before. Nothing is written anywhere, the repository included; ignored files are not looked at.
// Git can be told to overlook a change: files it was told so about are read by us, and what tells it is compared too.
//
// N1. A file that is in neither snapshot, and the same in both HEADs, has not changed.
// N2. A file that is in one only was at the other moment what HEAD had, and that the one snapshot says too, unless the
//     HEADs differ in it; then it has changed anyway.
// N3. A file that git overlooks in one snapshot only has changed, and so has a file of repository-files.ts that is in
//     one only.

import { findGitRoot } from '../git-root.ts';
import { turns } from '../turns.ts';
import { type Contents, contents, type HashAlgorithm } from './content-hash.ts';
import { dirtyModules, IGNORE_INSIDE, oddRecords, overlooked } from './index-records.ts';
import { isOwnFile } from './own-file.ts';
import { repositoryFiles } from './repository-files.ts';
import { eachRecord, runGit, runGitAside } from './run-git.ts';

export interface Snapshot {
  /** '' before the first commit. */
  head: string;
  /** By path from the root, in Latin-1: what HEAD has, what the folder has. */
  files: Map<string, { head: string; folder: string }>;
}

/** What stays the same for a folder. */
export interface Place {
  root: string;
  /** From the top of the repository, in Latin-1; ends in `/` unless empty. */
  prefix: string;
  algorithm: HashAlgorithm;
}

export async function findPlace(root: string): Promise<Place> {
  const output = await runGitAside(root, ['rev-parse', '--show-object-format', '--show-prefix']);
  const end = output.indexOf('\n');
  const algorithm = output.slice(0, end) === 'sha256' ? 'sha256' : 'sha1';
  return { root, algorithm, prefix: output.slice(end + 1).replace(/\n$/, '') };
}

export async function takeSnapshot(place: Place, from: Contents = contents): Promise<Snapshot> {
  const snapshot = await snapshotTree(place, from);
  for (const [path, folder] of await repositoryFiles(place.root, place.algorithm, from))
    snapshot.files.set(path, { head: '', folder });
  return snapshot;
}

async function snapshotTree({ root, prefix, algorithm }: Place, from: Contents): Promise<Snapshot> {
  const giveWay = turns();
  const options = { algorithm, nested: (folder: string) => nestedHash(folder, from) };
  const holds = (path: string) => from.hash(root, path, options);
  const [{ head, entries }, records] = await Promise.all([
    readStatus(root, prefix),
    oddRecords(root, 'tracked'),
  ]);
  const snapshot: Snapshot = { head, files: new Map() };
  for (const [path, inHead] of entries) {
    snapshot.files.set(path, { head: inHead, folder: await holds(path) });
    const wait = giveWay();
    if (wait) await wait;
  }
  for (const { path, hash } of await dirtyModules(root, records)) {
    if (snapshot.files.has(path)) continue;
    snapshot.files.set(path, { head: `160000:${hash}`, folder: await holds(path) });
  }
  for (const [path, flag] of await overlooked(root, records)) {
    if (isOwnFile(root, path)) continue;
    const inHead = snapshot.files.get(path)?.head ?? '';
    // The flag is part of it: unlike anything HEAD has.
    snapshot.files.set(path, { head: inHead, folder: `${flag} ${await holds(path)}` });
    const wait = giveWay();
    if (wait) await wait;
  }
  return snapshot;
}

/** One question for both: where HEAD is, and what differs from it; by path from the root, what HEAD has. */
async function readStatus(
  root: string,
  prefix: string,
): Promise<{ head: string; entries: Map<string, string> }> {
  const status = ['status', '--porcelain=v2', '-z', '--branch', '--no-renames', '--untracked-files=all'];
  const entries = new Map<string, string>();
  let head = '';
  await eachRecord(root, [...status, IGNORE_INSIDE, '--', '.'], {}, (record) => {
    head ||= /^# branch\.oid ([0-9a-f]+)$/.exec(record)?.[1] ?? '';
    const entry = parseRecord(record);
    const path = entry?.path.slice(prefix.length).replace(/\/$/, '');
    if (entry === undefined || path === undefined || isOwnFile(root, path)) return;
    // A file that was taken out of the index and is still there comes twice: as deleted, then as untracked.
    entries.set(path, entries.get(path) ?? entry.head);
  });
  return { head, entries };
}

/** Paths in Latin-1. Both what the folder has and what HEAD has count: a commit is a change. */
export async function differences({ root }: Place, then: Snapshot, now: Snapshot): Promise<string[]> {
  const changed = new Set(then.head === now.head ? [] : await committed(root, then.head, now.head));
  const giveWay = turns();
  for (const path of new Set([...then.files.keys(), ...now.files.keys()])) {
    const before = then.files.get(path);
    const after = now.files.get(path);
    const inHead = (before ?? after)?.head;
    if ((before?.folder ?? inHead) !== (after?.folder ?? inHead)) changed.add(path);
    const wait = giveWay();
    if (wait) await wait;
  }
  return [...changed].filter((path) => !isOwnFile(root, path));
}

export function emptyTree(root: string): string {
  return runGit(root, ['hash-object', '-t', 'tree', '/dev/null']).trim();
}

/** Paths in Latin-1 in which two commits differ. */
export async function committed(root: string, from: string, to: string): Promise<string[]> {
  const trees = [from || emptyTree(root), to || emptyTree(root)];
  const options = ['-r', '-z', '--name-only', '--no-renames', '--relative'];
  const paths: string[] = [];
  await eachRecord(root, ['diff-tree', ...options, ...trees, '--', '.'], {}, (path) => paths.push(path));
  return paths;
}

function parseRecord(record: string): { path: string; head: string } | undefined {
  // 1 XY sub mH mI mW hH hI path · u XY sub m1 m2 m3 mW h1 h2 h3 path · ? path
  const kind = record[0];
  if (kind === '?') return { path: record.slice(2), head: '' };
  if (kind !== '1' && kind !== 'u') return undefined;
  const fields = record.split(' ');
  const path = fields.slice(kind === '1' ? 8 : 10).join(' ');
  const [mode, hash] = kind === '1' ? [fields[3], fields[6]] : [fields[4], fields[8]];
  return { path, head: mode === '000000' ? '' : `${mode}:${hash}` };
}

/** A submodule, or a repository nobody has added: a snapshot of its own, in short. Clean, it is its commit. */
async function nestedHash(folder: string, from: Contents): Promise<string> {
  // Where a file became a folder: git would answer for the repository around it.
  if (findGitRoot(folder)?.top !== folder) return '';
  const { head, files } = await snapshotTree(await findPlace(folder), from);
  return files.size === 0 ? head : `${head}+${JSON.stringify([...files])}`;
}
