// inside: files and folders of a run, whatever a name says (S4) and whatever was put in their place (F4). Walks down one
// name at a time and follows no symlink; a file that has a second name (a hard link) gets a copy of its own first.

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import type { LogSink } from '../../ports/store.ts';
import { diskFault, errorCode, isMissing, misuse, partReplaced } from './disk-fault.ts';
import { writeAll } from './whole-file.ts';

/**
 * Makes sure that a folder of a run is one of its own. Made where it is missing, but not the folders around it: a run that
 * was removed a moment ago must not come back as an empty folder. Fault `run-part-replaced`.
 */
export function ownFolder(folder: string): string {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) makeFolder(folder);
  else if (!stats.isDirectory())
    throw partReplaced(folder, stats.isSymbolicLink() ? 'a symlink' : 'not a folder');
  return folder;
}

/** Another process may make it at the same moment. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !isOwnFolder(folder)) throw error;
  }
}

/** False where it is missing, too. */
export function isOwnFolder(folder: string): boolean {
  try {
    return lstatSync(folder).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The path of the file, its folders made where `make` says so; undefined: a folder on the way is not there. */
export function pathInside(root: string, relative: string, make: boolean): string | undefined {
  const names = relative.split('/');
  const last = names.pop() ?? '';
  let folder = root;
  for (const name of ['', ...names]) {
    folder = name === '' ? folder : join(folder, name);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) {
      if (!make) return undefined;
      mkdirSync(folder);
    } else if (!stats.isDirectory()) {
      throw outside(relative, `${folder} is not a folder`);
    }
  }
  return join(folder, last);
}

/** Plain writes, not durable, nothing buffered. `isAnew`: it is opened and emptied at once; else with the first write. */
export function sinkInside(root: string, relative: string, flags: number, how: { isAnew: boolean }): LogSink {
  const opened = (): number => {
    try {
      return openOwn(pathInside(root, relative, true) as string, flags, how.isAnew);
    } catch (error) {
      if (errorCode(error) === 'ELOOP') throw outside(relative, 'it is a symlink');
      throw diskFault(error, `write ${join(root, relative)}`);
    }
  };
  let file = how.isAnew ? opened() : undefined;
  let ended = false;
  let failed: Fault | undefined;
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    write(chunk) {
      if (failed) throw failed;
      if (ended) throw misuse(`${relative} was ended: nothing can be written to it`);
      file ??= opened();
      try {
        writeAll(file, chunk, chunk.length, null);
      } catch (error) {
        // Who writes may give up here, and never come to `end`.
        close();
        failed = diskFault(error, `write ${join(root, relative)}`);
        throw failed;
      }
    },
    end() {
      ended = true;
      close();
    },
  };
}

/** What is written here must not show under another name: that may be a file of the user. */
function openOwn(path: string, flags: number, isAnew: boolean): number {
  let file = openSync(path, flags);
  try {
    if (fstatSync(file).nlink > 1) {
      closeSync(file);
      file = -1;
      separate(path);
      file = openSync(path, flags);
    }
    if (isAnew && fstatSync(file).isFile()) ftruncateSync(file, 0);
    return file;
  } catch (error) {
    if (file >= 0) closeSync(file);
    throw error;
  }
}

function separate(path: string): void {
  const draft = join(dirname(path), `.tmp-${randomUUID()}`);
  try {
    copyFileSync(path, draft, constants.COPYFILE_EXCL);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

export function outside(relative: string, why: string): Fault {
  return new Fault('path-outside', `${JSON.stringify(relative)} would leave the folder of the run: ${why}`, {
    hint: 'Name a file below that folder, without "..", and let no symlink stand on the way.',
  });
}
