// journal-head: how far the journal has come, noted in a file beside it.
// A hash chain cannot show that lines are missing at its end. This note can: it is written after the fdatasync of the
// entries that it counts, and never synced itself. So after any crash it is at most behind the journal. A note that is
// ahead of the journal means that the journal was cut, or replaced by an older or another one.
// It is written as soon as the run waits for something: a command, an agent, a person. Steps that end at once share
// one note: written after each, it would cost as much as the entry itself. A chain of them gives way to it every few
// milliseconds (YIELD_AFTER_MS of the loop), and so much a note may be behind while a process is killed in such a chain.
// A note that is missing or unreadable says nothing: a run does not depend on it.

import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { hashDigits } from '../../model/journal-line.ts';
import type { ChainLink } from './journal-chain.ts';
import { openFlags, readWhole, writeAll } from './whole-file.ts';

export interface HeadNote {
  /** The journal has come so far. Written when the process has nothing else to do. */
  reach(link: ChainLink): void;
  /** What was reached is written now. */
  settle(): void;
  /** The run is another process's, and so is the note. */
  giveUp(): void;
  close(): void;
}

/** Every note has this length, so each one covers the one before. */
const length = 128;
/** What a line has after its hash, with the newline. */
const afterHash = 3;

/** Never throws: where the note cannot be written, the run goes on without it. */
export function headNote(path: string): HeadNote {
  let file: number | undefined;
  let isUsable = true;
  let reached: ChainLink | undefined;
  let soon: NodeJS.Immediate | undefined;

  const settle = (): void => {
    if (soon !== undefined) clearImmediate(soon);
    soon = undefined;
    const link = reached;
    reached = undefined;
    if (!isUsable || link === undefined) return;
    try {
      file ??= openNote(path);
      const { n, bytes, hash } = link;
      const text = `${JSON.stringify({ entries: n, bytes, hash }).padEnd(length - 1)}\n`;
      writeAll(file, Buffer.from(text, 'latin1'), length, 0);
    } catch {
      isUsable = false;
    }
  };
  const giveUp = (): void => {
    reached = undefined;
    isUsable = false;
  };

  return {
    reach(link) {
      reached = link;
      soon ??= setImmediate(settle);
    },
    settle,
    giveUp,
    close() {
      settle();
      if (file !== undefined) closeSync(file);
      file = undefined;
      giveUp();
    },
  };
}

/** A file with a second name may be anything of the user's: it is left alone, and the note is a new one. */
function openNote(path: string): number {
  const file = openSync(path, openFlags.update);
  if (fstatSync(file).nlink <= 1) return file;
  closeSync(file);
  rmSync(path, { force: true });
  return openSync(path, openFlags.update);
}

export function readHead(path: string): ChainLink | undefined {
  try {
    const text = readWhole(path, length);
    const { entries, bytes, hash } = JSON.parse(text ?? '') as Record<string, unknown>;
    const isNote =
      Number.isSafeInteger(entries) && Number.isSafeInteger(bytes) && /^[0-9a-f]{32}$/.test(String(hash));
    return isNote ? { n: entries as number, bytes: bytes as number, hash: hash as string } : undefined;
  } catch {
    return undefined;
  }
}

export function removeHead(path: string): void {
  rmSync(path, { force: true, recursive: true });
}

/** Says what is missing from a journal that ends at `tail`, where the note knows of more. */
export function whatIsMissing(
  file: number,
  tail: ChainLink,
  head: ChainLink | undefined,
): string | undefined {
  if (head === undefined || head.n < 1) return undefined;
  if (tail.n < head.n) {
    const lines = head.n - tail.n === 1 ? 'line is' : 'lines are';
    return `${head.n} entries were on the disk, and it ends after ${tail.n}: the last ${head.n - tail.n} ${lines} missing`;
  }
  return hashBefore(file, head.bytes) === head.hash
    ? undefined
    : `its entry ${head.n} is not the one that Lockstep wrote: the file is another one`;
}

/** The hash of the line that ends at this byte. */
export function hashBefore(file: number, end: number): string {
  const bytes = Buffer.alloc(hashDigits);
  const from = end - afterHash - hashDigits;
  return from < 0 ? '' : bytes.toString('latin1', 0, readSync(file, bytes, 0, hashDigits, from));
}
