// journal-custody: stands between the journal's writer and the file. Whoever has lost the run, or whose journal was
// changed from outside, is stopped before the next effect; what the run had recorded is rescued first.

import { fdatasyncSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import { orDiskFault } from './disk-fault.ts';
import type { ChainLink } from './journal-chain.ts';
import { headNote } from './journal-head.ts';
import { journalRecall, leaveRecall, takeRecall } from './journal-recall.ts';
import { type Finding, journalWitness } from './journal-witness.ts';
import { type Lease, leaseLost } from './lease.ts';
import { type Rescue, rescueJournal } from './rescue-journal.ts';
import { runParts } from './runs-folder.ts';
import { writeAll } from './whole-file.ts';

/** What was appended and is not known to be durable, and the number of the last entry in it. */
type Unflushed = () => { bytes: Uint8Array; n: number };

export interface JournalCustody {
  /** Answers with why nothing may be written; undefined: go on. `size` is what the file should have. */
  beforeWrite(size: number, unflushed: Unflushed): Fault | undefined;
  /** As before, when the bytes are in the file and durable. */
  afterWrite(size: number, unflushed: Unflushed): Fault | undefined;
  /** The first `length` bytes of `bytes` are safe. */
  written(bytes: Buffer, length: number, end: ChainLink): void;
  close(): void;
}

/**
 * So long one look at the lease counts: instant steps flush several times a millisecond. Whoever takes a run over waits
 * longer than that before reading the journal (lease.ts).
 */
const LEASE_LOOK_MS = 5;

export function journalCustody(
  file: number,
  path: string,
  id: string,
  tail: ChainLink,
  lease: Lease,
): JournalCustody {
  const folder = dirname(path);
  const witness = journalWitness(file, path);
  const recall = takeRecall(tail) ?? journalRecall(file, id, tail);
  let reached = tail;
  const note = headNote(join(folder, runParts.head));
  let heldAt = Number.NEGATIVE_INFINITY;

  function isHeld(): boolean {
    const now = performance.now();
    if (now - heldAt < LEASE_LOOK_MS) return true;
    if (lease.state() !== 'held') return false;
    heldAt = now;
    return true;
  }

  function examine(size: number, unflushed: Unflushed, isWritten: boolean): Fault | undefined {
    const held = lease.state();
    // Checked again: whoever takes a run over writes to its journal right after.
    if (held === 'taken-over') {
      note.giveUp();
      return leaseLost(id);
    }
    const found = witness.find(size, () => recall.matches(file));
    if (found === undefined && held === 'held') return undefined;
    note.settle();
    const { bytes, n } = unflushed();
    if (found?.isMoved) {
      if (!isWritten) {
        orDiskFault(`write the journal of run ${id}`, () => {
          writeAll(file, bytes, bytes.length, size);
          fdatasyncSync(file);
        });
      }
      return moved(id, found, n);
    }
    const saved = attempt(() => rescueJournal(folder, id, { file, recall, pending: bytes, entries: n }));
    return found === undefined ? leaseDeleted(id, saved) : changed(id, found, saved, n);
  }

  return {
    beforeWrite(size, unflushed) {
      if (isHeld() && witness.isAsLeft(size)) return undefined;
      return examine(size, unflushed, false);
    },
    afterWrite: (size, unflushed) => (witness.isInPlace(size) ? undefined : examine(size, unflushed, true)),
    written(bytes, length, end) {
      recall.add(bytes, length, end);
      note.reach(end);
      reached = end;
    },
    close() {
      note.close();
      leaveRecall(reached, recall);
    },
  };
}

type Saved = Rescue | { failure: string };

function attempt(rescue: () => Rescue): Saved {
  try {
    return rescue();
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

function changed(id: string, { what }: Finding, saved: Saved, n: number): Fault {
  return new Fault(
    'journal-changed',
    `while run ${id} was going on, ${what}. The run stops here, before its next step. ${whatWasSaved(saved, n)}`,
    { hint: howToGoOn(id, saved) },
  );
}

function leaseDeleted(id: string, saved: Saved): Fault {
  return new Fault(
    'lease-lost',
    `while run ${id} was going on, its file in lease/ was deleted, moved or replaced, so nothing keeps a second process from writing it. The run stops here, before its next step. ${whatWasSaved(saved)}`,
    { hint: howToGoOn(id, saved) },
  );
}

function moved(id: string, { what }: Finding, n: number): Fault {
  return new Fault(
    'journal-changed',
    `while run ${id} was going on, ${what}. The run stops here, before its next step. Its journal went with the folder and is complete: ${n} entries`,
    { hint: `Move the folder back, then go on: lockstep resume ${id}` },
  );
}

function whatWasSaved(saved: Saved, n?: number): string {
  if ('failure' in saved) return `What it had recorded could not be saved: ${saved.failure}`;
  const { path, entries, lost } = saved;
  if (lost === undefined) return `All ${entries} entries that it had recorded are in ${path}`;
  return `Of its ${n} entries the first ${entries} are in ${path}; entries ${lost.from} to ${lost.to} are lost; those after them are in ${lost.rest}`;
}

function howToGoOn(id: string, saved: Saved): string {
  if ('failure' in saved)
    return `Put the original journal.jsonl back before you go on: without it, finished steps run again.`;
  const { isElsewhere, lost, entries, path } = saved;
  const first = isElsewhere
    ? `The folder of the run could not be written: move ${path} there first. `
    : `See what happened up to here: lockstep audit ${id} --rescued. `;
  return lost === undefined
    ? `${first}Then go on: lockstep resume ${id} --rescued`
    : `${first}lockstep resume ${id} --rescued goes on after entry ${entries}, and runs again what finished later.`;
}
