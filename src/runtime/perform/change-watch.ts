// change-watch: agents that run at the same time share the workspace and may not write to it (rule 6); nor may one
// that has no tool to write with.
// Owns: what changed while one of them ran, and who may have done it.
//
// W1. Each agent is held to account for its own time only: from just before it starts to when it has ended. A look takes a
//     moment: whoever is at work during one is named with it.
// W2. Of several at once it cannot be known which one wrote: all are named, and all fail.
// W3. What we wrote ourselves (`save_to`, handlers, issues that an agent has our tools for) is nobody's fault. Where a command ran as well, a change cannot be
//     laid at an agent's door: it is reported, and does not fail.

import type { Workspace } from '../../ports/workspace.ts';

/** A tree with so much uncommitted that its mark is longer is looked at again instead. */
export const LONGEST_MARK = 16 * 1024;

export interface ChangeWatch {
  /** A command is at work, which may write anything. Call the answer when it has ended. */
  worker(name: string, writes?: string): () => void;
  /** We wrote exactly this. */
  wrote(path: string): void;
  /** It may start when this has resolved. */
  agent(name: string, writes?: readonly string[]): Promise<AgentWatch>;
  /** Whether somebody has to be told, once, that nothing can be seen here. */
  tellBlind(): boolean;
}

export interface AgentWatch {
  /** The tree as it was when this began; undefined where that cannot be told. */
  readonly before: string | undefined;
  end(): Promise<Changes>;
  /** Over, and nobody wants to know. */
  drop(): void;
}

export interface Changes {
  files: string[];
  /** Agents that ran at some time while this one did, itself included. */
  agents: string[];
  /** Commands that did. */
  workers: string[];
}

interface Window {
  agents: Set<string>;
  workers: Set<string>;
  /** Written by us; one that ends with `/` is a folder. */
  written: Set<string>;
}

export function createChangeWatch(workspace: Workspace): ChangeWatch {
  const windows = new Set<Window>();
  const agents = new Map<string, readonly string[]>();
  const workers = new Map<string, string | undefined>();
  let isBlind = false;
  let told = false;

  function note(which: 'agents' | 'workers', name: string, writes: readonly string[]): void {
    for (const window of windows) {
      window[which].add(name);
      for (const path of writes) window.written.add(path);
    }
  }

  return {
    worker(name, writes) {
      workers.set(name, writes);
      note('workers', name, writes === undefined ? [] : [writes]);
      return () => workers.delete(name);
    },
    tellBlind() {
      const tells = isBlind && !told;
      told ||= tells;
      return tells;
    },
    wrote(path) {
      for (const window of windows) window.written.add(path);
    },
    async agent(name, writes = []) {
      agents.set(name, writes);
      // Before the look: whoever works during it may be seen in it or not.
      const window: Window = {
        agents: new Set(agents.keys()),
        workers: new Set(workers.keys()),
        written: new Set(
          [...agents.values(), ...workers.values()].flat().filter((path) => path !== undefined),
        ),
      };
      windows.add(window);
      note('agents', name, writes);
      const drop = () => {
        agents.delete(name);
        windows.delete(window);
      };
      try {
        const before = await workspace.fingerprint();
        isBlind ||= before === undefined;
        return { before, drop, end: () => end(name, window, before) };
      } catch (error) {
        drop();
        throw error;
      }
    },
  };

  async function end(name: string, window: Window, before: string | undefined): Promise<Changes> {
    agents.delete(name);
    try {
      const changed = before === undefined ? [] : await workspace.changedSince(before);
      return {
        files: changed.filter((file) => !isOurs(file, window.written)),
        agents: [...window.agents],
        workers: [...window.workers],
      };
    } finally {
      windows.delete(window);
    }
  }
}

function isOurs(file: string, written: ReadonlySet<string>): boolean {
  return written.has(file) || [...written].some((path) => path.endsWith('/') && file.startsWith(path));
}
