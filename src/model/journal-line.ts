// journal-line: the format of a journal, line by line (J4). Pure: it is handed its sha256, so that the page and an exported file
// verify a journal with the code that wrote it.
//
// A line is the entry as JSON with one more field at its end:   {"n":1,"at":…,"kind":…,…,"h":"<32 hex digits>"}
// h = the first 32 hex digits of sha256(previous h + the line up to `,"h":"`), in UTF-8; before the first line stands the
// run's id. 128 bits are enough: whoever could forge a line could as well forge all that follow it, which is why
// `lockstep audit` prints the last h to be noted down elsewhere.

import type { Entry } from './entry.ts';

/** The digest of a text in UTF-8, in hex digits. */
export type Sha256 = (text: string) => string;

export const hashMark = ',"h":"';
export const lineEnd = '"}';
export const hashDigits = 32;
/** What a line has after the part that is hashed. */
export const sealLength = hashMark.length + hashDigits + lineEnd.length;

/** The entry is stringified once; the hash goes in before the last brace. */
export function sealEntry(previous: string, entry: Entry, sha256: Sha256): { line: string; hash: string } {
  const head = JSON.stringify(entry).slice(0, -1);
  const hash = sha256(previous + head).slice(0, hashDigits);
  return { line: `${head}${hashMark}${hash}${lineEnd}\n`, hash };
}

/**
 * The entry on a line without its newline, and the line's own hash. `problem` says why the line does not verify: `entry` is
 * then what it says all the same, where it can be read. `previous`: the hash of the line before, or the id of the run.
 */
export function openLine(
  previous: string,
  line: string,
  n: number,
  sha256: Sha256,
): { entry?: Entry; hash: string; problem?: string } {
  const cut = line.length - sealLength;
  if (cut < 1 || !line.startsWith(hashMark, cut) || !line.endsWith(lineEnd))
    return { hash: '', problem: 'it does not end in a hash', ...parsed(line) };
  const head = line.slice(0, cut);
  const hash = line.slice(cut + hashMark.length, -lineEnd.length);
  const { entry } = parsed(`${head}}`);
  if (sha256(previous + head).slice(0, hashDigits) !== hash)
    return { hash, problem: 'its hash does not match', ...(entry && { entry }) };
  if (!entry) return { hash, problem: 'it is not JSON' };
  return entry.n === n
    ? { entry, hash }
    : { entry, hash, problem: `its number is ${entry.n} where ${n} is due` };
}

function parsed(text: string): { entry?: Entry } {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { entry: read as Entry } : {};
  } catch {
    return {};
  }
}
