// repair-journal: a journal that does not verify is cut after its last good entry. What is cut off is on the disk under
// another name before the journal is touched: a crash in between leaves both, and nothing is lost for good.

import { closeSync, existsSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRepair } from '../../ports/store.ts';
import { readHead, removeHead, whatIsMissing } from './journal-head.ts';
import { readToDamage } from './journal-reader.ts';
import { runParts } from './runs-folder.ts';
import { openFlags, syncFolder, writeAll } from './whole-file.ts';

/** The caller holds the lease. A journal that ends too early is taken as it is: the note of how far it came is removed. */
export function repairJournal(folder: string, id: string): JournalRepair | undefined {
  const note = join(folder, runParts.head);
  const file = openSync(join(folder, runParts.journal), openFlags.readWrite);
  try {
    const { entries, tail, damage } = readToDamage(file, id);
    if (damage) {
      const cut = fstatSync(file).size - damage.offset;
      const aside = keepAside(folder, file, damage.offset);
      ftruncateSync(file, damage.offset);
      fdatasyncSync(file);
      removeHead(note);
      return { kind: 'cut', line: damage.line, why: damage.why, entries: entries.length, cut, aside };
    }
    const missing = whatIsMissing(file, tail, readHead(note));
    if (missing === undefined) return undefined;
    removeHead(note);
    return { kind: 'ends-early', why: missing, entries: entries.length };
  } finally {
    closeSync(file);
  }
}

const PIECE = 1 << 16;

/** The first name that is free: an earlier repair may have left one. */
export function freeName(folder: string): string {
  let number = 1;
  const nameOf = () => join(folder, `journal.damaged-${number}.jsonl`);
  while (existsSync(nameOf())) number += 1;
  return nameOf();
}

function keepAside(folder: string, journal: number, from: number): string {
  const path = freeName(folder);
  const aside = openSync(path, openFlags.create);
  try {
    const piece = Buffer.allocUnsafe(PIECE);
    for (let at = from; ; ) {
      const count = readSync(journal, piece, 0, PIECE, at);
      if (count === 0) break;
      writeAll(aside, piece, count, null);
      at += count;
    }
    fdatasyncSync(aside);
  } finally {
    closeSync(aside);
  }
  syncFolder(folder);
  return path;
}
