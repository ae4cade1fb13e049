// kept-tree: a work tree as it is at a moment, kept in a folder of the run, so that a person can be shown later what
// changed since, line by line, whatever happens to the files in between.
// Owns: what is written into that folder: the fingerprint of each moment, and the objects that its files are. Never:
// writes into the repository (W3), or applies a filter: content is kept as it lies in the folder.
//
// K1. Of a file that HEAD has unchanged nothing is kept: the repository has it.
// K2. What is shown is what was fingerprinted: a file that changes while it is read is named, and not shown.
// K3. Very large files, and very many, are named with their hash and not kept.
// K4. The folder is a repository of its own that only borrows the objects of the other one: no attribute, no setting, no
//     replacement of the repository that is looked at can keep a change out of what is shown, or start a program.

import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { ChangedFile, KeptTree } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { TreeChanges } from '../../ports/workspace.ts';
import { compareBytes } from '../byte-order.ts';
import { commonFolder, findGitRoot } from '../git-root.ts';
import type { HashAlgorithm } from './content-hash.ts';
import { askGit, type GitCall, runGit } from './run-git.ts';
import type { Place, Snapshot } from './snapshot.ts';

const MOST_FILES = 5000;
const LARGEST_FILE = 8 * 1024 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;

/** `print`: the snapshot as text. Where its content cannot be kept (a full disk, a damaged repository) only its digest is. */
export function keepTree(place: Place, folder: string, snapshot: Snapshot, print: string): KeptTree {
  mkdirSync(folder, { recursive: true });
  const digest = createHash('sha256').update(print).digest('hex');
  writeWhole(folder, `${digest}.json`, print);
  try {
    return { digest, tree: writeTree(place, folder, snapshot) };
  } catch {
    return { digest };
  }
}

/** The snapshot as it was kept. */
export function keptPrint(folder: string, { digest }: KeptTree): string {
  let print = '';
  try {
    print = readFileSync(join(folder, `${digest}.json`), 'utf8');
  } catch {
    // It is not there: neither is what it should hold.
  }
  if (createHash('sha256').update(print).digest('hex') === digest) return print;
  throw new Fault(
    'kept-tree-gone',
    `what the workspace was like is no longer in ${folder}, or was changed there`,
  );
}

/** `paths`: all that differ (Latin-1), also those of which no content is kept. */
export function compareTrees(
  place: Place,
  folder: string,
  [from, to]: [KeptTree, KeptTree],
  paths: string[],
): TreeChanges {
  const counts = new Map<string, Pick<ChangedFile, 'added' | 'removed'>>();
  let patch: string | undefined;
  if (from.tree !== undefined && to.tree !== undefined) {
    try {
      const call = callIn(place, folder);
      const diff = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
      const numbers = runGit(folder, [...diff, '-z', '--numstat', from.tree, to.tree], call);
      for (const record of numbers.split('\0')) {
        const [added = '', removed = '', ...rest] = record.split('\t');
        if (rest.length > 0) counts.set(rest.join('\t'), lineCounts(added, removed));
      }
      patch = runGit(folder, [...diff, '--patch', '--full-index', from.tree, to.tree], call);
    } catch {
      counts.clear(); // an object is gone: names are what is left
    }
  }
  const named = [...new Set([...paths, ...counts.keys()])];
  const files = named
    .map((path) => ({ path: Buffer.from(path, 'latin1').toString(), ...counts.get(path) }))
    .sort((one, other) => compareBytes(one.path, other.path));
  return { files, ...(patch !== undefined && { patch: Buffer.from(patch, 'latin1') }) };
}

/** Git says `-` of what is no text. */
function lineCounts(added: string, removed: string): Pick<ChangedFile, 'added' | 'removed'> {
  return /^\d+$/.test(added) ? { added: Number(added), removed: Number(removed) } : {};
}

// ── Objects ─────────────────────────────────────────────────────────────────────────────────────

/** Git works in our folder, and reads the objects of the repository as well. */
function callIn({ root, algorithm }: Place, folder: string): GitCall & { env: Record<string, string> } {
  for (const part of ['objects', 'refs']) mkdirSync(join(folder, part), { recursive: true });
  writeWhole(folder, 'HEAD', 'ref: refs/heads/none\n');
  const format = algorithm === 'sha256' ? '1\n[extensions]\n\tobjectFormat = sha256' : '0';
  writeWhole(folder, 'config', `[core]\n\tbare = true\n\trepositoryFormatVersion = ${format}\n`);
  const gitFolder = findGitRoot(root)?.gitFolder ?? join(root, '.git');
  const objects = join(commonFolder(gitFolder), 'objects');
  // A colon would end the path; what begins with a quote is read as a quoted string.
  const alternate = /[:"\\]/.test(objects) ? JSON.stringify(objects) : objects;
  return {
    env: { GIT_DIR: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate },
  };
}

function writeTree(place: Place, folder: string, { head, files }: Snapshot): string {
  const { prefix, algorithm } = place;
  const index = join(folder, `index-${process.pid}`);
  const { env } = callIn(place, folder);
  const call = { env: { ...env, GIT_INDEX_FILE: index } };
  const below = Buffer.from(prefix, 'latin1').toString().replace(/\/$/, '');
  const base =
    head === ''
      ? undefined
      : askGit(folder, ['rev-parse', '--verify', '--quiet', `${head}:${below}`], call)?.trim();
  const none = '0'.repeat(algorithm === 'sha256' ? 64 : 40);
  const budget = { files: MOST_FILES, bytes: MOST_BYTES };
  const gone: string[] = [];
  const there: string[] = [];
  for (const [path, entry] of files) {
    if (path.startsWith('.git/')) continue; // of the repository itself; git takes no such path
    const kept = keepFile(place, folder, path, entry.folder, budget);
    if (kept === undefined) gone.push(`0 ${none}\t${path}\0`);
    else there.push(`${kept.mode} ${kept.hash}\t${path}\0`);
  }
  try {
    rmSync(index, { force: true });
    runGit(folder, ['read-tree', base ?? '--empty'], call);
    const input = [...gone, ...there].join('');
    if (input !== '') runGit(folder, ['update-index', '--replace', '-z', '--index-info'], { ...call, input });
    return runGit(folder, ['write-tree', '--missing-ok'], call).trim();
  } finally {
    rmSync(index, { force: true });
    rmSync(`${index}.lock`, { force: true });
  }
}

interface Kept {
  mode: string;
  hash: string;
}

/** `held`: what the snapshot says the path holds. Undefined: nothing. */
function keepFile(
  { root, algorithm }: Place,
  folder: string,
  path: string,
  held: string,
  budget: { files: number; bytes: number },
): Kept | undefined {
  const standIn = (why: string): Kept => ({
    mode: '100644',
    hash: writeBlob(folder, algorithm, Buffer.from(`[${why}]\n`)),
  });
  // A letter before it: git was told to overlook the file.
  const [, mode, hash = ''] = /^(?:. )?(\d{6}):(.*)$/s.exec(held) ?? [];
  if (held === '' || (mode === '160000' && hash === '')) return undefined;
  if (mode === undefined) return standIn(`it cannot be read: ${held}`);
  if (mode === '160000') {
    const isClean = /^[0-9a-f]{40,64}$/.test(hash);
    return isClean ? { mode, hash } : standIn(`a repository with changes of its own: ${sha256(hash)}`);
  }
  const content = readContent(root, path, mode);
  if (content === 'large' || budget.files === 0 || (content?.length ?? 0) > budget.bytes)
    return standIn(`too large, or too many files, to be shown: ${hash}`);
  if (content === undefined || blobHash(algorithm, content) !== hash)
    return standIn(`it changed while it was read: ${hash}`);
  budget.files -= 1;
  budget.bytes -= content.length;
  return { mode, hash: writeBlob(folder, algorithm, content) };
}

function readContent(root: string, path: string, mode: string): Buffer | 'large' | undefined {
  const file = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  try {
    if (mode === '120000') return readlinkSync(file, 'buffer');
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return fstatSync(descriptor).size > LARGEST_FILE ? 'large' : readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

function header(content: Buffer): string {
  return `blob ${content.length}\0`;
}

function blobHash(algorithm: HashAlgorithm, content: Buffer): string {
  return createHash(algorithm).update(header(content)).update(content).digest('hex');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A loose object, as git keeps them. */
function writeBlob(folder: string, algorithm: HashAlgorithm, content: Buffer): string {
  const hash = blobHash(algorithm, content);
  const below = join(folder, 'objects', hash.slice(0, 2));
  mkdirSync(below, { recursive: true });
  writeWhole(below, hash.slice(2), deflateSync(Buffer.concat([Buffer.from(header(content)), content])));
  return hash;
}

/** There whole or not at all: the process may be killed at any time. */
function writeWhole(folder: string, name: string, content: string | Buffer): void {
  const temporary = join(folder, `${name}.tmp-${process.pid}`);
  writeFileSync(temporary, content);
  renameSync(temporary, join(folder, name));
}
