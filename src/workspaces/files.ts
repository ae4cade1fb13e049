// files: what a run reads and writes in its workspace. Each operation checks its path anew and works on what it
// checked (boundary.ts, folder.ts).
//
// F1. A reader of a file that is written sees the old or the new content, whole.
// F2. Only regular files are opened: a pipe or a device would block or do something else than store.
// F3. A move overwrites nothing, and one that a crash cut short is finished by moving again: the new name is made
//     before the old one goes.

import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, join, posix } from 'node:path';
import { Fault } from '../model/fault.ts';
import type { OpenFile, Workspace } from '../ports/workspace.ts';
import { type Boundary, normalise, quote, realSegments } from './boundary.ts';
import { fileFault } from './file-fault.ts';
import { type Folder, throwIfLink, withFolder } from './folder.ts';
import { glob } from './glob.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Larger than anything a prompt or a handler takes whole; what is larger is streamed or named, not read. */
const mostBytesRead = 256 * 2 ** 20;

export type WorkspaceFiles = Pick<
  Workspace,
  'root' | 'resolve' | 'glob' | 'exists' | 'read' | 'open' | 'write' | 'move' | 'sink'
>;

export function workspaceFiles(boundary: Boundary): WorkspaceFiles {
  return {
    root: boundary.root,
    resolve(path) {
      realSegments(boundary, path);
      return join(boundary.root, normalise(boundary, path));
    },
    glob: (pattern, syntax) => glob(boundary, pattern, syntax),
    exists(path) {
      return faults(path, 'read', () => isThere(join(boundary.real, ...realSegments(boundary, path))));
    },
    read: (path) => faults(path, 'read', () => read(boundary, path)),
    open: (path) => faults(path, 'read', () => open(boundary, path)),
    write: (path, content) => faults(path, 'written', () => write(boundary, path, content)),
    move: (from, to) => faults(from, 'moved', () => move(boundary, from, to)),
    sink: (path) => faults(path, 'written', () => sink(boundary, path)),
  };
}

function faults<T>(path: string, action: 'read' | 'written' | 'moved', work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileFault(error, path, action);
  }
}

function isThere(place: string): boolean {
  try {
    lstatSync(place);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

function read(boundary: Boundary, path: string): Uint8Array {
  const { parent, name } = split(realSegments(boundary, path), path);
  return withFolder(boundary, parent, { path }, (folder) => {
    const descriptor = openRegular(boundary, path, folder.at(name), O_RDONLY);
    try {
      const { size } = fstatSync(descriptor);
      if (size > mostBytesRead)
        throw new Fault(
          'content-too-large',
          `${quote(path)} has ${size} bytes; at most ${mostBytesRead} are read at once`,
          {
            hint: 'Give its name instead of its content, or let a command read it.',
          },
        );
      return readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

function open(boundary: Boundary, path: string): OpenFile {
  const segments = realSegments(boundary, path);
  if (segments.length === 0) return opened(openSync(boundary.real, O_RDONLY | O_NOFOLLOW), path);
  const { parent, name } = split(segments, path);
  return withFolder(boundary, parent, { path }, (folder) =>
    opened(openEntry(boundary, path, folder.at(name), O_RDONLY), path),
  );
}

function opened(descriptor: number, path: string): OpenFile {
  const stats = fstatSync(descriptor);
  let isOpen = true;
  return {
    kind: stats.isDirectory() ? 'folder' : 'file',
    bytes: stats.isDirectory() ? 0 : stats.size,
    descriptor,
    read: (into, position) =>
      stats.isDirectory()
        ? 0
        : faults(path, 'read', () => readSync(descriptor, into, 0, into.length, position)),
    close() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

function write(boundary: Boundary, path: string, content: string | Uint8Array): void {
  const { parent, name } = split(realSegments(boundary, path), path);
  withFolder(boundary, parent, { path, create: true }, (folder) => {
    const { descriptor, beside } = openBeside(folder);
    try {
      try {
        writeWhole(descriptor, typeof content === 'string' ? Buffer.from(content) : content);
        const old = lstatSync(folder.at(name), { throwIfNoEntry: false });
        if (old?.isFile()) fchmodSync(descriptor, old.mode & 0o7777);
        fdatasyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(beside, folder.at(name));
    } catch (error) {
      unlinkSync(beside);
      throw error;
    }
  });
}

/** A `to` that ends in `/` is a folder to move into, under the old name. A symlink is moved itself. */
function move(boundary: Boundary, from: string, to: string): void {
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

function sink(boundary: Boundary, path: string): { write(chunk: Uint8Array): void; end(): void } {
  const { parent, name } = split(realSegments(boundary, path), path);
  const descriptor = withFolder(boundary, parent, { path, create: true }, (folder) =>
    openRegular(boundary, path, folder.at(name), O_WRONLY | O_CREAT),
  );
  let open = true;
  ftruncateSync(descriptor);
  return {
    write: (chunk) => faults(path, 'written', () => writeWhole(descriptor, chunk)),
    end() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

function openRegular(boundary: Boundary, path: string, entry: string, flags: number): number {
  const descriptor = openEntry(boundary, path, entry, flags);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
}

/** A file or a folder. Without O_TRUNC: nothing is lost before it is known to be a file of ours. */
function openEntry(boundary: Boundary, path: string, entry: string, flags: number): number {
  let descriptor: number;
  try {
    descriptor = openSync(entry, flags | O_NOFOLLOW | O_NONBLOCK, 0o666);
  } catch (error) {
    throwIfLink(boundary, path, entry);
    throw error;
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile() || stats.isDirectory()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error('ENXIO'), { code: 'ENXIO' });
}

let besides = 0;

/** A new file to be renamed into place. The name is known to changed(), which leaves it out. */
function openBeside(folder: Folder): { descriptor: number; beside: string } {
  for (;;) {
    besides += 1;
    const beside = folder.at(`.lockstep-${process.pid}-${besides}.tmp`);
    try {
      return { beside, descriptor: openSync(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666) };
    } catch (error) {
      // Left by a process that was killed and had our number.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

function split(segments: string[], path: string): { parent: string[]; name: string } {
  const name = segments.at(-1);
  if (name === undefined)
    throw new Fault('file-failed', `${quote(path)} is the workspace itself, not a file in it`);
  return { parent: segments.slice(0, -1), name };
}

/** The links before the last segment are followed; the last is taken as it is, but may not lead outside either. */
function unfollowed(boundary: Boundary, path: string): { parent: string[]; name: string } {
  realSegments(boundary, path);
  const normal = normalise(boundary, path);
  const { name } = split(normal.split('/').filter(Boolean), path);
  return { parent: realSegments(boundary, posix.dirname(normal)), name };
}
