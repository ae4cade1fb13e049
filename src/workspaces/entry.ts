// entry: one name in a folder of the workspace.

import { constants, openSync } from 'node:fs';
import { Fault } from '../model/fault.ts';
import { quote } from './boundary.ts';
import type { Folder } from './folder.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

export interface EntryPlace {
  parent: string[];
  name: string;
}

/** `path` is what the user wrote, for messages. */
export function entryOf(segments: string[], path: string): EntryPlace {
  const name = segments.at(-1);
  if (name === undefined)
    throw new Fault('file-failed', `${quote(path)} is the workspace itself, not a file in it`);
  return { parent: segments.slice(0, -1), name };
}

let besides = 0;

/** A new file to be renamed into place. The name is known to changed(), which leaves it out. */
export function openBeside(folder: Folder): { descriptor: number; beside: string } {
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
