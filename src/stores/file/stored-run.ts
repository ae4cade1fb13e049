// stored-run: a run as anybody may read it, also while somebody writes.

import { closeSync, openSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import type { StoredRun } from '../../ports/store.ts';
import { isMissing, orDiskFault, unknownRun } from './disk-fault.ts';
import { readJournal, readToDamage, type VerifiedJournal } from './journal-reader.ts';
import { currentHolder } from './lease.ts';
import { listLogs, readLog } from './logs.ts';
import type { Machine } from './machine.ts';
import { documentPath, type RunsFolder, runParts } from './runs-folder.ts';
import { watchFolders } from './watch.ts';
import { openFlags, readWhole } from './whole-file.ts';

export function storedRun(runs: RunsFolder, id: string, machine: Machine): StoredRun {
  if (!runs.has(id)) throw unknownRun(id, runs.directory);
  const folder = runs.folderOf(id);
  const part = (name: keyof typeof runParts): string => join(folder, runParts[name]);
  const read = (how: typeof readToDamage): VerifiedJournal => {
    try {
      const file = openSync(part('journal'), openFlags.read);
      try {
        return how(file, id);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw isMissing(error) ? unknownRun(id, runs.directory) : error;
    }
  };

  return {
    id,
    location: folder,
    journal() {
      const { entries, tail, torn } = orDiskFault(`read the journal of run ${id}`, () => {
        try {
          return read(readJournal);
        } catch (error) {
          // A new holder may just have cut a torn line that we had read half of, and written another in its place.
          if (error instanceof Fault && error.code === 'journal-corrupt') return read(readJournal);
          throw error;
        }
      });
      return { entries, torn, head: tail.hash };
    },
    wholeEntries: () => orDiskFault(`read the journal of run ${id}`, () => read(readToDamage).entries),
    document: (name) => orDiskFault(`read ${name} of run ${id}`, () => readWhole(documentPath(folder, name))),
    holder() {
      const held = orDiskFault(`read the lease of run ${id}`, () =>
        currentHolder(folder, hostname(), machine),
      );
      return held === undefined ? undefined : { ...held.holder, alive: held.alive };
    },
    logs: () => orDiskFault(`list the logs of run ${id}`, () => listLogs(part('logs'))),
    readLog: (name, offset) =>
      orDiskFault(`read a log of run ${id}`, () => readLog(part('logs'), name, offset)),
    watch: (changed) => watchFolders({ folders: [folder, part('inbox')], trees: [part('logs')] }, changed),
  };
}
