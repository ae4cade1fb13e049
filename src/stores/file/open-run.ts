// open-run: a run in the hands of its one writer (J3).

import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { journalNotWhole } from '../../ports/journal-not-whole.ts';
import type { JournalEnd, JournalReading, OpenRun, StoredRun } from '../../ports/store.ts';
import { openArtifact } from './artifacts.ts';
import { isMissing, journalGone, misuse, orDiskFault } from './disk-fault.ts';
import { receiveMessages } from './inbox.ts';
import { journalCustody } from './journal-custody.ts';
import { hashBefore, readHead, whatIsMissing } from './journal-head.ts';
import { readJournal, type VerifiedJournal } from './journal-reader.ts';
import { journalWriter } from './journal-writer.ts';
import type { Lease, TakenLease } from './lease.ts';
import { openLog } from './logs.ts';
import { refuseRescued } from './rescue-journal.ts';
import { documentPath, runParts } from './runs-folder.ts';
import { watchFolders } from './watch.ts';
import { openFlags, replaceWhole } from './whole-file.ts';

/**
 * Verifies the journal and cuts its torn end (J4). Refuses a run whose journal is not all that was recorded: going on would
 * run finished steps again. On a Fault the lease is given back.
 */
export function openRun(stored: StoredRun, taken: TakenLease, known?: JournalEnd): OpenRun {
  const { id, location } = stored;
  const part = (name: keyof typeof runParts): string => join(location, runParts[name]);
  const lease: Lease = { state: () => taken.state(location), release: taken.release };
  const { file, journal } = givingBack(lease, () => openJournal(location, id, known));
  const { entries, tail, torn } = journal;
  const writer = journalWriter(file, tail, id, journalCustody(file, part('journal'), id, tail, lease));
  // Reading costs most of a resume: what was verified to find the end is handed out, once, and not kept.
  let fresh: JournalReading | undefined = entries && { entries, torn, head: tail.hash };
  const stuck = new Set<string>();
  let open = true;
  const whileOpen = <T>(task: string, action: () => T): T => {
    if (!open) throw misuse(`run ${id} is closed: cannot ${task}`);
    return orDiskFault(`${task} of run ${id}`, action);
  };
  const flush = (): void => {
    fresh = undefined;
    writer.flush();
  };

  return {
    ...stored,
    isAsKnown: entries === undefined,
    end: writer.end,
    append: writer.append,
    flush,
    journal() {
      const reading = fresh ?? { ...stored.journal(), torn };
      fresh = undefined;
      return reading;
    },
    replaceDocument: (name, text) =>
      whileOpen(`write ${name}`, () => {
        documentPath(location, name);
        replaceWhole(location, name, text);
      }),
    removeDocument: (name) =>
      whileOpen(`remove ${name}`, () => rmSync(documentPath(location, name), { force: true })),
    openLog: (name, how) => openLog(part('logs'), name, how),
    openArtifact: (name) => openArtifact(part('artifacts'), name),
    takeInbox: () => whileOpen('read the inbox', () => receiveMessages(part('inbox'), stuck)),
    watchInbox: (arrived) => watchFolders({ folders: [part('inbox')], trees: [] }, arrived),
    close() {
      if (!open) return;
      open = false;
      try {
        flush();
      } finally {
        writer.close();
        lease.release();
      }
    },
  };
}

/** Without its entries where it ends as `known` says. */
type OpenedJournal = Omit<VerifiedJournal, 'entries'> & { entries?: VerifiedJournal['entries'] };

function openJournal(
  folder: string,
  id: string,
  known: JournalEnd | undefined,
): { file: number; journal: OpenedJournal } {
  refuseRescued(folder, id);
  const head = readHead(join(folder, runParts.head));
  const file = orDiskFault(`open the journal of run ${id}`, () => {
    try {
      return openSync(join(folder, runParts.journal), openFlags.readWrite);
    } catch (error) {
      throw isMissing(error) ? journalGone(id) : error;
    }
  });
  try {
    const journal = known && endsAt(file, known) ? { tail: known, torn: 0 } : readJournal(file, id);
    const missing = whatIsMissing(file, journal.tail, head);
    if (missing !== undefined) throw journalNotWhole(id, missing);
    if (journal.torn > 0) {
      orDiskFault(`cut the torn end of the journal of run ${id}`, () => {
        ftruncateSync(file, journal.tail.bytes);
        fdatasyncSync(file);
      });
    }
    return { file, journal };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function endsAt(file: number, { bytes, hash }: JournalEnd): boolean {
  return fstatSync(file).size === bytes && hashBefore(file, bytes) === hash;
}

function givingBack<T>(lease: Lease, action: () => T): T {
  try {
    return action();
  } catch (error) {
    lease.release();
    throw error;
  }
}
