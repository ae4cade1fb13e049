// content-hash: what a path holds, as git would name its bytes: `mode:hash`, '' for nothing. No conversion is made.
// Paths are Latin-1, one character a byte, as run-git.ts gives them.
//
// H1. `cached`: a file is not read again while its device, inode, size, mode, mtime and ctime are the same. No program can
//     set ctime, short of changing the clock. A file that changed just now is read each time: its ctime may not move
//     once more, since clocks of file systems tick.

import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs';

export type HashAlgorithm = 'sha1' | 'sha256';

/** A file of this size or more is told apart by its inode and times: reading it takes too long. */
const LARGEST_READ = 32 * 1024 * 1024;
/** The slowest clock of a file system ticks every two seconds. */
const TICK_MS = 2100;
const MOST_CACHED = 500_000;

const cache = new Map<string, { looks: string; hash: string }>();

/** `nested` names a folder: one that is a repository of its own; undefined: as if nothing were there. */
export function contentHash(
  root: string,
  path: string,
  algorithm: HashAlgorithm,
  nested: (folder: string) => string | undefined,
  how: 'fresh' | 'cached' = 'fresh',
): string {
  const file = pathOf(root, path);
  try {
    const stats = lstatSync(file);
    if (stats.isDirectory()) {
      const inside = nested(file.toString());
      return inside === undefined ? '' : `160000:${inside}`;
    }
    if (stats.isSymbolicLink()) return `120000:${byteHash(algorithm, readlinkSync(file, 'buffer'))}`;
    if (!stats.isFile()) return 'special';
    const hash = how === 'fresh' ? fileHash(file, algorithm) : cachedHash(file, stats, algorithm);
    return `${stats.mode & 0o100 ? '100755' : '100644'}:${hash}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    if (code === 'EACCES' || code === 'EPERM' || code === 'ELOOP') return `unreadable:${code}`;
    throw error;
  }
}

function pathOf(root: string, path: string): string | Buffer {
  if (/^[\0-\x7f]*$/.test(path)) return `${root}/${path}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** As git hashes a blob. */
export function byteHash(algorithm: HashAlgorithm, content: Buffer): string {
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex');
}

function cachedHash(file: string | Buffer, stats: Stats, algorithm: HashAlgorithm): string {
  const looks = `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
  if (stats.size >= LARGEST_READ) return `large ${looks}`;
  const key = `${algorithm} ${typeof file === 'string' ? file : file.toString('latin1')}`;
  const known = cache.get(key);
  if (known?.looks === looks) return known.hash;
  const hash = fileHash(file, algorithm);
  if (cache.size >= MOST_CACHED) cache.clear();
  if (stats.ctimeMs < Date.now() - TICK_MS) cache.set(key, { looks, hash });
  else cache.delete(key);
  return hash;
}

const buffer = Buffer.allocUnsafe(2 ** 18);

function fileHash(file: string | Buffer, algorithm: HashAlgorithm): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const hash = createHash(algorithm).update(`blob ${fstatSync(descriptor).size}\0`);
    for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer))
      hash.update(buffer.subarray(0, length));
    return hash.digest('hex');
  } finally {
    closeSync(descriptor);
  }
}
