// stored-run: a run as anybody may read it, also while somebody writes.

import { closeSync, existsSync, lstatSync, openSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import type { StoredRun } from '../../ports/store.ts';
import { isMissing, journalGone, nothingRescued, orDiskFault, unknownRun } from './disk-fault.ts';
import { readHead, whatIsMissing } from './journal-head.ts';
import { readJournal, readToDamage, type VerifiedJournal } from './journal-reader.ts';
import { currentHolder } from './lease.ts';
import { listLogs, readLog, readPiece } from './logs.ts';
import type { Machine } from './machine.ts';
import { hasRescued } from './rescue-journal.ts';
import { documentNames, documentPath, type RunsFolder, runParts } from './runs-folder.ts';
import { watchFolders } from './watch.ts';
import { openFlags, readWhole } from './whole-file.ts';

export function storedRun(runs: RunsFolder, id: string, machine: Machine): StoredRun {
  if (!runs.has(id)) throw unknownRun(id, runs.directory);
  const folder = runs.folderOf(id);
  const part = (name: keyof typeof runParts): string => join(folder, runParts[name]);
  const hasJournal = (): boolean => existsSync(part('journal'));
  const read = (
    how: (file: number, id: string) => VerifiedJournal,
  ): VerifiedJournal & { missing?: string } => {
    // First: while a run goes on, the journal grows after the note was read, and never the other way round.
    const head = readHead(part('head'));
    try {
      return withFile(part('journal'), (file) => {
        const journal = how(file, id);
        return { ...journal, missing: whatIsMissing(file, journal.tail, head) };
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw runs.has(id) ? journalGone(id, hasRescued(folder)) : unknownRun(id, runs.directory);
    }
  };

  return {
    id,
    location: folder,
    hasJournal,
    journalMark() {
      try {
        const { size, mtimeNs } = lstatSync(part('journal'), { bigint: true });
        return `${size} bytes at ${mtimeNs}`;
      } catch {
        return undefined;
      }
    },
    journalText: (offset) =>
      orDiskFault(`read the journal of run ${id}`, () => readPiece(part('journal'), offset)),
    journal() {
      const { entries, tail, torn, missing } = orDiskFault(`read the journal of run ${id}`, () => {
        try {
          return read(readJournal);
        } catch (error) {
          // A new holder may just have cut a torn line that we had read half of, and written another in its place.
          if (error instanceof Fault && error.code === 'journal-corrupt') return read(readJournal);
          throw error;
        }
      });
      return { entries, torn, head: tail.hash, ...(missing !== undefined && { missing }) };
    },
    hasRescued: () => hasRescued(folder),
    rescued() {
      if (!hasRescued(folder)) throw nothingRescued(id, folder);
      const { entries, tail, torn } = orDiskFault(`read ${runParts.rescued} of run ${id}`, () =>
        withFile(part('rescued'), (file) => readJournal(file, id, runParts.rescued)),
      );
      return { entries, torn, head: tail.hash };
    },
    wholeEntries: () =>
      orDiskFault(`read the journal of run ${id}`, () => (hasJournal() ? read(readToDamage).entries : [])),
    document: (name) => orDiskFault(`read ${name} of run ${id}`, () => readWhole(documentPath(folder, name))),
    documents: () => orDiskFault(`list what run ${id} holds`, () => documentNames(folder)),
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

function withFile<T>(path: string, use: (file: number) => T): T {
  const file = openSync(path, openFlags.read);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
