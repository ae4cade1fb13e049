// machine: which kernel this is, and whether a process on it still runs. A process is its id and its start time:
// ids are used again, and after a restart all of them are.

import { readFileSync, readlinkSync } from 'node:fs';

export interface Machine {
  /** Changes with every start of the machine; empty where it cannot be known. */
  boot: string;
  /** Which set of process ids this is: a container has its own. Empty where it cannot be known. */
  namespace: string;
}

export function thisMachine(boot?: string): Machine {
  return {
    boot: boot ?? attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '',
    namespace: attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '',
  };
}

let ownStart: string | undefined;

/** In ticks since the machine started, which no change of the clock moves; empty where it cannot be known. */
export function startOfProcess(pid: number): string {
  if (pid !== process.pid) return processStatus(pid)?.started ?? '';
  ownStart ??= processStatus(pid)?.started ?? '';
  return ownStart;
}

/** `started` as it was when that process was seen; empty: only the id is compared. */
export function processRuns(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    if ((error as { code?: string }).code !== 'EPERM') return false;
  }
  const status = processStatus(pid);
  if (status === undefined) return true;
  // A zombie writes nothing any more; its parent just has not looked yet.
  if (status.state === 'Z' || status.state === 'X') return false;
  return started === '' || started === status.started;
}

function processStatus(pid: number): { state: string; started: string } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === undefined) return undefined;
  // The second field is the name in parentheses, which may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
