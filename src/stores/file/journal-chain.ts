// journal-chain: one entry, one line, and the hash that ties it to all before it (J4). Pure but for sha256.
//
// A line is the entry as JSON with one more field at its end:   {"n":1,"at":…,"kind":…,…,"h":"<32 hex digits>"}
// h = the first 32 hex digits of sha256(previous h + the line up to `,"h":"`), in UTF-8; before the first line stands the
// run's id. 128 bits are enough: whoever could forge a line could as well forge all that follow it, which is why
// `lockstep audit` prints the last h to be noted down elsewhere.

import { hash } from 'node:crypto';
import type { Entry } from '../../model/entry.ts';

const mark = ',"h":"';
const end = '"}';
export const hashDigits = 32;
/** What a line has after the part that is hashed. */
const sealLength = mark.length + hashDigits + end.length;
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

/** The entry is stringified once; the hash goes in before the last brace. */
export function seal(previous: string, entry: Entry): { line: string; hash: string } {
  const head = JSON.stringify(entry).slice(0, -1);
  const sum = hash('sha256', previous + head, 'hex').slice(0, hashDigits);
  return { line: `${head}${mark}${sum}${end}\n`, hash: sum };
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
