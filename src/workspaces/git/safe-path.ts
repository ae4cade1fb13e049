// safe-path: PATH without folders of the repository. `npx` and `npm run` put `node_modules/.bin` first, where a package
// or an agent can lay a program called `git` or `git-lfs`.

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { isWithin } from '../boundary.ts';

/**
 * `tops`: folders of the repository. A folder counts as where it really lies. Relative ones are left out. Where the home
 * folder itself is in the repository, what is in it is the user's own all the same.
 */
export function safePath(path: string, tops: readonly string[], home: string = homedir()): string {
  const realHome = realFolder(home) ?? home;
  const real = tops.flatMap((top) => realFolder(top) ?? []).filter((top) => !isWithin(top, realHome));
  return path
    .split(delimiter)
    .filter((folder) => {
      if (!isAbsolute(folder)) return false;
      const there = realFolder(folder);
      return there !== undefined && !real.some((top) => isWithin(top, there));
    })
    .join(delimiter);
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}
