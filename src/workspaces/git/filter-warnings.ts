// filter-warnings: what a person has to know about filters that Lockstep does not run.

import { filtersNotRun } from './start-git.ts';

/** One sentence each. A filter of the repository's own configuration is a program that the repository names, so it is not run. */
export function filterWarnings(folder: string): string[] {
  return filtersNotRun(folder).map(({ name, isOverridden }) => {
    const defined = `the filter "${name}" of the repository's own configuration (.git/config) is not run by Lockstep`;
    return isOverridden
      ? `${defined}: the one of the same name in your own configuration is`
      : `${defined}: files that it converts are checked out as they are stored, and may look changed. If you trust it, define it in your own configuration${name === 'lfs' ? ' (git lfs install)' : ' (git config --global)'}`;
  });
}
