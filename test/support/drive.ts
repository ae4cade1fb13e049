// drive: a run through the real driver, runtime, processes and workspace, with a store in memory.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentsFor } from '../../src/agents/agents.ts';
import { type RunEnd, resumeRun, startRun } from '../../src/drivers/run/run.ts';
import type { HeldRun, Hosting, Observer, StartRequest } from '../../src/hosting/hosting.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Script } from '../../src/model/script.ts';
import type { Workflow } from '../../src/model/workflow.ts';
import type { Store } from '../../src/ports/store.ts';
import { memoryStore } from '../../src/stores/memory/memory-store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { childProcesses } from '../../src/system/processes.ts';
import { fileTracker } from '../../src/tracker/file-tracker.ts';
import { gitWorktrees } from '../../src/workspaces/git/git-worktrees.ts';
import { workspaces } from '../../src/workspaces/workspaces.ts';

export interface Drive {
  root: string;
  hosting: Hosting;
  store: Store;
  start(workflow: Workflow, options?: DriveOptions): Promise<RunEnd>;
  resume(id: string, options?: DriveOptions & { limits?: Record<string, number> }): Promise<RunEnd>;
  entries(id: string): Entry[];
  remove(): void;
}

export interface DriveOptions extends Partial<Omit<StartRequest, 'workflow' | 'workspace'>> {
  observer?: Observer;
  script?: Script;
  /** Of the observer. */
  onOpen?(run: HeldRun): void;
}

export function drive(
  given: { store?: Store; git?: boolean; environment?: Record<string, string> } = {},
): Drive {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-drive-')));
  if (given.git) {
    const git = (...argv: string[]) => execFileSync('git', argv, { cwd: root, stdio: 'ignore' });
    git('init', '-q', '-b', 'main');
    git('-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'start');
  }
  const store = given.store ?? memoryStore();
  const processes = childProcesses({ graceMs: 300 });
  const parts = { processes, workspaces: workspaces(), clock: systemClock() };
  const hosting: Hosting = {
    store,
    ...parts,
    worktrees: gitWorktrees(),
    tracker: async () => fileTracker({ root, now: Date.now }),
    agentsFor: (workflow, script) => agentsFor(workflow, script, parts),
    environment: { PATH: process.env.PATH ?? '', HOME: root, ...given.environment },
    holder: { user: 'tester', host: 'here', pid: process.pid, version: '0' },
    hash: (text) => `hash-of-${text.length}`,
  };
  const observerOf = ({ observer, onOpen }: DriveOptions): Observer => ({
    ...observer,
    ...(onOpen && { opened: onOpen }),
  });
  return {
    root,
    hosting,
    store,
    start: (workflow, options = {}) =>
      startRun(
        hosting,
        {
          workflow,
          workflowFile: 'test.yaml',
          workspace: root,
          inputs: options.inputs ?? {},
          vars: options.vars ?? {},
          skips: options.skips ?? { steps: [], checks: false, dry_run: false },
          script: options.script,
        },
        observerOf(options),
      ),
    resume: (id, options = {}) => resumeRun(hosting, { id, limits: options.limits }, observerOf(options)),
    entries: (id) => store.read(id).journal().entries,
    remove() {
      processes.killAll();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
