// own-file: what we ourselves put into a workspace never counts as a change of it.

/** The records of runs, the issues of the tracker, worktrees beside each other, and what files.ts renames into place (left behind only where a process was killed). */
export function isOwnFile(path: string): boolean {
  return /(^|\/)\.lockstep\/(runs|issues)(\/|$)|(^|\/)\.worktrees(\/|$)|(^|\/)\.lockstep-\d+-\d+\.tmp$/.test(
    path,
  );
}
