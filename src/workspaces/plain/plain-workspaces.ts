// plain-workspaces: folders outside git. Files work as everywhere; what changed nobody can tell.

import { Fault } from '../../model/fault.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import { openBoundary } from '../boundary.ts';
import { workspaceFiles } from '../files.ts';

/** That there is no repository, or that there is no git to read it. */
export type WhyPlain = 'no-repository' | 'no-git';

export function plainWorkspaces(why: WhyPlain = 'no-repository'): Workspaces {
  return {
    mark(root) {
      openBoundary(root);
      return undefined;
    },
    warnings: () => [],
    open(root, _since, run) {
      const files = workspaceFiles(openBoundary(root), run);
      return {
        ...files,
        branch: '',
        async changed() {
          throw unknown(files.root, why);
        },
        async uncommitted() {
          throw unknown(files.root, why, 'uncommitted');
        },
        commits() {
          throw unknown(files.root, why);
        },
        atStart: async () => undefined,
        watchRepository: () => undefined,
        fingerprint: async () => undefined,
        async changedSince() {
          throw unknown(files.root, why);
        },
        keep: async () => undefined,
        async compare() {
          throw unknown(files.root, why);
        },
      };
    },
  };
}

function unknown(root: string, why: WhyPlain, asked: 'changed' | 'uncommitted' = 'changed'): Fault {
  const reason =
    why === 'no-git' ? 'git is not installed, or not in PATH' : `${root} is not in a git repository`;
  return new Fault('not-a-git-repository', `${asked}() cannot tell what changed: ${reason}`, {
    hint: why === 'no-git' ? 'Install git.' : `Run "git init" there, or do without ${asked}().`,
  });
}
