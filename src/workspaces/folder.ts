// folder: opens a folder below the workspace one segment at a time, refusing symlinks, so that what boundary.ts
// checked is what is used, also when somebody puts a symlink there in between. On Linux names are then looked up
// through the open folder itself (/proc/self/fd/N/name is what openat is elsewhere); where there is no /proc they are
// looked up by path again, which leaves a moment between the look and the use.

import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Boundary, outside } from './boundary.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const throughDescriptors = existsSync('/proc/self/fd');

export interface Folder {
  /** A path that names an entry of this very folder. */
  at(name: string): string;
}

/** `path` is what the user wrote, for messages. With `create`, folders that are missing are made. */
export function withFolder<T>(
  boundary: Boundary,
  segments: string[],
  { path, create = false }: { path: string; create?: boolean },
  use: (folder: Folder) => T,
): T {
  let place = boundary.real;
  let descriptor = openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const at = (name: string) =>
    throughDescriptors ? `/proc/self/fd/${descriptor}/${name}` : join(place, name);
  try {
    for (const segment of segments) {
      if (create) makeFolder(at(segment));
      const next = openStep(boundary, path, at(segment));
      closeSync(descriptor);
      descriptor = next;
      place = join(place, segment);
    }
    return use({ at });
  } finally {
    closeSync(descriptor);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function openStep(boundary: Boundary, path: string, entry: string): number {
  try {
    return openSync(entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    throwIfLink(boundary, path, entry);
    throw error;
  }
}

/** Every link was followed before: one that is here now was put here since. */
export function throwIfLink(boundary: Boundary, path: string, entry: string): void {
  if (lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink())
    throw outside(
      boundary,
      path,
      'a symlink that was put there while the path was in use',
      'Nothing was read or written.',
    );
}
