// worktree-list: the worktrees that a repository knows, in git's own words.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runGit } from './run-git.ts';

export interface RegisteredWorktree {
  path: string;
  /** '' where HEAD is detached. */
  branch: string;
  /** Git remembers it; the folder is not there. */
  isGone: boolean;
  /** Why somebody locked it. */
  locked?: string;
  /** Git was killed while it made it. */
  isHalfMade: boolean;
}

/** Git locks a worktree while it makes it, and says so. */
const HALF_MADE = 'initializing';

export function readWorktrees(project: string): RegisteredWorktree[] {
  const output = Buffer.from(runGit(project, ['worktree', 'list', '--porcelain']), 'latin1').toString();
  return output
    .split('\n\n')
    .map((record) => record.split('\n'))
    .flatMap((lines) => {
      const value = (key: string) => {
        const line = lines.find((each) => each === key || each.startsWith(`${key} `));
        return line?.slice(key.length + 1);
      };
      const path = value('worktree');
      if (path === undefined) return [];
      const locked = value('locked');
      const isGone = !existsSync(join(path, '.git')) && value('bare') === undefined;
      return [
        {
          path,
          branch: value('branch')?.replace(/^refs\/heads\//, '') ?? '',
          isGone,
          ...(locked !== undefined && { locked }),
          isHalfMade: locked === HALF_MADE,
        },
      ];
    });
}

/** Of a path whose last part need not be there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}
