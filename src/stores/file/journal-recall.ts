// journal-recall: the lines that were written last, kept in memory up to a limit. With them the journal can be put together
// again after its file was cut or overwritten, and compared with the file without hashing it.

import { readSync } from 'node:fs';
import type { JournalEnd } from '../../ports/store.ts';
import type { ChainLink } from './journal-chain.ts';
import { readToDamage } from './journal-reader.ts';

export interface JournalRecall {
  /** Where the lines in memory begin. Everything before this is in the file alone. */
  readonly start: ChainLink;
  /** The first `length` bytes of `bytes` are copied; `end` is where the journal ends with them. */
  add(bytes: Buffer, length: number, end: ChainLink): void;
  lines(): Buffer[];
  /** Whether the file begins with exactly what was written. */
  matches(file: number): boolean;
  /** How much of what lies before `start` is still in the file, as far as the chain shows. */
  surviving(file: number): ChainLink;
}

/** What a writer recalled when it was done, by the end that it left: a run that is opened again there needs no reading. */
const leftAt = new WeakMap<JournalEnd, JournalRecall>();

export function leaveRecall(end: JournalEnd, recall: JournalRecall): void {
  leftAt.set(end, recall);
}

/** What the writer recalled that left this very end; given once, since the next one adds to it. */
export function takeRecall(end: JournalEnd): JournalRecall | undefined {
  const recall = leftAt.get(end);
  leftAt.delete(end);
  return recall;
}

/** Almost every journal is shorter, so that almost nothing is ever lost. */
const recallLimit = 1 << 20;
/** What is written goes into pieces of this size: a copy of its own for each flush would be one more thing to be freed. */
const pieceSize = 1 << 15;

interface Kept {
  bytes: Buffer;
  /** So many of them are written. */
  used: number;
  /** Where the journal ends with them. */
  end: ChainLink;
}

/** `file` is a journal that was verified up to `tail`. */
export function journalRecall(file: number, id: string, tail: ChainLink, limit = recallLimit): JournalRecall {
  const isShort = tail.bytes <= limit;
  let start: ChainLink = isShort ? { n: 0, hash: id, bytes: 0 } : { ...tail };
  const kept: Kept[] = [];
  let size = 0;
  if (isShort && tail.bytes > 0) {
    const bytes = readPiece(file, 0, tail.bytes);
    kept.push({ bytes, used: bytes.length, end: { ...tail } });
    size = tail.bytes;
  }

  const surviving = (from: number): ChainLink => {
    const { tail: reached, damage } = readToDamage(from, id, start.bytes);
    if (damage === undefined && reached.bytes === start.bytes && reached.hash !== start.hash)
      return { n: 0, hash: id, bytes: 0 }; // all of it was written anew: no line can be trusted
    return reached;
  };

  const pieceWith = (room: number): Kept => {
    const last = kept.at(-1);
    if (last !== undefined && last.bytes.length - last.used >= room) return last;
    const next = { bytes: Buffer.allocUnsafeSlow(Math.max(pieceSize, room)), used: 0, end: start };
    kept.push(next);
    return next;
  };

  return {
    get start() {
      return start;
    },
    add(bytes, length, end) {
      const room = pieceWith(length);
      bytes.copy(room.bytes, room.used, 0, length);
      room.used += length;
      room.end = end;
      size += length;
      while (size > limit) {
        const oldest = kept.shift();
        if (oldest === undefined) break;
        size -= oldest.used;
        start = oldest.end;
      }
    },
    lines: () => kept.map(({ bytes, used }) => bytes.subarray(0, used)),
    matches(from) {
      if (start.bytes > 0 && surviving(from).bytes !== start.bytes) return false;
      let position = start.bytes;
      return kept.every(({ bytes, used }) => {
        const there = readPiece(from, position, used);
        position += used;
        return there.equals(bytes.subarray(0, used));
      });
    },
    surviving,
  };
}

/** Shorter where the file ends before. */
function readPiece(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
