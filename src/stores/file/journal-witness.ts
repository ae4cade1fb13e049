// journal-witness: compares the open journal with the file under its name, once per flush.
// A process that writes through an open file does not notice when the name is given to another file, or the file to
// another writer. Two looks find that: one at the open file before a flush writes, one at the name after it.
// The times are a hint, not a proof. They may be the same after a foreign write (older kernels count in ticks of some
// milliseconds) and may differ although nothing was written (`chmod`, `touch`). So where only the times differ, the bytes
// are compared.

import { fstatSync, lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

export interface JournalWitness {
  /** The open file, before a flush writes: whether it is as the last flush left it. */
  isAsLeft(size: number): boolean;
  /** The file under the name, after a flush wrote: whether it is the open one, with this size. Its times are kept. */
  isInPlace(size: number): boolean;
  /** Says what was done to the journal, in words; undefined: nothing that matters. `matches` compares the bytes. */
  find(size: number, matches: () => boolean): Finding | undefined;
}

export interface Finding {
  /** A whole clause: `journal.jsonl was deleted`. */
  what: string;
  /** The whole folder of the run has another name now, and the journal in it is complete. */
  isMoved?: true;
}

/** So many false alarms are looked into at once; then only when the journal has doubled, so the cost stays small. */
const patience = 16;

export function journalWitness(file: number, path: string): JournalWitness {
  const first = fstatSync(file);
  // Some file systems and platforms number an open file and its name differently: what counts is that the name's stays.
  const named = look(() => lstatSync(path, { throwIfNoEntry: false })) ?? first;
  const links = Math.max(1, first.nlink);
  let { mtimeMs, ctimeMs } = first;
  let alarms = 0;
  let nextLook = 0;

  const isOwn = (there: Stats): boolean => there.ino === named.ino && there.dev === named.dev;

  return {
    isAsLeft(size) {
      const own = look(() => fstatSync(file));
      if (own === undefined || own.size !== size || own.nlink > links || own.nlink < 1) return false;
      if (own.mtimeMs === mtimeMs && own.ctimeMs === ctimeMs) return true;
      if (alarms >= patience && size < nextLook) return true;
      alarms += 1;
      nextLook = size * 2;
      return false;
    },

    isInPlace(size) {
      const there = look(() => lstatSync(path, { throwIfNoEntry: false }));
      if (there === undefined || !there.isFile() || !isOwn(there)) return false;
      if (there.size !== size || there.nlink > links) return false;
      mtimeMs = there.mtimeMs;
      ctimeMs = there.ctimeMs;
      return true;
    },

    find(size, matches) {
      const own = look(() => fstatSync(file));
      if (own === undefined) return { what: 'journal.jsonl cannot be looked at any more' };
      const folder = dirname(path);
      if (look(() => lstatSync(folder, { throwIfNoEntry: false })) === undefined) {
        if (own.nlink === 0) return { what: `the folder ${folder} was deleted` };
        const what = `the folder ${folder} was moved or renamed${placeOf(file, dirname)}`;
        return own.size >= size && matches() ? { what, isMoved: true } : { what };
      }
      const there = look(() => lstatSync(path, { throwIfNoEntry: false }));
      if (there === undefined)
        return {
          what:
            own.nlink === 0
              ? 'journal.jsonl was deleted'
              : `journal.jsonl was moved or renamed${placeOf(file)}`,
        };
      if (there.isSymbolicLink()) return { what: 'journal.jsonl was replaced by a symlink' };
      if (!there.isFile()) return { what: 'journal.jsonl was replaced by something that is not a file' };
      if (!isOwn(there))
        return { what: 'journal.jsonl was replaced by another file (`sed -i` and most editors do that)' };
      if (own.size < size) return { what: `journal.jsonl was cut from ${size} to ${own.size} bytes` };
      if (!matches()) return { what: 'journal.jsonl was overwritten' };
      if (own.size > size)
        return {
          what: `${own.size - size} bytes were appended to journal.jsonl by something other than this run`,
        };
      if (own.nlink > links)
        return { what: 'journal.jsonl was given a second name (a hard link), by which it can be changed' };
      mtimeMs = own.mtimeMs;
      ctimeMs = own.ctimeMs;
      return undefined;
    },
  };
}

/** Undefined where the file system does not answer: a folder on the way is gone, or a network disk lost the file. */
function look(at: () => Stats | undefined): Stats | undefined {
  try {
    return at();
  } catch {
    return undefined;
  }
}

/** Where an open file lies now, as far as the system tells. */
function placeOf(file: number, part = (path: string): string => path): string {
  try {
    return ` to ${part(readlinkSync(`/proc/self/fd/${file}`))}`;
  } catch {
    return '';
  }
}
