// inside: a file below a folder, whatever the name says (S4). Walks down one name at a time and follows no symlink.

import { closeSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import type { LogSink } from '../../ports/store.ts';
import { diskFault, errorCode, misuse } from './disk-fault.ts';
import { writeAll } from './whole-file.ts';

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

/** Plain writes, not durable, nothing buffered. The file is opened with the first one, or at once where that matters. */
export function sinkInside(
  root: string,
  relative: string,
  flags: number,
  when: 'now' | 'first-write',
): LogSink {
  const opened = (): number => {
    try {
      return openSync(pathInside(root, relative, true) as string, flags);
    } catch (error) {
      if (errorCode(error) === 'ELOOP') throw outside(relative, 'it is a symlink');
      throw diskFault(error, `write ${join(root, relative)}`);
    }
  };
  let file = when === 'now' ? opened() : undefined;
  let ended = false;
  return {
    write(chunk) {
      if (ended) throw misuse(`${relative} was ended: nothing can be written to it`);
      file ??= opened();
      try {
        writeAll(file, chunk, chunk.length, null);
      } catch (error) {
        throw diskFault(error, `write ${join(root, relative)}`);
      }
    },
    end() {
      ended = true;
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

export function outside(relative: string, why: string): Fault {
  return new Fault('path-outside', `${JSON.stringify(relative)} would leave the folder of the run: ${why}`, {
    hint: 'Name a file below that folder, without "..", and let no symlink stand on the way.',
  });
}
