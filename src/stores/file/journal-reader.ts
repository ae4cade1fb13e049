// journal-reader: bytes → verified entries. In pieces, so that memory holds the entries and not the text as well.

import { fstatSync, readSync } from 'node:fs';
import type { Entry } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import { type ChainLink, chainStart, hashDigits, verifyLine } from './journal-chain.ts';

export interface VerifiedJournal {
  entries: Entry[];
  /** The end of the last whole line: where the next one goes. */
  tail: ChainLink;
  /** Bytes after it that no newline ends. */
  torn: number;
}

const newline = 0x0a;
const piece = 1 << 16;

/** Reads from the start. Fault `journal-corrupt` where a whole line does not verify. */
export function readJournal(file: number, id: string): VerifiedJournal {
  const journal: VerifiedJournal = { entries: [], tail: chainStart(id), torn: 0 };
  // The buffer begins with the hash before its first line, which is the run's id at first; then come lines.
  const first = Buffer.from(id);
  const lines = Math.max(first.length, hashDigits);
  let buffer = Buffer.allocUnsafe(lines + Math.min(piece, fstatSync(file).size + 1));
  first.copy(buffer, lines - first.length);
  let lead = first.length;
  let filled = lines;
  let position = 0;
  for (;;) {
    if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const count = readSync(file, buffer, filled, buffer.length - filled, position);
    if (count === 0) break;
    position += count;
    filled += count;
    const whole = buffer.subarray(0, filled).lastIndexOf(newline) + 1;
    if (whole <= lines) continue;
    takeLines(journal, buffer.subarray(0, whole), lines, lead, id);
    lead = hashDigits;
    buffer.copyWithin(lines - lead, whole - lead, filled);
    filled -= whole - lines;
  }
  if (journal.tail.n > 0) journal.tail.hash = buffer.toString('latin1', lines - lead, lines);
  journal.torn = filled - lines;
  return journal;
}

function takeLines(
  { entries, tail }: VerifiedJournal,
  bytes: Buffer,
  from: number,
  before: number,
  id: string,
): void {
  let start = from;
  let lead = before;
  while (start < bytes.length) {
    const stop = bytes.indexOf(newline, start);
    const entry = verifyLine(bytes, start, stop, lead, tail.n + 1);
    if (typeof entry === 'string') throw corrupt(id, tail.n + 1, tail.bytes, entry);
    entries.push(entry);
    tail.n += 1;
    tail.bytes += stop + 1 - start;
    start = stop + 1;
    lead = hashDigits;
  }
}

function corrupt(id: string, line: number, offset: number, why: string): Fault {
  return new Fault(
    'journal-corrupt',
    `the journal of run ${id} does not verify: line ${line}, at byte ${offset}: ${why}`,
    {
      hint: `Somebody or something changed journal.jsonl. Put the original back. To go on from the last entry before the change instead, keep a copy and cut the file there: truncate -s ${offset} journal.jsonl`,
    },
  );
}
