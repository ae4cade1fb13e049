// kept-tree: a work tree as it is at a moment, kept in a folder of the run, so that a person can be shown later what
// changed since, line by line, whatever happens to the files in between.
// Owns: which content of a look (whole-look.ts) is kept, and how two of them are compared. Never: writes into the
// repository (W3), or applies a filter: content is kept as it lies in the folder.
//
// K1. Of a file that HEAD has unchanged nothing is kept: the repository has it.
// K2. What is shown is what was fingerprinted: a file that changes while it is read is named, and not shown.
// K3. Very large files, and very many, are named with their hash and not kept.
// K4. Git works in a repository that is made for this one call (kept-folder.ts) and only borrows objects: no attribute, no
//     setting, no replacement, neither of the repository that is looked at nor of the run's folder, can keep a change out of
//     what is shown, or start a program.

import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedFile, KeptTree } from '../../model/entry.ts';
import type { TreeChanges } from '../../ports/workspace.ts';
import { compareBytes } from '../byte-order.ts';
import { commonFolder, findGitRoot } from '../git-root.ts';
import { turns } from '../turns.ts';
import { byteHash } from './content-hash.ts';
import { openKept, privateRepository, readPrint, sha256, writeBlob, writePrint } from './kept-folder.ts';
import { askGit, type GitCall, runGitAside } from './run-git.ts';
import type { Place } from './snapshot.ts';
import { isOfRepository, lookDifferences, printOf, readLook, type WholeLook } from './whole-look.ts';

const MOST_FILES = 5000;
const LARGEST_FILE = 8 * 1024 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;

/** Where the content cannot be kept (a full disk, a damaged repository) only the digest is. */
export async function keepTree(
  place: Place,
  folder: string,
  look: () => Promise<WholeLook>,
): Promise<KeptTree> {
  openKept(folder);
  const seen = await look();
  const digest = await writePrint(folder, printOf(seen));
  try {
    return { digest, tree: await writeTree(place, folder, seen) };
  } catch {
    return { digest };
  }
}

export async function compareTrees(
  place: Place,
  folder: string,
  [from, to]: [KeptTree, KeptTree],
): Promise<TreeChanges> {
  openKept(folder);
  const then = readLook(await readPrint(folder, from.digest));
  const now = readLook(await readPrint(folder, to.digest));
  const counts = new Map<string, Pick<ChangedFile, 'added' | 'removed'>>();
  let patch: string | undefined;
  const trees = [from.tree, to.tree].filter((tree) => tree !== undefined);
  if (trees.length === 2) {
    try {
      patch = await inPrivate(place, folder, async (call) => {
        const diff = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
        const numbers = await runGitAside(place.root, [...diff, '-z', '--numstat', ...trees], call);
        for (const record of numbers.split('\0')) {
          const [added = '', removed = '', ...rest] = record.split('\t');
          if (rest.length > 0) counts.set(rest.join('\t'), lineCounts(added, removed));
        }
        return await runGitAside(place.root, [...diff, '--patch', '--full-index', ...trees], call);
      });
    } catch {
      counts.clear(); // an object is gone: names are what is left
    }
  }
  // All that differ, also those of which no content is kept.
  const named = [...new Set([...(await lookDifferences(place, then, now)), ...counts.keys()])];
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

/** Git works in a repository of our own, and reads the objects of the other one as well. */
async function inPrivate<T>(
  { root, algorithm }: Place,
  folder: string,
  work: (call: GitCall) => Promise<T>,
): Promise<T> {
  const gitFolder = findGitRoot(root)?.gitFolder ?? join(root, '.git');
  const borrowed = join(commonFolder(gitFolder), 'objects');
  const { env, remove } = privateRepository(join(folder, 'objects'), borrowed, algorithm);
  try {
    return await work({ env });
  } finally {
    remove();
  }
}

async function writeTree(place: Place, folder: string, { head, files, inHead }: WholeLook): Promise<string> {
  const { prefix, algorithm, root } = place;
  const none = '0'.repeat(algorithm === 'sha256' ? 64 : 40);
  const budget = { files: MOST_FILES, bytes: MOST_BYTES };
  const gone: string[] = [];
  const there: string[] = [];
  const giveWay = turns();
  for (const path of new Set([...files.keys(), ...inHead.keys()])) {
    const held = files.get(path) ?? '';
    // Git takes no path of the repository itself.
    if (isOfRepository(path) || held === inHead.get(path)) continue;
    const wait = giveWay();
    if (wait) await wait;
    const kept = keepFile(place, folder, path, held, budget);
    if (kept === undefined) gone.push(`0 ${none}\t${path}\0`);
    else if (`${kept.mode}:${kept.hash}` !== inHead.get(path))
      there.push(`${kept.mode} ${kept.hash}\t${path}\0`);
  }
  return await inPrivate(place, folder, async (call) => {
    const below = Buffer.from(prefix, 'latin1').toString().replace(/\/$/, '');
    const revision = ['rev-parse', '--verify', '--quiet', `${head}:${below}`];
    const base = head === '' ? undefined : askGit(root, revision, call)?.trim();
    const input = [...gone, ...there].join('');
    // Most looks differ in nothing from HEAD: its tree is there already.
    if (input === '' && base !== undefined) return base;
    await runGitAside(root, ['read-tree', base ?? '--empty'], call);
    if (input !== '')
      await runGitAside(root, ['update-index', '--replace', '-z', '--index-info'], { ...call, input });
    return (await runGitAside(root, ['write-tree', '--missing-ok'], call)).trim();
  });
}

interface Kept {
  mode: string;
  hash: string;
}

/** `held`: what the look says the path holds. Undefined: nothing. */
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
    const [, clean] = /^([0-9a-f]{40,64}) /.exec(hash) ?? [];
    return clean ? { mode, hash: clean } : standIn(`a repository with changes of its own: ${sha256(hash)}`);
  }
  // One text for all of them: of tens of thousands of files no object is written for each.
  if (budget.files === 0) return standIn('too many files to be shown');
  const content = readContent(root, path, mode);
  if (content === 'large' || (content?.length ?? 0) > budget.bytes)
    return standIn(`too large to be shown: ${hash}`);
  if (content === undefined || byteHash(algorithm, content) !== hash)
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
