// project-root: the folder a project's workflows and runs belong to.

import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { commonFolder, findGitRoot, type GitRoot } from './git-root.ts';

/**
 * The git root, else the nearest folder with `.lockstep/`, else where one stands. The `.lockstep/` of the home
 * folder is the user's own layer, not a project. In a worktree that we made, the project it was made for.
 */
export function projectRoot(from: string, home: string = homedir()): string {
  const start = resolve(from);
  const git = findGitRoot(start);
  if (git) return checkoutOf(git);
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (isFolder(join(folder, '.lockstep')) && folder !== resolve(home)) return folder;
  }
  return start;
}

/** Below `.worktrees/` of a checkout of the same repository: who stands there wants the runs of that checkout. */
function checkoutOf({ top, gitFolder }: GitRoot): string {
  const project = dirname(dirname(top));
  if (basename(dirname(top)) !== '.worktrees') return top;
  const around = findGitRoot(project);
  // A bare repository has no `.git`; it is what its worktrees are made of.
  const common = around?.top === project ? commonFolder(around.gitFolder) : project;
  return common === commonFolder(gitFolder) ? project : top;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
