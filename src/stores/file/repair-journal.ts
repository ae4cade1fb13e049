// repair-journal: a journal that does not verify is cut after its last good entry. What is cut off is on the disk under
// another name before the journal is touched: a crash in between leaves both, and nothing is lost for good.

import { closeSync, existsSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRepair } from '../../ports/store.ts';
import { readToDamage } from './journal-reader.ts';
import { runParts } from './runs-folder.ts';
import { openFlags, syncFolder, writeAll } from './whole-file.ts';

/** The caller holds the lease. */
export function repairJournal(folder: string, id: string): JournalRepair | undefined {
  const file = openSync(join(folder, runParts.journal), openFlags.readWrite);
  try {
    const { entries, damage } = readToDamage(file, id);
    if (!damage) return undefined;
    const cut = fstatSync(file).size - damage.offset;
    const aside = keepAside(folder, file, damage.offset);
    ftruncateSync(file, damage.offset);
    fdatasyncSync(file);
    return { line: damage.line, why: damage.why, entries: entries.length, cut, aside };
  } finally {
    closeSync(file);
  }
}

const PIECE = 1 << 16;

/** Under the first name that is free: an earlier repair may have left one. */
function keepAside(folder: string, journal: number, from: number): string {
  let number = 1;
  const nameOf = () => join(folder, `journal.damaged-${number}.jsonl`);
  while (existsSync(nameOf())) number += 1;
  const path = nameOf();
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
