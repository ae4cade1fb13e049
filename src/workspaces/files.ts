// files: what a run reads and writes in its workspace. Each operation checks its path anew and works on what it
// checked (boundary.ts, folder.ts).
//
// F1. A reader of a file that is written sees the old or the new content, whole.
// F4. `.git` and the folder of runs are not written, whatever they are called on the way (own-folders.ts).
// F2. Only regular files are opened: a pipe or a device would block or do something else than store.

import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../model/fault.ts';
import type { OpenFile, Workspace } from '../ports/workspace.ts';
import { type Boundary, locate, normalise, quote, realSegments } from './boundary.ts';
import { entryOf, openBeside } from './entry.ts';
import { fileFault } from './file-fault.ts';
import { throwIfLink, withFolder } from './folder.ts';
import { glob } from './glob.ts';
import { move } from './move.ts';
import { ownPlaceAt, refuseMovingOwnPlace, refuseOwnPlace } from './own-folders.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Larger than anything a prompt or a handler takes whole; what is larger is streamed or named, not read. */
const mostBytesRead = 256 * 2 ** 20;

export type WorkspaceFiles = Pick<
  Workspace,
  'root' | 'resolve' | 'locate' | 'glob' | 'exists' | 'read' | 'open' | 'write' | 'move' | 'sink'
>;

/** `run`: where the records of this run are, if that is known. */
export function workspaceFiles(boundary: Boundary, run?: string): WorkspaceFiles {
  return {
    root: boundary.root,
    resolve(path) {
      realSegments(boundary, path);
      return join(boundary.root, normalise(boundary, path));
    },
    locate(path) {
      const { place, ...located } = locate(boundary, path);
      const inside = ownPlaceAt(boundary, place, run);
      return inside === undefined ? located : { ...located, inside };
    },
    glob: (pattern, syntax) => glob(boundary, pattern, syntax),
    exists(path) {
      return faults(path, 'read', () => isThere(join(boundary.real, ...realSegments(boundary, path))));
    },
    read: (path) => faults(path, 'read', () => read(boundary, path)),
    open: (path) => faults(path, 'read', () => open(boundary, path)),
    write: (path, content) =>
      faults(path, 'written', () => {
        refuseOwnPlace(boundary, path, run);
        write(boundary, path, content);
      }),
    move: (from, to) =>
      faults(from, 'moved', () => {
        refuseMovingOwnPlace(boundary, from, run);
        refuseOwnPlace(boundary, to, run);
        move(boundary, from, to);
      }),
    sink: (path) =>
      faults(path, 'written', () => {
        refuseOwnPlace(boundary, path, run);
        return sink(boundary, path);
      }),
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
  const { parent, name } = entryOf(realSegments(boundary, path), path);
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
  const { parent, name } = entryOf(segments, path);
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
    modified: stats.mtimeMs,
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
  const { parent, name } = entryOf(realSegments(boundary, path), path);
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

function sink(boundary: Boundary, path: string): { write(chunk: Uint8Array): void; end(): void } {
  const { parent, name } = entryOf(realSegments(boundary, path), path);
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

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
