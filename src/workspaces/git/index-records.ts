// index-records: what the index has of each path, and what is not in it; submodules among them, and whether one is dirty.
// Git would look into a submodule with another git that reads the settings there. So git is told to leave them alone
// (IGNORE_INSIDE), and each is asked about like any repository. Paths are Latin-1, one character a byte.

import { findGitRoot } from '../git-root.ts';
import { type GitCall, runGit } from './run-git.ts';

/** Whether another commit is checked out in a submodule is told; what else is in it is not looked at. */
export const IGNORE_INSIDE = '--ignore-submodules=dirty';

export interface IndexRecord {
  path: string;
  /** `H` as usual; a small letter is assume-unchanged, `S` skip-worktree, `?` not in the index. */
  flag: string;
  mode: string;
  hash: string;
}

/** Paths from `root`. */
export function indexRecords(root: string, call: GitCall, ...options: string[]): IndexRecord[] {
  const output = runGit(root, ['ls-files', '-v', '-z', '--stage', ...options, '--', '.'], call);
  return output
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const flag = record.slice(0, 1);
      if (flag === '?') return { path: record.slice(2), flag, mode: '', hash: '' };
      const tab = record.indexOf('\t');
      const [mode = '', hash = ''] = record.slice(2, tab).split(' ');
      return { path: record.slice(tab + 1), flag, mode, hash };
    });
}

interface Submodule extends IndexRecord {
  /** Absolute, as text. */
  folder: string;
}

/** Those that are checked out. */
function submodulesIn(root: string, records: readonly IndexRecord[]): Submodule[] {
  return records
    .filter(({ mode }) => mode === '160000')
    .map((record) => ({ ...record, folder: `${root}/${Buffer.from(record.path, 'latin1').toString()}` }))
    .filter(({ folder }) => findGitRoot(folder)?.top === folder);
}

/** Something in it differs from its HEAD, or is untracked. */
function isDirty(folder: string): boolean {
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal'];
  if (runGit(folder, [...status, IGNORE_INSIDE]) !== '') return true;
  return dirtyModules(folder, indexRecords(folder, {})).length > 0;
}

/** Submodules with something in them that is not committed, which `status` does not tell of (IGNORE_INSIDE). */
export function dirtyModules(root: string, records: readonly IndexRecord[]): Submodule[] {
  return submodulesIn(root, records).filter(({ flag, folder }) => flag === 'H' && isDirty(folder));
}

/** Files that git takes as unchanged without looking, in submodules too. */
export function overlooked(root: string, records: readonly IndexRecord[]): [path: string, flag: string][] {
  const here = records.filter(({ flag }) => /^[a-zS]$/.test(flag));
  return [
    ...here.map(({ path, flag }): [string, string] => [path, flag]),
    ...submodulesIn(root, records).flatMap(({ path, folder }) =>
      overlooked(folder, indexRecords(folder, {})).map(([inside, flag]): [string, string] => [
        `${path}/${inside}`,
        flag,
      ]),
    ),
  ];
}
