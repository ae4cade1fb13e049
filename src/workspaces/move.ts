// move: within the workspace, overwriting nothing.
//
// F3. A move that a crash cut short is finished by moving again: the new name is made before the old one goes.

import { closeSync, copyFileSync, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { Fault } from '../model/fault.ts';
import { type Boundary, normalise, quote, realSegments } from './boundary.ts';
import { type EntryPlace, entryOf, openBeside } from './entry.ts';
import { type Folder, withFolder } from './folder.ts';

/** A `to` that ends in `/` is a folder to move into, under the old name. A symlink is moved itself. */
export function move(boundary: Boundary, from: string, to: string): void {
  realSegments(boundary, to);
  const target = to.endsWith('/') ? `${to}${basename(normalise(boundary, from))}` : to;
  const source = unfollowed(boundary, from);
  const goal = unfollowed(boundary, target);
  const isItself = [...source.parent, source.name].join('/') === [...goal.parent, goal.name].join('/');
  withFolder(boundary, source.parent, { path: from }, (here) => {
    if (!lstatSync(here.at(source.name), { throwIfNoEntry: false }))
      throw new Fault(
        'file-not-found',
        `${quote(from)} could not be moved: there is no such file in the workspace`,
      );
    withFolder(boundary, goal.parent, { path: target, create: true }, (there) => {
      if (!isItself) moveEntry(here.at(source.name), there, goal.name, { from, target });
    });
  });
}

function moveEntry(
  source: string,
  there: Folder,
  name: string,
  { from, target }: { from: string; target: string },
): void {
  const goal = there.at(name);
  const old = lstatSync(source);
  const present = lstatSync(goal, { throwIfNoEntry: false });
  if (present?.isDirectory())
    throw new Fault('file-exists', `${quote(from)} could not be moved: ${quote(target)} is a folder`, {
      hint: `To move it into that folder, end the path with a slash: ${quote(`${target}/`)}.`,
    });
  if (present !== undefined && present.ino === old.ino && present.dev === old.dev) {
    // One name in two spellings, where case does not count; or both names of a move that a crash cut short (F3).
    if (old.nlink === 1) renameSync(source, goal);
    else unlinkSync(source);
    return;
  }
  if (present !== undefined) throw taken(from, target);
  if (old.isDirectory()) {
    renameSync(source, goal);
    return;
  }
  try {
    linkSync(source, goal);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken(from, target);
    if (code === 'EXDEV') return copyOver(source, there, name);
    // A file system without hard links: a file put there since it was looked for would be replaced.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'].includes(code)) throw error;
    return renameSync(source, goal);
  }
  unlinkSync(source);
}

/** Another disk is mounted inside the workspace. */
function copyOver(source: string, there: Folder, name: string): void {
  const { descriptor, beside } = openBeside(there);
  closeSync(descriptor);
  try {
    copyFileSync(source, beside);
    renameSync(beside, there.at(name));
  } catch (failure) {
    unlinkSync(beside);
    throw failure;
  }
  unlinkSync(source);
}

function taken(from: string, target: string): Fault {
  return new Fault(
    'file-exists',
    `${quote(from)} could not be moved: ${quote(target)} is there already, and nothing is overwritten`,
    { hint: 'Move it to another name or folder, or take the old file away first.' },
  );
}

/** The links before the last segment are followed; the last is taken as it is, but may not lead outside either. */
function unfollowed(boundary: Boundary, path: string): EntryPlace {
  realSegments(boundary, path);
  const normal = normalise(boundary, path);
  const { name } = entryOf(normal.split('/').filter(Boolean), path);
  return { parent: realSegments(boundary, posix.dirname(normal)), name };
}
