// changes: paths with changes that are not committed, untracked ones included, as a person would name them.

import { dirtyModules, IGNORE_INSIDE, indexRecords } from './index-records.ts';
import { runGit } from './run-git.ts';

export function changesIn(folder: string): string[] {
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal', IGNORE_INSIDE];
  const changed = runGit(folder, status)
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => record.slice(3));
  const inside = dirtyModules(folder, indexRecords(folder, {})).map(({ path }) => path);
  return [...new Set([...changed, ...inside])].map((path) => Buffer.from(path, 'latin1').toString());
}
