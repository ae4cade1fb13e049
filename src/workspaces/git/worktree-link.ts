// worktree-link: what makes a new worktree whole. Git was told that the repository lies in a stand-in (stand-in.ts), so the
// worktree points there. It also copies the settings of a sparse checkout from a file that it was not shown.

import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeConfig } from './config-text.ts';
import { hasOwnSettings, sparseSettings } from './kept-settings.ts';
import { findRepository } from './repository.ts';
import { realPath } from './worktree-list.ts';

/** Points the worktree at its repository. Returns where the repository keeps what belongs to it. */
export function linkWorktree(project: string, path: string): string | undefined {
  const common = findRepository(project)?.common;
  if (common === undefined) return undefined;
  const all = join(realpathSync(common), 'worktrees');
  const wanted = join(realPath(path), '.git');
  const gitFolder = (existsSync(all) ? readdirSync(all) : [])
    .map((name) => join(all, name))
    .find((folder) => readLine(join(folder, 'gitdir')) === wanted);
  if (gitFolder !== undefined && existsSync(path)) writeFileSync(wanted, `gitdir: ${gitFolder}\n`);
  return gitFolder;
}

/** Git keeps a lock on a worktree that it makes: without it, it is whole. */
export function unlockWorktree(gitFolder: string | undefined): void {
  if (gitFolder !== undefined) rmSync(join(gitFolder, 'locked'), { force: true });
}

/** A worktree made from a sparse checkout is sparse, and later starts of git must know it. */
export function keepSparse(from: string, gitFolder: string | undefined): void {
  const settings = findRepository(from)?.settings;
  if (gitFolder === undefined || settings === undefined || !hasOwnSettings(settings.common)) return;
  const sparse = sparseSettings(settings.own);
  if (sparse.length > 0) writeFileSync(join(gitFolder, 'config.worktree'), writeConfig(sparse));
}

function readLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\n$/, '');
  } catch {
    return '';
  }
}
