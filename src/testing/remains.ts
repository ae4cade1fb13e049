// remains: what a case leaves on the disk: its files and its commits.

import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { OwnGit } from '../ports/git.ts';
import type { Remains } from './judge.ts';
import { runOwnGit } from './run-own-git.ts';
import type { ScratchProject } from './scratch-project.ts';

export function remainsOf(
  project: ScratchProject,
  workspace: string,
  git: OwnGit,
): Remains & { tree(): Map<string, string> } {
  const read = (root: string, path: string): string | undefined => {
    try {
      return readFileSync(resolve(root, path), 'utf8');
    } catch {
      return undefined;
    }
  };
  return {
    // What belongs to the project as a whole (issues, definitions) lies in its main checkout.
    read: (path) => (workspace === '' ? undefined : read(workspace, path)) ?? read(project.root, path),
    commits: () => commitsSince(project, git),
    tree: () => treeOf(workspace === '' ? project.root : workspace),
  };
}

function commitsSince({ root, commit, environment }: ScratchProject, git: OwnGit): string[] {
  if (commit === undefined) return [];
  const asked = ['log', '--no-show-signature', '--reverse', '--topo-order', '--format=%s', '--branches'];
  const log = runOwnGit(git.start(root, { environment }), root, [...asked, 'HEAD', '--not', commit]);
  return log.split('\n').filter((line) => line !== '');
}

const NOT_WORK = new Set(['.git', '.lockstep', '.worktrees', 'node_modules']);

/** Every file of the workspace with its text, to tell two ends apart. */
function treeOf(root: string): Map<string, string> {
  const files = new Map<string, string>();
  const visit = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (folder === root && NOT_WORK.has(entry.name)) continue;
      const path = join(folder, entry.name);
      const name = relative(root, path).split(sep).join('/');
      if (entry.isDirectory()) visit(path);
      else
        files.set(
          name,
          lstatSync(path).isSymbolicLink() ? `→ ${readlinkSync(path)}` : readFileSync(path, 'utf8'),
        );
    }
  };
  visit(root);
  return files;
}
