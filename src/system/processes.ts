// processes: child processes, each in a group of its own.
// Owns: starting, streaming, ending. Never: a shell, a decision about what an exit code means.
//
// P1. What a command starts ends with it. When its leader has exited, what is left in its group may finish what it is
//     writing; once that has been quiet for `quietMs` (or still is not after `graceMs`) it gets TERM, then KILL.
//     `end` comes when the group is gone. A process that made itself a daemon (setsid) outlives a command that ended
//     by itself, but not one that was stopped: on Linux those are found through /proc; elsewhere only the group is.
// P2. `stop` is TERM, and KILL after `graceMs` for whoever is left, the leader having exited or not.
// P3. Output is handed on as it comes, chunk by chunk; nothing is decoded, joined or kept (S5).
// P4. `spawn` never throws and `end` always comes: also for a process that cannot be killed (another user's), with `error`.

import type { ProcessEnd, Processes, RunningProcess } from '../ports/processes.ts';
import { type Child, startChild } from './child.ts';
import { endLeftBehind } from './left-behind.ts';
import { agentMarker, noteAgent } from './lineage.ts';
import { processTable } from './process-tree.ts';
import { spawnFailure } from './spawn-failure.ts';

export interface ChildProcessesOptions {
  /** Between TERM and KILL, in milliseconds. */
  graceMs?: number;
  /** How long the output of a command whose leader has exited must be quiet. */
  quietMs?: number;
}

export function childProcesses({ graceMs = 5000, quietMs = 500 }: ChildProcessesOptions = {}): Processes {
  const living = new Set<Child>();
  // Unique on this machine for as long as any child of ours may live.
  const prefix = `${process.pid}-${Math.round(performance.timeOrigin)}-`;
  let count = 0;
  return {
    spawn(request) {
      try {
        count += 1;
        const child = startChild(request, { graceMs, quietMs, marker: `${prefix}${count}`, living });
        if (child.pid !== undefined && request.env[agentMarker] !== undefined) noteAgent(child.pid);
        return child;
      } catch (error) {
        return neverStarted({ exitCode: null, signal: null, error: spawnFailure(error, request) });
      }
    },
    killAll() {
      if (living.size > 0) processTable('fresh');
      for (const child of living) child.kill();
    },
    endLeftBehind,
  };
}

function neverStarted(end: ProcessEnd): RunningProcess {
  const nothing = () => {};
  return {
    pid: undefined,
    end: Promise.resolve(end),
    write: nothing,
    endInput: nothing,
    stop: nothing,
    kill: nothing,
  };
}
