// workspaces: the folder a run works in, as the port wants it.
// Owns: which kind a folder is. Path safety (boundary.ts, folder.ts), files and globbing are the same for both kinds.
//
// W1. No path leaves the workspace (S4), whatever is put on the way while it is used.
// W2. A workspace that was deleted is a Fault `workspace-gone` from every operation, never an empty answer.
// W3. The user's repository is read, never written: no index, no object, no lock, no hook. (git-worktrees.ts is another
//     port, and makes worktrees and branches.)

import type { Workspaces } from '../ports/workspace.ts';
import { openBoundary } from './boundary.ts';
import { gitWorkspaces } from './git/git-workspaces.ts';
import { findGitRoot } from './git-root.ts';
import { isInstalled } from './is-installed.ts';
import { plainWorkspaces } from './plain/plain-workspaces.ts';

export function workspaces(): Workspaces {
  return {
    open: (root, since, run) => kindOf(root).open(root, since, run),
    warnings: (root) => kindOf(root).warnings(root),
    mark: (root) => kindOf(root).mark(root),
  };
}

function kindOf(root: string): Workspaces {
  if (findGitRoot(openBoundary(root).real) === undefined) return plainWorkspaces('no-repository');
  return isInstalled('git') ? gitWorkspaces() : plainWorkspaces('no-git');
}
