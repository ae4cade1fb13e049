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
const digits = 32;
/** What a line has after the part that is hashed. */
const sealLength = mark.length + digits + end.length;

/** How far the chain has come: the number and the hash of its last entry, and the bytes up to its newline. */
export interface ChainLink {
  n: number;
  hash: string;
  bytes: number;
}

export function chainStart(id: string): ChainLink {
  return { n: 0, hash: id, bytes: 0 };
}

/** The line without its newline is `head` + seal: the entry is stringified once, and the hash goes in at the end. */
export function seal(previous: string, entry: Entry): { line: string; hash: string } {
  const head = JSON.stringify(entry).slice(0, -1);
  const sum = chainHash(previous, head);
  return { line: `${head}${mark}${sum}${end}\n`, hash: sum };
}

/** The entry on the line `text[start, stop)`, its newline left out; a string says why it does not verify. */
export function verifyLine(
  text: string,
  start: number,
  stop: number,
  last: { n: number; hash: string },
): { entry: Entry; hash: string } | string {
  const cut = stop - sealLength;
  if (cut < start || !text.startsWith(mark, cut) || !text.startsWith(end, stop - end.length)) {
    return 'it does not end in a hash';
  }
  const head = text.slice(start, cut);
  const sum = chainHash(last.hash, head);
  if (!text.startsWith(sum, cut + mark.length)) return 'its hash does not match';
  const entry = parse(`${head}}`);
  if (entry === undefined) return 'it is not JSON';
  if (entry.n !== last.n + 1) return `its number is ${entry.n} where ${last.n + 1} is due`;
  return { entry, hash: sum };
}

function chainHash(previous: string, head: string): string {
  return hash('sha256', previous + head, 'hex').slice(0, digits);
}

/** Without the hash: that belongs to the line, not to the entry. */
function parse(text: string): Entry | undefined {
  try {
    return JSON.parse(text) as Entry;
  } catch {
    return undefined;
  }
}
