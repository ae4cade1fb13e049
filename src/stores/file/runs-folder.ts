// runs-folder: the folder that holds the runs: making one whole or not at all, listing, `latest`, removing.
// Everything unfinished is called .tmp-… and tells who works on it, so that whoever comes later can clear up after
// a process that died.

import { hash, randomUUID } from 'node:crypto';
import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { Fault } from '../../model/fault.ts';
import { diskFault, errorCode, isMissing, misuse, orDiskFault } from './disk-fault.ts';
import { type Machine, processRuns, startOfProcess } from './machine.ts';
import { syncFolder, writeNew } from './whole-file.ts';

/** Journal, lease and folders of a run; documents may not be called so. */
export const runParts = {
  journal: 'journal.jsonl',
  head: 'journal.head',
  rescued: 'journal.rescued.jsonl',
  lease: 'lease',
  logs: 'logs',
  inbox: 'inbox',
  artifacts: 'artifacts',
} as const;

/** What a run begins with. */
export interface Draft {
  documents: Record<string, string>;
  /** Its first lines, or none. */
  journal: string;
}

export interface RunsFolder {
  /** Absolute. */
  readonly directory: string;
  has(id: string): boolean;
  folderOf(id: string): string;
  list(): string[];
  latest(): string | undefined;
  /** `fill` gets the folder while nobody else can see it, and answers with what this gives back. */
  make<T>(id: string, draft: Draft, fill: (folder: string) => T): T;
  /** The caller holds its lease. */
  remove(id: string): void;
}

export function runsFolder(directory: string, machine: Machine): RunsFolder {
  const folderOf = (id: string): string => join(directory, id);
  const isMade = (id: string): boolean => isRunId(id) && looksLikeRun(folderOf(id));
  const has = (id: string): boolean => isRunId(id) && isFolder(folderOf(id)) && looksLikeRun(folderOf(id));
  const items = (): Dirent[] => {
    try {
      return readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      if (isMissing(error)) return [];
      throw diskFault(error, `list the runs in ${directory}`);
    }
  };
  const list = (): string[] =>
    items()
      .filter((item) => item.isDirectory() && isMade(item.name))
      .map(({ name }) => name)
      .sort();
  const draftName = (): string => join(directory, `${draftPrefix(machine)}-${randomUUID()}`);

  const pointLatestAt = (id: string | undefined): void => {
    const link = join(directory, 'latest');
    if (id === undefined) return rmSync(link, { force: true });
    const draft = draftName();
    try {
      symlinkSync(id, draft);
      renameSync(draft, link);
    } catch {
      // A convenience for people; `latest()` does without it where a disk knows no symlinks.
      rmSync(draft, { force: true });
    }
  };
  const latest = (): string | undefined => {
    const target = linkTarget(join(directory, 'latest'));
    return target !== undefined && has(target) ? target : list().at(-1);
  };

  return {
    directory,
    has,
    folderOf,
    list,
    latest,

    make(id, content, fill) {
      if (!isRunId(id)) throw misuse(`"${id}" cannot be the id of a run`);
      return orDiskFault(`make run ${id} in ${directory}`, () => {
        prepare(directory);
        clearUp(directory, machine, items());
        const draft = draftName();
        try {
          const filled = fillDraft(draft, content, fill);
          // Before the run is there: killed in between, a link to nothing is passed over, one to an older run would not be.
          pointLatestAt(id);
          settle(draft, folderOf(id), () => runExists(id, directory));
          syncFolder(directory);
          return filled;
        } catch (error) {
          rmSync(draft, { recursive: true, force: true });
          if (!has(id)) pointLatestAt(list().at(-1));
          throw error;
        }
      });
    },

    remove(id) {
      const wasLatest = latest() === id;
      const draft = draftName();
      renameSync(folderOf(id), draft);
      syncFolder(directory);
      if (wasLatest) pointLatestAt(list().at(-1));
      rmSync(draft, { recursive: true, force: true });
    },
  };
}

function fillDraft<T>(draft: string, { documents, journal }: Draft, fill: (folder: string) => T): T {
  mkdirSync(draft);
  for (const part of [runParts.lease, runParts.logs, runParts.inbox, runParts.artifacts])
    mkdirSync(join(draft, part));
  for (const [name, text] of Object.entries(documents)) writeNew(documentPath(draft, name), text);
  writeNew(join(draft, runParts.journal), journal);
  const filled = fill(draft);
  syncFolder(draft);
  return filled;
}

/** A folder with something in it is never replaced by a rename: of two that make the same run one is told so. */
function settle(draft: string, folder: string, taken: () => Fault): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    throw ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errorCode(error)) ? taken() : error;
  }
}

/** Where a document lies. Its name is a file's name and none of the store's own. */
export function documentPath(folder: string, name: string): string {
  const own: string[] = Object.values(runParts);
  if (!/^[A-Za-z0-9][A-Za-z0-9._[\]-]{0,100}$/.test(name) || own.includes(name)) {
    throw misuse(`"${name}" cannot be the name of a document`);
  }
  return join(folder, name);
}

/** The one written last first. */
export function documentNames(folder: string): string[] {
  const own: string[] = Object.values(runParts);
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isFile() && /^[A-Za-z0-9]/.test(item.name) && !own.includes(item.name))
    .map(({ name }) => ({
      name,
      time: lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((one, other) => other.time - one.time)
    .map(({ name }) => name);
}

/** Makes the folder that holds the runs, where it is not there. */
export function prepare(directory: string): void {
  const ignore = join(directory, '.gitignore');
  if (existsSync(ignore)) return;
  const outermost = mkdirSync(directory, { recursive: true });
  // A run is not durable in a folder that is not: every new name on the way down is synced.
  for (let made = directory; outermost !== undefined && made !== dirname(outermost); ) {
    made = dirname(made);
    syncFolder(made);
  }
  try {
    writeNew(ignore, '*\n');
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Removes what processes of this host left unfinished when they died. Nothing depends on it: what cannot be removed stays. */
function clearUp(directory: string, machine: Machine, items: Dirent[]): void {
  for (const { name } of items) {
    const [, place, boot, pid, started] =
      /^\.tmp-([0-9a-f]+)-([0-9a-f]+)-([0-9]+)-([0-9]*)-/.exec(name) ?? [];
    if (started === undefined || place !== placeOf(machine)) continue;
    if (boot === bootOf(machine) && processRuns(Number(pid), started)) continue;
    try {
      rmSync(join(directory, name), { recursive: true, force: true });
    } catch {
      // Somebody else's.
    }
  }
}

function draftPrefix(machine: Machine): string {
  const started = startOfProcess(process.pid);
  return `.tmp-${placeOf(machine)}-${bootOf(machine)}-${process.pid}-${started}`;
}

function placeOf(machine: Machine): string {
  return hash('sha256', `${hostname()}\n${machine.namespace}`, 'hex').slice(0, 8);
}

function bootOf(machine: Machine): string {
  return hash('sha256', machine.boot, 'hex').slice(0, 8);
}

function isRunId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(id) && id !== 'latest';
}

/** One that has lost its journal is a run all the same, or nobody would ever be told of it, nor rid of it. */
function looksLikeRun(folder: string): boolean {
  if ([runParts.journal, runParts.rescued].some((part) => existsSync(join(folder, part)))) return true;
  return [runParts.lease, runParts.inbox].every((part) => isFolder(join(folder, part)));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function linkTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function runExists(id: string, directory: string): Fault {
  return new Fault('run-exists', `there is already a run "${id}" in ${directory}`, {
    hint: `Start again for another id, or go on with that run: lockstep resume ${id}`,
  });
}
