// own-folders: whether a file lies in a folder that only git or Lockstep write: `.git` and what it leads to in a worktree, a
// submodule or a repository whose folder lies elsewhere; and the folder of runs, wherever it is. Told by the path and by
// what the disk says: a mount, another case of the letters or a hard link give the same folder or file another name.

import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { Fault } from '../model/fault.ts';
import { OWN_PLACE_WORDS, type OwnPlace, ownPlaceOf } from '../model/own-place.ts';
import { type Boundary, isWithin, normalise, quote, realSegments } from './boundary.ts';
import { commonFolder, findGitRoot } from './git-root.ts';

/** So many names are looked at for the other name of a file that has several; beyond that it counts as found. */
const MOST_NAMES = 50_000;

type OwnFolder = [place: OwnPlace, folder: string];

function ownFolders(boundary: Boundary, run: string | undefined): OwnFolder[] {
  const gitFolder = findGitRoot(boundary.real)?.gitFolder;
  const git = gitFolder === undefined ? [] : [...new Set([gitFolder, commonFolder(gitFolder)])];
  return [
    ...git.map((folder): OwnFolder => ['git', folder]),
    ...(run === undefined || !isAbsolute(run) ? [] : [['runs', runsFolder(boundary, run)] as OwnFolder]),
  ];
}

/** What all runs lie in; where the workspace lies in that as well, this run alone. */
function runsFolder(boundary: Boundary, run: string): string {
  const all = dirname(realOr(run));
  return isWithin(all, boundary.real) ? run : all;
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** `place`: absolute, links followed; it need not be there. */
export function ownPlaceAt(boundary: Boundary, place: string, run?: string): OwnPlace | undefined {
  const named = ownPlaceOf(place);
  if (named !== undefined) return named;
  const folders = ownFolders(boundary, run);
  const known = folders.map(([own, folder]) => [own, identity(folder)] as const);
  for (let at = place; ; at = dirname(at)) {
    const id = identity(at);
    const found = id === undefined ? undefined : known.find(([, other]) => other === id);
    if (found !== undefined) return found[0];
    if (at === dirname(at)) break;
  }
  return linkedFrom(place, folders);
}

function identity(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** A file with several names may have one of them in such a folder. */
function linkedFrom(place: string, folders: readonly OwnFolder[]): OwnPlace | undefined {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.nlink === 1) return undefined;
  let left = MOST_NAMES;
  const holds = (folder: string): boolean =>
    entries(folder).some((entry) => {
      left -= 1;
      if (left < 0) return true;
      const path = join(folder, entry.name);
      // What is in `objects` is read by its content: whoever changes it breaks it, and git says so.
      if (entry.isDirectory()) return entry.name !== 'objects' && holds(path);
      const other = entry.isFile() ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
      return other !== undefined && other.ino === stats.ino && other.dev === stats.dev;
    });
  return folders.find(([, folder]) => holds(folder))?.[0];
}

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Throws where a step would write a file that is not a step's to write. */
export function refuseOwnPlace(boundary: Boundary, path: string, run?: string): void {
  const place = join(boundary.real, ...realSegments(boundary, path));
  const own = ownPlaceOf(normalise(boundary, path)) ?? ownPlaceAt(boundary, place, run);
  if (own !== undefined) throw refused(path, own);
}

/** The same of something that is moved away: a folder takes what is in it along. */
export function refuseMovingOwnPlace(boundary: Boundary, path: string, run?: string): void {
  refuseOwnPlace(boundary, path, run);
  const place = join(boundary.real, ...realSegments(boundary, path));
  const moved = ownFolders(boundary, run).find(([, folder]) => isWithin(place, folder));
  if (moved !== undefined) throw refused(path, moved[0]);
}

function refused(path: string, own: OwnPlace): Fault {
  return new Fault('path-protected', `${quote(path)} cannot be written: ${OWN_PLACE_WORDS[own]}`, {
    hint: 'Write it to another place of the workspace.',
    exitCode: 2,
  });
}
