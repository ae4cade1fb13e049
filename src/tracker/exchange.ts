// exchange: writing a file that others write at the same time, without a lock that somebody could die with.
// X1. A new text is claimed before it is put in place, by a name made of what it replaces: `0007.<hash>.next`. The file
//     system gives that name to exactly one (`link`), so of two who read the same text one wins and the other reads again.
// X2. A claim is whole and on the disk before it can be seen. Whoever meets one whose text is still current puts it in
//     place, so a process that was killed in between stops nobody, and what it had claimed is not lost.
// X3. Only its maker takes a claim away, and only where it did not come to be: that the name is gone tells the maker that
//     its text is in place.

import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** What nobody finishes within it was left by somebody who was killed. */
const ABANDONED_MS = 60 * 60 * 1000;
const MOST_BYTES = 4 * 1024 * 1024;

export interface Places {
  /** Where the files are. */
  folder: string;
  /** On the same file system: texts on their way. */
  drafts: string;
}

/** Puts `after` in the place of `before`; false: the file is no longer what it was, nothing was done. */
export function replaceText(
  { folder, drafts }: Places,
  name: string,
  { before, after }: { before: string; after: string },
): boolean {
  const file = join(folder, name);
  const claim = join(drafts, `${numberIn(name)}.${hash(before)}.next`);
  if (!claimed(drafts, claim, after)) {
    if (readText(file) === before) putInPlace(claim, file); // X2
    return false;
  }
  if (readText(file) !== before) return !removed(claim); // X3
  putInPlace(claim, file);
  syncFolder(folder);
  return true;
}

/** Makes a file under a number that no other file has; false: another has it by now. */
export function addText({ folder, drafts }: Places, name: string, text: string): boolean {
  const number = numberIn(name);
  const claim = join(drafts, `${number}.new.next`);
  if (!claimed(drafts, claim, text)) return false;
  if (readdirSync(folder).some((other) => numberIn(other) === number)) {
    removed(claim);
    return false;
  }
  if (!putInPlace(claim, join(folder, name))) return false;
  syncFolder(folder);
  return true;
}

/** Removes what killed processes left. */
export function sweep(drafts: string): void {
  for (const name of readdirSync(drafts)) {
    const path = join(drafts, name);
    if (!/\.(?:tmp|next)$/.test(name)) continue;
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(path, { force: true });
  }
}

/** Undefined: not there, no file, too large, or no text. Symlinks are not followed, and a pipe never blocks. */
export function readText(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    // What is no UTF-8 would be damaged by writing it again.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** `0007` of `0007-add-a-parser.md`. */
export function numberIn(name: string): string | undefined {
  const found = /^(\d{1,9})(?:[-_. ].*)?\.md$/i.exec(name);
  return found === null ? undefined : String(Number(found[1])).padStart(4, '0');
}

function claimed(drafts: string, claim: string, text: string): boolean {
  const draft = join(drafts, `${randomUUID()}.tmp`);
  try {
    writeDurably(draft, text);
    linkSync(draft, claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, text);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** False: somebody else did. */
function putInPlace(claim: string, file: string): boolean {
  return unlessGone(() => renameSync(claim, file));
}

function removed(claim: string): boolean {
  return unlessGone(() => unlinkSync(claim));
}

function unlessGone(action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
