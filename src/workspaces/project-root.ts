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
    const isProject = statSync(join(folder, '.lockstep'), { throwIfNoEntry: false })?.isDirectory();
    if (isProject && folder !== resolve(home)) return folder;
  }
  return start;
}
