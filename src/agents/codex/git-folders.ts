// git-folders: what an agent that commits has to write to, outside of its workspace.
// Codex keeps `.git` from its commands, and in a linked worktree that is a file anyway: index and HEAD are in the
// repository it belongs to. There it gets what a commit writes and no more: never the hooks or the configuration, with
// which it could have others run something.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Empty unless `folder` is the root of a linked worktree. */
export function committingFolders(folder: string): string[] {
  const own = readLink(join(folder, '.git'), /^gitdir: (.+?)\s*$/, folder);
  if (own === undefined) return [];
  const shared = readLink(join(own, 'commondir'), /^(.+?)\s*$/, own);
  if (shared === undefined) return [];
  return [own, ...['objects', 'refs', 'logs'].map((name) => join(shared, name))].filter((each) =>
    existsSync(each),
  );
}

function readLink(file: string, pattern: RegExp, from: string): string | undefined {
  try {
    const [, path] = pattern.exec(readFileSync(file, 'utf8')) ?? [];
    return path === undefined ? undefined : resolve(from, path);
  } catch {
    return undefined;
  }
}
