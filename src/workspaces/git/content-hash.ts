// content-hash: what a path holds, as git would name its bytes: `mode:hash`, '' for nothing. No conversion is made.
// Paths are Latin-1, one character a byte, as run-git.ts gives them.
// Small files are read at once: through promises each would take four times as long. Who asks for many gives way in
// between (turns.ts). Large files are read piece by piece.
//
// H1. A file is not read again while its device, inode, size, mtime and ctime are the same (file-looks.ts), and it had not
//     changed just before it was read.
// H2. What is known of a file is known in this process only. A record of it elsewhere could be written by others.

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
import { open } from 'node:fs/promises';
import { hadRested, looksOf } from './file-looks.ts';

export type HashAlgorithm = 'sha1' | 'sha256';

const MOST_KNOWN = 500_000;

export interface ContentOptions {
  algorithm: HashAlgorithm;
  /** Names a folder: one that is a repository of its own; undefined: as if nothing were there. */
  nested(folder: string): Promise<string | undefined>;
  /** How long a file must have been left alone, when it was read, to be known by its looks. In milliseconds. */
  restedMs?: number;
  /** A file of this size or more is told apart by its inode and times: reading it takes too long. */
  largest?: number;
}

export interface Contents {
  hash(root: string, path: string, options: ContentOptions): Promise<string>;
}

export function createContents(read: typeof readHash = readHash, now: () => number = Date.now): Contents {
  const known = new Map<string, { looks: string; hash: string; readAt: number }>();

  async function hashOf(file: string | Buffer, stats: Stats, options: ContentOptions): Promise<string> {
    const { algorithm, restedMs, largest = Number.POSITIVE_INFINITY } = options;
    const looks = looksOf(stats);
    if (stats.size >= largest) return `large ${looks}`;
    const key = `${algorithm} ${typeof file === 'string' ? file : file.toString('latin1')}`;
    const before = known.get(key);
    if (before?.looks === looks && hadRested(stats, before.readAt, restedMs)) return before.hash;
    const readAt = now();
    const hash = await read(file, stats, algorithm);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, { looks, hash, readAt });
    return hash;
  }

  return {
    async hash(root, path, options) {
      const file = pathOf(root, path);
      try {
        const stats = lstatSync(file);
        if (stats.isFile())
          return `${stats.mode & 0o100 ? '100755' : '100644'}:${await hashOf(file, stats, options)}`;
        if (stats.isSymbolicLink())
          return `120000:${byteHash(options.algorithm, readlinkSync(file, 'buffer'))}`;
        if (!stats.isDirectory()) return 'special';
        const inside = await options.nested(file.toString());
        return inside === undefined ? '' : `160000:${inside}`;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ENOTDIR') return '';
        if (code === 'EACCES' || code === 'EPERM' || code === 'ELOOP') return `unreadable:${code}`;
        throw error;
      }
    },
  };
}

/** What this process has read. */
export const contents = createContents();

function pathOf(root: string, path: string): string | Buffer {
  if (/^[\0-\x7f]*$/.test(path)) return `${root}/${path}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** As git hashes a blob. */
export function byteHash(algorithm: HashAlgorithm, content: Buffer): string {
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** A file that somebody put in its place meanwhile is not followed, and not waited for. */
const PLAINLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const SMALL = 2 ** 17;
const PIECE = 2 ** 20;
const buffer = Buffer.allocUnsafe(SMALL);

/** Reads a file and names its bytes. */
export async function readHash(
  file: string | Buffer,
  { size }: Stats,
  algorithm: HashAlgorithm,
): Promise<string> {
  return size < SMALL ? smallHash(file, algorithm) : await largeHash(file, algorithm);
}

function smallHash(file: string | Buffer, algorithm: HashAlgorithm): string {
  const descriptor = openSync(file, PLAINLY);
  try {
    const { size } = fstatSync(descriptor);
    const hash = createHash(algorithm).update(`blob ${size}\0`);
    for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer)) {
      hash.update(buffer.subarray(0, length));
      if (length === size) break;
    }
    return hash.digest('hex');
  } finally {
    closeSync(descriptor);
  }
}

async function largeHash(file: string | Buffer, algorithm: HashAlgorithm): Promise<string> {
  const handle = await open(file, PLAINLY);
  try {
    const hash = createHash(algorithm).update(`blob ${(await handle.stat()).size}\0`);
    const piece = Buffer.allocUnsafe(PIECE);
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, PIECE, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
