// git-root: whether a folder lies in a git work tree, without starting git (which takes longer than all else we do at
// start-up). Variables such as GIT_DIR are not looked at: a run belongs to a folder, not to who started it.

import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface GitRoot {
  /** The folder that has `.git`. */
  top: string;
  /** Where HEAD is: of this work tree, if there are several. */
  gitFolder: string;
}

export function findGitRoot(from: string): GitRoot | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const gitFolder = gitFolderOf(folder);
    if (gitFolder !== undefined) return { top: folder, gitFolder };
    if (folder === dirname(folder)) return undefined;
  }
}

function gitFolderOf(folder: string): string | undefined {
  try {
    const path = join(folder, '.git');
    const stats = statSync(path);
    // A linked work tree and a submodule have a file that says where the folder is.
    const linked = stats.isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
    const gitFolder = linked === undefined ? path : resolve(folder, linked);
    return statSync(join(gitFolder, 'HEAD')).isFile() ? gitFolder : undefined;
  } catch {
    return undefined;
  }
}

/** What all work trees of one repository share. */
export function commonFolder(gitFolder: string): string {
  try {
    return resolve(gitFolder, readFileSync(join(gitFolder, 'commondir'), 'utf8').trimEnd());
  } catch {
    return gitFolder;
  }
}
