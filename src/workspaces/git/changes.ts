// changes: paths with changes that are not committed, untracked ones included, as a person would name them.

import { runGit } from './run-git.ts';

export function changesIn(folder: string): string[] {
  const output = runGit(folder, ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal']);
  return output
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => Buffer.from(record.slice(3), 'latin1').toString());
}
