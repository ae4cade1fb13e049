// journal-chain: the chain of a journal on disk (J4): lines made, and verified where they lie in a buffer. The format itself is
// in model/journal-line.ts.

import { hash } from 'node:crypto';
import type { Entry } from '../../model/entry.ts';
import {
  lineEnd as end,
  hashDigits,
  hashMark as mark,
  sealEntry,
  sealLength,
} from '../../model/journal-line.ts';

const brace = 0x7d;

/** How far the chain has come: the number and the hash of its last entry, and the bytes up to its newline. */
export interface ChainLink {
  n: number;
  hash: string;
  bytes: number;
}

export function chainStart(id: string): ChainLink {
  return { n: 0, hash: id, bytes: 0 };
}

export function seal(previous: string, entry: Entry): { line: string; hash: string } {
  return sealEntry(previous, entry, sha256);
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * The entry on the line `bytes[start, stop)`, its newline left out; a string says why it does not verify.
 * What counts is speed, for this is most of a resume. So nothing is copied: the `lead` bytes before `start` hold the
 * previous hash, and the line is used up: its own hash ends up in the bytes before the next line.
 */
export function verifyLine(
  bytes: Buffer,
  start: number,
  stop: number,
  lead: number,
  n: number,
): Entry | string {
  const cut = stop - sealLength;
  if (cut < start) return 'it does not end in a hash';
  const sum = hash('sha256', bytes.subarray(start - lead, cut), 'hex');
  const own = cut + mark.length;
  if (!holds(bytes, cut, mark, mark.length) || !holds(bytes, stop - end.length, end, end.length)) {
    return 'it does not end in a hash';
  }
  if (!holds(bytes, own, sum, hashDigits)) return 'its hash does not match';
  bytes.copyWithin(stop + 1 - hashDigits, own, own + hashDigits);
  bytes[cut] = brace;
  const entry = parse(bytes.toString('utf8', start, cut + 1));
  if (entry === undefined) return 'it is not JSON';
  return entry.n === n ? entry : `its number is ${entry.n} where ${n} is due`;
}

/** Byte by byte: making a string to compare costs as much as the hash. */
function holds(bytes: Buffer, at: number, text: string, length: number): boolean {
  for (let index = 0; index < length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function parse(text: string): Entry | undefined {
  try {
    return JSON.parse(text) as Entry;
  } catch {
    return undefined;
  }
}
