// workspace-cache: the folders a run works in, each opened once, with the watch over who changes what in it.

import type { Workspaces } from '../ports/workspace.ts';
import { createChangeWatch } from '../runtime/perform/change-watch.ts';
import type { PerformContext } from '../runtime/perform/context.ts';
import type { Pinned } from './pinned.ts';

type Opened = Pick<PerformContext, 'workspace' | 'changes'>;

export interface WorkspaceCache extends Opened {
  at: NonNullable<PerformContext['at']>;
}

/** `run`: where its records are. */
export function createWorkspaceCache(workspaces: Workspaces, pinned: Pinned, run: string): WorkspaceCache {
  const opened = new Map<string, Opened>();
  const open = (root: string, since: string | undefined): Opened => {
    const known = opened.get(root);
    if (known) return known;
    const workspace = workspaces.open(root, since, run);
    const fresh = { workspace, changes: createChangeWatch(workspace) };
    opened.set(root, fresh);
    return fresh;
  };
  return { ...open(pinned.workspace, pinned.since), at: ({ root, since }) => open(root, since) };
}
