// file-store: runs as folders, the embedded default.
// Owns: everything below its directory, one folder a run (docs/runs-on-disk.md), and the order of writes that makes a
// run survive any crash. Never: reads what entries mean, numbers them, or asks the clock what came first.
// F1. A run is there whole or not at all: it is made under another name, synced, and renamed.
// F2. What `flush` returned from is on the disk, in order, and verifies (J4).
// F3. One process writes a run (J3); anybody reads it at any time.
// F4. No name that comes from outside leads out of a run's folder, nor does a link planted in it (inside.ts); nothing is
//     removed there but what was made here.

import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { Holder } from '../../model/entry.ts';
import type { Store } from '../../ports/store.ts';
import { diskFault, isMissing, journalGone, nothingRescued, orDiskFault, unknownRun } from './disk-fault.ts';
import { postMessage } from './inbox.ts';
import { chainStart, seal } from './journal-chain.ts';
import { type TakenLease, takeLease } from './lease.ts';
import { thisMachine } from './machine.ts';
import { openRun } from './open-run.ts';
import { repairJournal } from './repair-journal.ts';
import { refuseRescued, useRescued } from './rescue-journal.ts';
import { runParts, runsFolder } from './runs-folder.ts';
import { storedRun } from './stored-run.ts';

export interface FileStoreOptions {
  /** Holds the runs; made with the first. */
  directory: string;
  /** What tells one start of this machine from another; the system's own unless given. */
  boot?: string;
}

export function fileStore({ directory, boot }: FileStoreOptions): Store {
  const machine = thisMachine(boot);
  const runs = runsFolder(resolve(directory), machine);
  const take = (id: string, folder: string, holder: Holder, takeOver: boolean): TakenLease =>
    takeLease({ id, folder, holder, machine, takeOver });

  return {
    create(id, documents, holder, first) {
      let lease: TakenLease | undefined;
      const journal = first ? seal(chainStart(id).hash, first(runs.folderOf(id))).line : '';
      try {
        lease = runs.make(id, { documents, journal }, (folder) => {
          lease = take(id, folder, holder, false);
          return lease;
        });
      } catch (error) {
        lease?.release();
        throw error;
      }
      return openRun(storedRun(runs, id, machine), lease);
    },

    open(id, holder, options = {}) {
      const stored = storedRun(runs, id, machine);
      return openRun(stored, take(id, stored.location, holder, options.takeOver ?? false), options.known);
    },

    read: (id) => storedRun(runs, id, machine),
    list: runs.list,
    latest: runs.latest,

    remove(id) {
      const { location } = storedRun(runs, id, machine);
      // Whoever would open it meanwhile is told that it is held.
      const lease = take(id, location, remover(), false);
      try {
        runs.remove(id);
      } catch (error) {
        throw diskFault(error, `remove run ${id}`);
      } finally {
        lease.release();
      }
    },

    useRescued(id, holder, options = {}) {
      const { location } = storedRun(runs, id, machine);
      const lease = take(id, location, holder, options.takeOver ?? false);
      try {
        return orDiskFault(`use ${runParts.rescued} of run ${id}`, () => {
          const used = useRescued(location, id);
          if (used === undefined) throw nothingRescued(id, location);
          return used;
        });
      } finally {
        lease.release();
      }
    },

    repair(id, holder, options = {}) {
      const { location } = storedRun(runs, id, machine);
      const lease = take(id, location, holder, options.takeOver ?? false);
      try {
        return orDiskFault(`repair the journal of run ${id}`, () => {
          refuseRescued(location, id);
          if (!existsSync(join(location, runParts.journal))) throw journalGone(id);
          return repairJournal(location, id);
        });
      } finally {
        lease.release();
      }
    },

    post(id, message) {
      const { location } = storedRun(runs, id, machine);
      try {
        return postMessage(join(location, runParts.inbox), message);
      } catch (error) {
        throw isMissing(error)
          ? unknownRun(id, runs.directory)
          : diskFault(error, `leave a message for run ${id}`);
      }
    },
  };
}

function remover(): Holder {
  return { user: userName(), host: hostname(), pid: process.pid, version: '' };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown'); // a user id without a name, as in containers
  }
}
