// rescue-journal: what a run recorded, written anew after its journal was changed under it; and the way back.
// journal.rescued.jsonl is a journal like any other: it verifies by itself. Lines that follow a gap cannot be chained to
// what is before it, so they go to journal.rescued-rest.jsonl, for people to read.

import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import type { RescuedJournal } from '../../ports/store.ts';
import { removeHead } from './journal-head.ts';
import { readJournal, readToDamage } from './journal-reader.ts';
import type { JournalRecall } from './journal-recall.ts';
import { freeName } from './repair-journal.ts';
import { prepare, runParts } from './runs-folder.ts';
import { openFlags, replaceDurably, syncFolder } from './whole-file.ts';

export interface Rescue {
  /** Where journal.rescued.jsonl is now. */
  path: string;
  /** How many entries it holds. */
  entries: number;
  /** The folder of the run could not be written. */
  isElsewhere?: true;
  /** Entries that neither the file nor this process has any more, and where those after them are. */
  lost?: { from: number; to: number; rest: string };
}

const restName = 'journal.rescued-rest.jsonl';
const piece = 1 << 16;

/** `pending` is what was not written yet. Where the folder of the run cannot be written, a temporary one is made. */
export function rescueJournal(
  folder: string,
  id: string,
  journal: { file: number; recall: JournalRecall; pending: Uint8Array; entries: number },
): Rescue {
  try {
    return rescueTo(folder, journal);
  } catch {
    const elsewhere = join(mkdtempSync(join(tmpdir(), 'lockstep-rescued-')), id);
    return { ...rescueTo(elsewhere, journal), isElsewhere: true };
  }
}

function rescueTo(
  folder: string,
  { file, recall, pending, entries }: Parameters<typeof rescueJournal>[2],
): Rescue {
  makeFolder(folder);
  const { start } = recall;
  const path = join(folder, runParts.rescued);
  const known = [...recall.lines(), pending];
  const surviving = start.bytes > 0 ? recall.surviving(file) : start;
  if (surviving.bytes === start.bytes) {
    replaceDurably(folder, runParts.rescued, [...beginning(file, start.bytes), ...known]);
    return { path, entries };
  }
  replaceDurably(folder, restName, known);
  replaceDurably(folder, runParts.rescued, beginning(file, surviving.bytes));
  const lost = { from: surviving.n + 1, to: start.n, rest: join(folder, restName) };
  return { path, entries: surviving.n, lost };
}

/** As a run's folder is made, for the case that it was deleted. */
function makeFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  prepare(dirname(folder));
  mkdirSync(folder);
  for (const part of [runParts.lease, runParts.logs, runParts.inbox, runParts.artifacts])
    mkdirSync(join(folder, part));
  syncFolder(dirname(folder));
}

function* beginning(file: number, length: number): Generator<Buffer> {
  for (let at = 0; at < length; ) {
    const bytes = Buffer.allocUnsafe(Math.min(piece, length - at));
    const count = readSync(file, bytes, 0, bytes.length, at);
    if (count === 0) return;
    yield bytes.subarray(0, count);
    at += count;
  }
}

/**
 * Fault `journal-rescued` while there is a rescued journal, unless the journal has all that was rescued: then it is
 * removed. The caller holds the lease.
 */
export function refuseRescued(folder: string, id: string): void {
  if (!hasRescued(folder)) return;
  const path = join(folder, runParts.rescued);
  const rest = join(folder, restName);
  const hasRest = existsSync(rest);
  if (!hasRest && isBeginning(path, join(folder, runParts.journal))) return rmSync(path);
  const file = openSync(path, openFlags.read);
  let entries: number;
  try {
    entries = readToDamage(file, id).tail.n;
  } finally {
    closeSync(file);
  }
  const gap = hasRest ? `; later entries that cannot be joined to them are in ${rest}` : '';
  throw new Fault(
    'journal-rescued',
    `the journal of run ${id} was changed while the run was going on, and what the run had recorded is in ${path} (${entries} entries${gap})`,
    {
      hint: `Look at it: lockstep audit ${id} --rescued. Go on from it: lockstep resume ${id} --rescued. Remove that file only to go on from journal.jsonl as it is: then steps that finished later run again.`,
    },
  );
}

export function hasRescued(folder: string): boolean {
  return lstatSync(join(folder, runParts.rescued), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The caller holds the lease. A journal that has something else is kept aside. Undefined: there is none. */
export function useRescued(folder: string, id: string): RescuedJournal | undefined {
  if (!hasRescued(folder)) return undefined;
  const rescued = join(folder, runParts.rescued);
  const journal = join(folder, runParts.journal);
  const file = openSync(rescued, openFlags.read);
  let entries: number;
  try {
    entries = readJournal(file, id, runParts.rescued).entries.length;
  } finally {
    closeSync(file);
  }
  const there = lstatSync(journal, { throwIfNoEntry: false });
  let aside: string | undefined;
  if (there !== undefined && !isBeginning(journal, rescued)) {
    aside = freeName(folder);
    renameSync(journal, aside);
  }
  renameSync(rescued, journal);
  removeHead(join(folder, runParts.head));
  syncFolder(folder);
  return { entries, aside };
}

/** Whether the second file begins with all of the first. False where one of them is no file. */
function isBeginning(path: string, of: string): boolean {
  const files: number[] = [];
  try {
    for (const each of [path, of]) files.push(openSync(each, openFlags.read));
    const [one, other] = files as [number, number];
    const length = fstatSync(one).size;
    if (fstatSync(other).size < length) return false;
    const parts = beginning(other, length);
    for (const bytes of beginning(one, length))
      if (!bytes.equals(parts.next().value ?? Buffer.alloc(0))) return false;
    return true;
  } catch {
    return false;
  } finally {
    for (const file of files) closeSync(file);
  }
}
