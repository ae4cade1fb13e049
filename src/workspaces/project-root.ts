// project-root: the folder a project's workflows and runs belong to.

import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findGitRoot } from './git-root.ts';

/**
 * The git root, else the nearest folder with `.lockstep/`, else where one stands. The `.lockstep/` of the home
 * folder is the user's own layer, not a project.
 */
export function projectRoot(from: string, home: string = homedir()): string {
  const start = resolve(from);
  const git = findGitRoot(start);
  if (git) return git.top;
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (isFolder(join(folder, '.lockstep')) && folder !== resolve(home)) return folder;
  }
  return start;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
