// content-hash: what a path holds, as git would name it (conversions of line ends aside): `mode:hash`, '' for nothing.
// Paths are Latin-1, one character a byte, as run-git.ts gives them.

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs';

export type HashAlgorithm = 'sha1' | 'sha256';

/** `nested` names a folder: one that is a repository of its own. */
export function contentHash(
  root: string,
  path: string,
  algorithm: HashAlgorithm,
  nested: (folder: string) => string,
): string {
  const file = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  try {
    const stats = lstatSync(file);
    if (stats.isDirectory()) return `160000:${nested(file.toString())}`;
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(file, 'buffer');
      return `120000:${createHash(algorithm).update(`blob ${target.length}\0`).update(target).digest('hex')}`;
    }
    if (!stats.isFile()) return 'special';
    return `${stats.mode & 0o100 ? '100755' : '100644'}:${fileHash(file, algorithm)}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    if (code === 'EACCES' || code === 'EPERM' || code === 'ELOOP') return `unreadable:${code}`;
    throw error;
  }
}

function fileHash(file: Buffer, algorithm: HashAlgorithm): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const hash = createHash(algorithm).update(`blob ${fstatSync(descriptor).size}\0`);
    const buffer = Buffer.allocUnsafe(2 ** 18);
    for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer))
      hash.update(buffer.subarray(0, length));
    return hash.digest('hex');
  } finally {
    closeSync(descriptor);
  }
}
