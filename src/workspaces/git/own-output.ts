// own-output: the files that our own standard output and standard error go to (`lockstep run x > run.log`). We write to them
// all the time, and whoever redirected us there knows: they are no change of a workspace.
//
// O1. Told by what the file is (device and inode), since a process is not told the name of what it prints to.
// O2. Under one name only, the first that was met: a file that is moved or linked to another place is a change there.

import { fstatSync, lstatSync } from 'node:fs';

let files: string[] | undefined;
const names = new Map<string, string>();

/** `path`: from the root, in Latin-1, which has each byte of a name as one character. */
export function isOwnOutput(root: string, path: string): boolean {
  files ??= [1, 2].flatMap((descriptor) => identity(() => fstatSync(descriptor)) ?? []);
  if (files.length === 0) return false;
  const place = `${Buffer.from(root).toString('latin1')}/${path}`;
  const file = identity(() => lstatSync(Buffer.from(place, 'latin1')));
  if (file === undefined || !files.includes(file)) return false;
  const name = names.get(file);
  if (name === undefined) names.set(file, place);
  return name === undefined || name === place;
}

function identity(look: () => ReturnType<typeof lstatSync>): string | undefined {
  try {
    const stats = look();
    return stats?.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}
