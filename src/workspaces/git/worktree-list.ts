// worktree-list: the worktrees that a repository knows, in git's own words.

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findRepository } from './repository.ts';
import { runGit } from './run-git.ts';

export interface RegisteredWorktree {
  path: string;
  /** '' where HEAD is detached. */
  branch: string;
  /** The commit that is checked out; '' where there is none yet, or where the branch is gone. */
  head: string;
  /** Git remembers it; the folder is not there. */
  isGone: boolean;
  /** Why somebody locked it. */
  locked?: string;
  /** Git was killed while it made it. */
  isHalfMade: boolean;
}

/** Git locks a worktree while it makes it, and says so. */
export const HALF_MADE = 'initializing';

export function readWorktrees(project: string): RegisteredWorktree[] {
  const output = Buffer.from(runGit(project, ['worktree', 'list', '--porcelain']), 'latin1').toString();
  const [main = '', ...linked] = output.split('\n\n');
  // Git derives the path of the first from the folder that stand-in.ts stands in for.
  const records = [main.replace(/^worktree .*$/m, () => `worktree ${mainFolder(project)}`), ...linked];
  return records
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
          head: value('HEAD')?.replace(/^0+$/, '') ?? '',
          isGone,
          ...(locked !== undefined && { locked }),
          isHalfMade: locked === HALF_MADE,
        },
      ];
    });
}

/** The first checkout; of a bare repository the repository itself. */
function mainFolder(project: string): string {
  const common = realPath(findRepository(project)?.common ?? project);
  return basename(common) === '.git' ? dirname(common) : common;
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
