// whole-file: files that are there whole or not at all. Symlinks are never followed, and a pipe never blocks.

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode, isMissing } from './disk-fault.ts';

// Zero where a platform does not know the flag.
const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
export const openFlags = {
  read: constants.O_RDONLY | careful,
  readWrite: constants.O_RDWR | careful,
  update: constants.O_RDWR | constants.O_CREAT | careful,
  append: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | careful,
  write: constants.O_WRONLY | constants.O_CREAT | careful,
  create: constants.O_WRONLY | constants.O_EXCL | constants.O_CREAT | careful,
};

/** Every byte, however many calls it takes; `position` null: where the file stands. */
export function writeAll(file: number, bytes: Uint8Array, length: number, position: number | null): void {
  let written = 0;
  while (written < length) {
    try {
      const at = position === null ? null : position + written;
      const count = writeSync(file, bytes, written, length - written, at);
      if (count === 0) throw Object.assign(new Error('nothing could be written'), { code: 'ENOSPC' });
      written += count;
    } catch (error) {
      if (errorCode(error) !== 'EINTR') throw error;
    }
  }
}

/** A file that must not be there yet. Durable, its name excepted: that is the folder's. */
export function writeNew(path: string, text: string, mode = 0o666): void {
  const file = openSync(path, openFlags.create, mode);
  try {
    const bytes = Buffer.from(text);
    writeAll(file, bytes, bytes.length, null);
    fdatasyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Readers see the old text or the new one. Not durable: for what can be made again. */
export function replaceWhole(folder: string, name: string, text: string | readonly string[]): void {
  const draft = join(folder, `.${name}.tmp`);
  const file = openAnew(draft);
  try {
    for (const bytes of batches(typeof text === 'string' ? [text] : text))
      writeAll(file, bytes, bytes.length, null);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(draft, join(folder, name));
}

/** As `replaceWhole`, and durable. Whatever has the name goes, a folder too. */
export function replaceDurably(folder: string, name: string, pieces: Iterable<Uint8Array>): void {
  const draft = join(folder, `.${name}.tmp`);
  const path = join(folder, name);
  const file = openAnew(draft);
  try {
    for (const bytes of pieces) writeAll(file, bytes, bytes.length, null);
    fdatasyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { recursive: true });
  renameSync(draft, path);
  syncFolder(folder);
}

const BATCH = 1 << 18;

/** Few writes, and never the whole text twice in memory. */
function* batches(pieces: readonly string[]): Generator<Buffer> {
  let batch: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    batch.push(piece);
    length += piece.length;
    if (length < BATCH) continue;
    yield Buffer.from(batch.join(''));
    batch = [];
    length = 0;
  }
  yield Buffer.from(batch.join(''));
}

/** Whatever stands in its place goes: left by a crash, or planted. */
function openAnew(path: string): number {
  try {
    return openSync(path, openFlags.create);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    rmSync(path, { recursive: true, force: true });
    return openSync(path, openFlags.create);
  }
}

export function readWhole(path: string, limit = Number.POSITIVE_INFINITY): string | undefined {
  let file: number;
  try {
    file = openSync(path, openFlags.read);
  } catch (error) {
    if (isMissing(error) || errorCode(error) === 'ELOOP') return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= limit ? readFileSync(file, 'utf8') : undefined;
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder durable. Some platforms cannot open one: there is nothing to do there then. */
export function syncFolder(folder: string): void {
  let file: number;
  try {
    file = openSync(folder, constants.O_RDONLY);
  } catch (error) {
    if (process.platform === 'win32') return;
    throw error;
  }
  try {
    fsyncSync(file);
  } catch (error) {
    if (errorCode(error) !== 'EINVAL' && process.platform !== 'win32') throw error;
  } finally {
    closeSync(file);
  }
}
