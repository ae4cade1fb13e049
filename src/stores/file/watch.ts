// watch: tells that something may have changed. The system's own notices where it gives any, for it is quick; a look
// every second beside them, for they may be missing (network disks, no more watches to be had).

import { type FSWatcher, lstatSync, readdirSync, statSync, watch } from 'node:fs';
import { join, sep } from 'node:path';
import { performance } from 'node:perf_hooks';

export interface WatchOptions {
  /** How many folders get notices; the rest, and all where it is 0, are looked at. */
  notices?: number;
  lookEvery?: number;
}

/** Folders to watch: each alone, or with all below it. */
export interface Watched {
  folders: string[];
  trees: string[];
}

/** Many changes at once are one: the reader reads it all anyway. */
const gather = 10;
/** Looking at thousands of logs takes its time: never more than one part in so many of it. */
const sparing = 20;

export function watchFolders(watched: Watched, changed: () => void, options: WatchOptions = {}): () => void {
  const watchers = new Map<string, FSWatcher>();
  const limit = options.notices ?? 256;
  const lookEvery = options.lookEvery ?? 1_000;
  let pending: NodeJS.Timeout | undefined;

  const tell = (): void => {
    pending ??= setTimeout(() => {
      pending = undefined;
      changed();
    }, gather);
  };
  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const forgetTree = (folder: string): void => {
    for (const watched of [...watchers.keys()]) {
      if (watched === folder || watched.startsWith(`${folder}${sep}`)) forget(watched);
    }
  };
  const notice = (folder: string, tree: boolean): void => {
    if (watchers.has(folder) || watchers.size >= limit || !isFolder(folder)) return;
    try {
      const watcher = watch(folder, (event, name) => {
        tell();
        if (!tree || event !== 'rename' || name === null) return;
        // It came or went, or went and came again: what was watched under that name may be gone.
        forgetTree(join(folder, name));
        if (isFolder(join(folder, name))) noticeTree(join(folder, name));
      });
      watcher.on('error', () => forget(folder));
      watchers.set(folder, watcher);
    } catch {
      // No watch to be had, or the folder is gone: looking does it.
    }
  };
  const noticeTree = (folder: string): void => {
    notice(folder, true);
    for (const item of items(folder)) {
      if (watchers.size >= limit) return;
      if (item.isDirectory()) noticeTree(join(folder, item.name));
    }
  };

  let seen = look(watched);
  // Who ends the watch before waiting for anything, as a short call does, pays for no notices. What changes until they come
  // is seen by the look right after.
  const beginning = setImmediate(() => {
    for (const folder of watched.folders) notice(folder, false);
    for (const folder of watched.trees) noticeTree(folder);
    const now = look(watched);
    if (now !== seen) tell();
    seen = now;
  });
  let looking: NodeJS.Timeout;
  const lookAgain = (after: number): void => {
    looking = setTimeout(() => {
      const began = performance.now();
      const now = look(watched);
      if (now !== seen) tell();
      seen = now;
      lookAgain(Math.max(lookEvery, (performance.now() - began) * sparing));
    }, after);
  };
  lookAgain(lookEvery);

  return () => {
    clearImmediate(beginning);
    clearTimeout(looking);
    clearTimeout(pending);
    for (const folder of [...watchers.keys()]) forget(folder);
  };
}

/** Sizes and times of all that is watched, as one string to compare. */
function look({ folders, trees }: Watched): string {
  const seen: string[] = [];
  const add = (path: string): void => {
    const stats = statSync(path, { throwIfNoEntry: false });
    seen.push(stats === undefined ? '-' : `${stats.size}/${stats.mtimeMs}`);
  };
  const addFolder = (folder: string, deep: boolean): void => {
    for (const item of items(folder)) {
      seen.push(item.name);
      if (item.isFile()) add(join(folder, item.name));
      else if (deep && item.isDirectory()) addFolder(join(folder, item.name), true);
    }
  };
  for (const folder of folders) addFolder(folder, false);
  for (const folder of trees) addFolder(folder, true);
  return seen.join('\n');
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function items(folder: string) {
  try {
    if (!isFolder(folder)) return [];
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
