// journal-reader: bytes → verified entries. In pieces, so that memory holds the entries and not the text as well.

import { fstatSync, readSync } from 'node:fs';
import type { Entry } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import { hashDigits } from '../../model/journal-line.ts';
import { refuseNewer } from '../../ports/journal-newer.ts';
import { type ChainLink, chainStart, verifyLine } from './journal-chain.ts';

export interface VerifiedJournal {
  entries: Entry[];
  /** The end of the last whole line: where the next one goes. */
  tail: ChainLink;
  /** Bytes after it that no newline ends. */
  torn: number;
}

/** The first whole line that does not verify. */
export interface Damage {
  line: number;
  /** Where it begins. */
  offset: number;
  why: string;
}

const newline = 0x0a;
const piece = 1 << 16;

/** Reads from the start. Fault `journal-corrupt` where a whole line does not verify, `journal-newer` as below. */
export function readJournal(file: number, id: string, name = 'journal.jsonl'): VerifiedJournal {
  const read = readToDamage(file, id);
  if (read.damage) throw corrupt(id, read.damage, name);
  return read;
}

/**
 * Where there is damage, what is before it: `entries` are good, and `tail` has their number and bytes.
 * Reads no further than `end`, a byte offset. Fault `journal-newer` where a newer Lockstep wrote it: what this one would call
 * damage may be how newer lines are chained.
 */
export function readToDamage(
  file: number,
  id: string,
  end = Number.POSITIVE_INFINITY,
): VerifiedJournal & { damage?: Damage } {
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
    const room = Math.min(buffer.length - filled, end - position);
    const count = room > 0 ? readSync(file, buffer, filled, room, position) : 0;
    if (count === 0) break;
    position += count;
    filled += count;
    const whole = buffer.subarray(0, filled).lastIndexOf(newline) + 1;
    if (whole <= lines) continue;
    const why = takeLines(journal, buffer.subarray(0, whole), lines, lead, id);
    if (why !== undefined)
      return { ...journal, damage: { line: journal.tail.n + 1, offset: journal.tail.bytes, why } };
    lead = hashDigits;
    buffer.copyWithin(lines - lead, whole - lead, filled);
    filled -= whole - lines;
  }
  if (journal.tail.n > 0) journal.tail.hash = buffer.toString('latin1', lines - lead, lines);
  journal.torn = filled - lines;
  return journal;
}

/** Why a line does not verify, where one does not. */
function takeLines(
  { entries, tail }: VerifiedJournal,
  bytes: Buffer,
  from: number,
  before: number,
  id: string,
): string | undefined {
  let start = from;
  let lead = before;
  while (start < bytes.length) {
    const stop = bytes.indexOf(newline, start);
    // Verifying overwrites the bytes. The first line names the version, which is looked at also where the line does not verify.
    const text = tail.n === 0 ? Buffer.from(bytes.subarray(start, stop)) : undefined;
    const entry = verifyLine(bytes, start, stop, lead, tail.n + 1);
    if (typeof entry === 'string') {
      if (text) refuseNewer(id, parsed(text));
      return entry;
    }
    if (tail.n === 0) refuseNewer(id, entry);
    entries.push(entry);
    tail.n += 1;
    tail.bytes += stop + 1 - start;
    start = stop + 1;
    lead = hashDigits;
  }
  return undefined;
}

function parsed(line: Buffer): object {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function corrupt(id: string, { line, offset, why }: Damage, name: string): Fault {
  const isJournal = name === 'journal.jsonl';
  return new Fault(
    'journal-corrupt',
    `${isJournal ? 'the journal' : name} of run ${id} does not verify: line ${line}, at byte ${offset}: ${why}`,
    {
      hint: isJournal
        ? `Somebody or something changed journal.jsonl. Put the original back. To go on from the last entry before the change instead (what came after it is kept aside, and runs again): lockstep resume ${id} --repair`
        : `Somebody or something changed ${name}. Put the original back, or remove the file to go on from journal.jsonl.`,
    },
  );
}
