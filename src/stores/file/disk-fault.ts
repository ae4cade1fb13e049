// disk-fault: what the file system refused, said for a person.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../model/fault.ts';

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const readOnly = new Set(['EROFS', 'EACCES', 'EPERM']);

/** `task` completes "cannot …", e.g. `write the journal of run 20261115T101500Z-a3f8c2`. */
export function diskFault(error: unknown, task: string): Fault {
  if (error instanceof Fault) return error;
  const code = errorCode(error);
  if (full.has(code)) {
    return new Fault('disk-full', `cannot ${task}: there is no room left (${code})`, {
      hint: 'Free some space (or raise the quota or file size limit), then go on with "lockstep resume". What was recorded before is safe.',
      retry: true,
      cause: error,
    });
  }
  if (readOnly.has(code)) {
    return new Fault('run-read-only', `cannot ${task}: this user may not (${code})`, {
      hint: 'Make the folder of the run folder writable for the user that runs lockstep, or run lockstep as the user that owns it.',
      cause: error,
    });
  }
  // Every file of a run is opened with O_NOFOLLOW: the last name of the path is a link.
  const { path } = error as { path?: unknown };
  if (code === 'ELOOP' && typeof path === 'string') return partReplaced(path, 'a symlink');
  return new Fault('store-failed', `cannot ${task}: ${messageOf(error)}`, {
    hint: 'The file system refused it: look at the path in the message and at the disk below it.',
    cause: error,
  });
}

/** Does it, and turns what the file system throws into a Fault. */
export function orDiskFault<T>(task: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw diskFault(error, task);
  }
}

/** Something stands in the place of a folder or file of a run (F4). `what` it is: `a symlink`. */
export function partReplaced(path: string, what: string): Fault {
  return new Fault(
    'run-part-replaced',
    `${path} was replaced: it is ${what}, and nothing is read or written through it`,
    {
      hint: 'Look at it (ls -ld), then remove it or put the original back. A folder that is missing is made anew; a journal is not.',
    },
  );
}

/** A run whose folder was replaced by a link is not there either, but that is said. */
export function unknownRun(id: string, directory: string): Fault {
  const folder = join(directory, id);
  // `latest` is a link of ours, and no run.
  if (id !== 'latest' && isLink(folder)) return partReplaced(folder, 'a symlink');
  return new Fault('run-unknown', `there is no run "${id}" in ${directory}`, {
    hint: 'See which there are: lockstep runs',
    exitCode: 2,
  });
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** `isRescued`: what it held is in journal.rescued.jsonl. */
export function journalGone(id: string, isRescued = false): Fault {
  if (isRescued)
    return new Fault('journal-gone', `run ${id} has lost its journal.jsonl`, {
      hint: `What it held is in journal.rescued.jsonl. Look at it: lockstep audit ${id} --rescued. Go on from it: lockstep resume ${id} --rescued`,
      exitCode: 2,
    });
  return new Fault(
    'journal-gone',
    `run ${id} has lost its journal.jsonl, and without it nothing can be rebuilt`,
    {
      hint: `What state.json or a backup of it shows may be older than what was done. Put journal.jsonl back, or start anew with the context that state.json records: lockstep resume ${id} --force-restart`,
      exitCode: 2,
    },
  );
}

export function nothingRescued(id: string, location: string): Fault {
  return new Fault('nothing-rescued', `run ${id} has no journal.rescued.jsonl in ${location}`, {
    hint: `Nothing had to be rescued from it. Go on with its journal: lockstep resume ${id}`,
    exitCode: 2,
  });
}

/** A call that no user can bring about: a defect in Lockstep itself. */
export function misuse(message: string): Fault {
  return new Fault('store-misuse', message, {
    hint: 'This is a defect in Lockstep. Please report it with the message; the journal is as it was.',
  });
}

export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

/** The file, or a folder on the way to it, is not there. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
