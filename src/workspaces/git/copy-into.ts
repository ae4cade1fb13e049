// copy-into: folders as they are, as cheaply as the disk allows.

import { constants, lstatSync, readdirSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Nothing happens where there is nothing. Links stay links. */
export async function copyInto(from: string, to: string): Promise<void> {
  if (lstatSync(from, { throwIfNoEntry: false }) === undefined) return;
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    // A socket or a pipe is of no use in a copy.
    filter: (path) => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats?.isFile() === true || stats?.isDirectory() === true || stats?.isSymbolicLink() === true;
    },
  });
}

const DEEPEST = 5;

/** Folders of that name, from the root; none within another. */
export function foldersCalled(name: string, root: string, below = '', depth = 0): string[] {
  if (depth > DEEPEST) return [];
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name === '.git') return [];
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.name === name ? [path] : foldersCalled(name, root, path, depth + 1);
  });
}
