// journal-reader: bytes → verified entries. In pieces, so that memory holds the entries and not the text as well.

import { isUtf8 } from 'node:buffer';
import { fstatSync, readSync } from 'node:fs';
import type { Entry } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import { type ChainLink, chainStart, verifyLine } from './journal-chain.ts';

export interface VerifiedJournal {
  entries: Entry[];
  /** The end of the last whole line: where the next one goes. */
  tail: ChainLink;
  /** Bytes after it that no newline ends. */
  torn: number;
}

const newline = 0x0a;
const piece = 1 << 20;

/** Reads from the start. Fault `journal-corrupt` where a whole line does not verify. */
export function readJournal(file: number, id: string): VerifiedJournal {
  const journal: VerifiedJournal = { entries: [], tail: chainStart(id), torn: 0 };
  let buffer = Buffer.allocUnsafe(Math.min(piece, fstatSync(file).size + 1));
  let held = 0;
  let position = 0;
  for (;;) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const count = readSync(file, buffer, held, buffer.length - held, position);
    if (count === 0) break;
    position += count;
    held += count;
    const whole = buffer.subarray(0, held).lastIndexOf(newline) + 1;
    if (whole === 0) continue;
    takeLines(journal, buffer.subarray(0, whole), id);
    buffer.copyWithin(0, whole, held);
    held -= whole;
  }
  journal.torn = held;
  return journal;
}

function takeLines(journal: VerifiedJournal, bytes: Buffer, id: string): void {
  // Bytes that are no UTF-8 would all be read as U+FFFD, and a change from one to another would not show.
  if (!isUtf8(bytes)) return takeUpToBadLine(journal, bytes, id);
  const text = bytes.toString('utf8');
  const { entries, tail } = journal;
  let start = 0;
  while (start < text.length) {
    const stop = text.indexOf('\n', start);
    const line = verifyLine(text, start, stop, tail);
    if (typeof line === 'string') {
      throw corrupt(id, tail.n + 1, tail.bytes + Buffer.byteLength(text.slice(0, start)), line);
    }
    entries.push(line.entry);
    tail.n += 1;
    tail.hash = line.hash;
    start = stop + 1;
  }
  tail.bytes += bytes.length;
}

function takeUpToBadLine(journal: VerifiedJournal, bytes: Buffer, id: string): void {
  let start = 0;
  let stop = bytes.indexOf(newline);
  while (stop >= 0 && isUtf8(bytes.subarray(start, stop))) {
    start = stop + 1;
    stop = bytes.indexOf(newline, start);
  }
  takeLines(journal, bytes.subarray(0, start), id);
  throw corrupt(id, journal.tail.n + 1, journal.tail.bytes, 'it is not UTF-8');
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
