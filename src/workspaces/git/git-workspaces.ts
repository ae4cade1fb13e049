// git-workspaces: folders in a git work tree, its top or one below it.
// Owns: which files differ from a commit, or from an earlier moment. Never: changes the repository.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import type { Workspace, Workspaces } from '../../ports/workspace.ts';
import { assertThere, openBoundary } from '../boundary.ts';
import { compareBytes } from '../byte-order.ts';
import { workspaceFiles } from '../files.ts';
import { findGitRoot } from '../git-root.ts';
import { matchesPath, parseGlob } from '../glob-pattern.ts';
import { openCheckout } from './checkout.ts';
import { filterWarnings } from './filter-warnings.ts';
import { dirtyModules, hiddenChanges, IGNORE_INSIDE, oddRecords } from './index-records.ts';
import { compareTrees, keepTree } from './kept-tree.ts';
import { isOwnFile } from './own-file.ts';
import { watchRepository } from './repository-watch.ts';
import { askGit, eachRecord, runGit, runGitAside } from './run-git.ts';
import { sharedLook } from './shared-look.ts';
import { differences, emptyTree, findPlace, type Place, type Snapshot, takeSnapshot } from './snapshot.ts';
import { takeLook } from './whole-look.ts';

export function gitWorkspaces(): Workspaces {
  return { open: openWorkspace, mark: markCommit, warnings: filterWarnings };
}

function openWorkspace(root: string, since?: string, run?: string): Workspace {
  const boundary = openBoundary(root);
  const mark = since ?? markCommit(boundary.real);
  if (!/^[0-9a-f]{40,64}$/.test(mark)) throw new Fault('git-failed', `"${mark}" is not the id of a commit`);
  const top = findGitRoot(boundary.real)?.top;
  /** Outside a repository `git diff` compares any two paths: it must not be asked there. */
  const assertRepository = () => {
    assertThere(boundary);
    if (top === undefined || findGitRoot(boundary.real)?.top !== top)
      throw new Fault(
        'not-a-git-repository',
        `${boundary.root} is no longer in the git repository it was in`,
      );
  };
  let found: Place | undefined;
  const place = async () => {
    assertRepository();
    found ??= await findPlace(boundary.real);
    return found;
  };
  const changed = sharedLook(() => changedFiles(boundary.real, mark));
  const uncommitted = sharedLook(async () => changedFiles(boundary.real, markCommit(boundary.real)));
  const snapshot = sharedLook(async () => takeSnapshot(await place()));
  const wholeLook = sharedLook(async () => takeLook(await place()));
  return {
    ...workspaceFiles(boundary, run),
    get branch() {
      return branchOf(boundary.real);
    },
    async changed(pattern, syntax) {
      assertRepository();
      const parsed = parseGlob(boundary, pattern, syntax);
      return readable(await changed()).filter((path) => matchesPath(parsed, path));
    },
    async uncommitted(pattern, syntax) {
      assertRepository();
      const parsed = parseGlob(boundary, pattern, syntax);
      return readable(await uncommitted()).filter((path) => matchesPath(parsed, path));
    },
    async atStart(path) {
      assertRepository();
      return await contentAt(boundary.real, mark, path);
    },
    commits() {
      assertRepository();
      return commitsSince(boundary.real, mark);
    },
    ...(top !== undefined && {
      checkout: openCheckout(boundary.real, {
        changedSince: async (since) => readable(await changedFiles(boundary.real, since)),
        dirtyIn: (fingerprint) => readable([...scan(fingerprint).files.keys()]),
      }),
    }),
    watchRepository: (care) => watchRepository(boundary.real, care),
    fingerprint: async () => print(await snapshot()),
    async changedSince(fingerprint, pattern) {
      const here = await place();
      const parsed = pattern === undefined ? undefined : parseGlob(boundary, pattern);
      const then = scan(fingerprint);
      const files = readable(await differences(here, then, await snapshot()));
      return parsed ? files.filter((path) => matchesPath(parsed, path)) : files;
    },
    async keep(folder) {
      return await keepTree(await place(), folder, wholeLook);
    },
    async compare(folder, from, to) {
      return await compareTrees(await place(), folder, [from, to]);
    },
  };
}

/** HEAD; before the first commit the empty tree, from which everything differs. */
function markCommit(root: string): string {
  const { real } = openBoundary(root);
  return askGit(real, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])?.trim() ?? emptyTree(real);
}

async function changedFiles(root: string, mark: string): Promise<string[]> {
  const options = ['--name-only', '-z', '--no-renames', '--relative', '--no-ext-diff', IGNORE_INSIDE];
  const paths: string[] = [];
  const [records] = await Promise.all([
    oddRecords(root, 'untracked-too'),
    eachRecord(root, ['diff', ...options, mark, '--', '.'], {}, (path) => paths.push(path)),
  ]);
  for (const { flag, path } of records) if (flag === '?') paths.push(path);
  for (const { path } of await dirtyModules(root, records)) paths.push(path);
  paths.push(...(await hiddenChanges(root, records)));
  // A repository nobody has added is listed with a slash behind it.
  const files = paths.filter((path) => !isOwnFile(root, path)).map((path) => path.replace(/\/$/, ''));
  return [...new Set(files)];
}

/** Looked up in the list of files first: git complains of a path that is not there, and of a link it gives the target. */
async function contentAt(root: string, mark: string, path: string): Promise<Uint8Array | undefined> {
  const listed = await runGitAside(root, ['ls-tree', '-z', mark, '--', path]);
  const id = /^100\d{3} blob ([0-9a-f]+)\t/.exec(listed ?? '')?.[1];
  if (id === undefined) return undefined;
  return Buffer.from(await runGitAside(root, ['cat-file', 'blob', id]), 'latin1');
}

/** All of them: a count that stops somewhere is not true. */
function commitsSince(root: string, mark: string): { id: string; subject: string }[] {
  const head = askGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])?.trim();
  if (head === undefined || head === mark) return [];
  // Before the first commit the mark is a tree, and everything is new.
  const range = askGit(root, ['cat-file', '-t', mark])?.trim() === 'commit' ? `${mark}..HEAD` : 'HEAD';
  const format = ['-z', '--format=%H %s', '--no-show-signature'];
  const lines = runGit(root, ['log', ...format, range, '--'])
    .split('\0')
    .filter(Boolean);
  return lines.reverse().map((line) => ({
    id: line.slice(0, line.indexOf(' ')),
    subject: Buffer.from(line.slice(line.indexOf(' ') + 1), 'latin1').toString(),
  }));
}

/** From one character a byte to text; in byte order either way. */
function readable(paths: string[]): string[] {
  return paths.map((path) => Buffer.from(path, 'latin1').toString()).sort(compareBytes);
}

/** '' where HEAD is detached. Read from its file: asking git takes a hundred times as long. */
function branchOf(root: string): string {
  const repository = findGitRoot(root);
  if (repository === undefined) return '';
  const head = readFileSync(join(repository.gitFolder, 'HEAD'), 'utf8');
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? '';
  // What a repository with the newer reference format leaves there for old readers.
  return branch === '.invalid' ? runGit(root, ['branch', '--show-current']).trim() : branch;
}

function print({ head, files }: Snapshot): string {
  return JSON.stringify([head, [...files].map(([path, entry]) => [path, entry.head, entry.folder])]);
}

function scan(fingerprint: string): Snapshot {
  const [head, rows] = JSON.parse(fingerprint) as [string, [string, string, string][]];
  return { head, files: new Map(rows.map(([path, inHead, folder]) => [path, { head: inHead, folder }])) };
}
