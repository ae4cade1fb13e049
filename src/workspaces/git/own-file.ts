// own-file: what we ourselves put into a workspace never counts as a change of it.

import { isOwnOutput } from './own-output.ts';

/**
 * The records of runs, the issues of the tracker, worktrees beside each other, what files.ts renames into place (left behind
 * only where a process was killed), and the files that we print to.
 */
export function isOwnFile(root: string, path: string): boolean {
  const isRecord =
    /(^|\/)\.lockstep\/(runs|issues)(\/|$)|(^|\/)\.worktrees(\/|$)|(^|\/)\.lockstep-\d+-\d+\.tmp$/.test(path);
  return isRecord || isOwnOutput(root, path);
}
