// changes: paths with changes that are not committed, untracked ones included, as a person would name them.

import { dirtyModules, hiddenChanges, IGNORE_INSIDE, oddRecords } from './index-records.ts';
import { eachRecord } from './run-git.ts';

export async function changesIn(folder: string): Promise<string[]> {
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal', IGNORE_INSIDE];
  const changed = new Set<string>();
  await eachRecord(folder, status, {}, (record) => changed.add(record.slice(3)));
  const records = await oddRecords(folder, 'tracked');
  for (const { path } of await dirtyModules(folder, records)) changed.add(path);
  for (const path of await hiddenChanges(folder, records)) changed.add(path);
  return [...changed].map((path) => Buffer.from(path, 'latin1').toString());
}
