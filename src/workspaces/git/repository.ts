// repository: where a repository's parts are, found by us. Git is never left to look for itself: it would take any
// folder that looks like a bare repository, and read the settings in it.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { commonFolder, findGitRoot } from '../git-root.ts';
import { isTrue, lastValue, parseConfig, type Setting } from './config-text.ts';

export interface Repository {
  /** Where HEAD and the index of this work tree are. */
  gitFolder: string;
  /** What all work trees of it share. */
  common: string;
  /** The folder that has `.git`. */
  top: string;
  /** Nothing is checked out here. */
  isBare: boolean;
  /** Of the repository; of this work tree. */
  settings: { common: Setting[]; own: Setting[] };
}

export function findRepository(folder: string): Repository | undefined {
  const found = findGitRoot(folder) ?? findBare(folder);
  if (found === undefined) return undefined;
  const common = commonFolder(found.gitFolder);
  const settings = {
    common: readSettings(join(common, 'config')),
    own: readSettings(join(found.gitFolder, 'config.worktree')),
  };
  // An index shows that something is checked out, whatever the settings say by now.
  const isBare =
    common === found.gitFolder &&
    isTrue(lastValue(settings.common, 'core', 'bare')) &&
    !existsSync(join(common, 'index'));
  return { ...found, common, settings, isBare };
}

function findBare(from: string): { top: string; gitFolder: string } | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (
      isFolder(join(folder, 'objects')) &&
      isFolder(join(folder, 'refs')) &&
      existsSync(join(folder, 'HEAD'))
    )
      return { top: folder, gitFolder: folder };
    if (folder === dirname(folder)) return undefined;
  }
}

/** Nobody writes that much by hand. */
const MOST_BYTES = 4 * 1024 * 1024;

/** None where it cannot be read. Files that it includes are not read. */
function readSettings(file: string): Setting[] {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= MOST_BYTES ? parseConfig(readFileSync(file, 'utf8')) : [];
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
