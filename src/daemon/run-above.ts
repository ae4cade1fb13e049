// run-above: whether the client of a hook was started by a run of Lockstep that is still held. That run has a door of its own for
// its client, so the daemon is not asked about it (live.md 3.13).
// The variables alone are not believed: anybody can set them, and a daemon of Codex keeps those of its first client. The lease of
// the run names its holder, which has to be one of the processes above.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function isBelowRun(environment: NodeJS.ProcessEnv, pid: number): boolean {
  const { LOCKSTEP_RUN: run, LOCKSTEP_RUN_ROOT: folder } = environment;
  if (!run || !folder) return false;
  const holder = holderOf(folder);
  if (holder === undefined) return false;
  return processesAbove(pid).some(
    ({ pid: above, started }) => above === holder.pid && started === holder.started,
  );
}

/** What the highest lease says (stores/file/lease.ts). */
function holderOf(folder: string): { pid: number; started: string } | undefined {
  try {
    const leases = join(folder, 'lease');
    const [highest] = readdirSync(leases)
      .filter((name) => /^\d+$/.test(name))
      .sort((one, other) => Number(other) - Number(one));
    if (highest === undefined) return undefined;
    return JSON.parse(readFileSync(join(leases, highest), 'utf8')) as { pid: number; started: string };
  } catch {
    return undefined; // no such run, or its lease was given back
  }
}

/** The process itself first. Without /proc `ps` tells who is above whom, and leases have no start of a process either. */
function processesAbove(pid: number): { pid: number; started: string }[] {
  const parentOf = process.platform === 'linux' ? fromProc : fromList();
  const found: { pid: number; started: string }[] = [];
  for (let at = pid; at > 1 && found.length < 64; ) {
    const seen = parentOf(at);
    if (seen === undefined) break;
    found.push({ pid: at, started: seen.started });
    at = seen.parent;
  }
  return found;
}

interface Seen {
  parent: number;
  started: string;
}

function fromProc(pid: number): Seen | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), started: fields[19] ?? '' };
  } catch {
    return undefined; // gone
  }
}

function fromList(): (pid: number) => Seen | undefined {
  const parents = new Map<number, number>();
  try {
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: 5_000 });
    for (const [, pid, parent] of listed.matchAll(/^\s*(\d+)\s+(\d+)/gm))
      parents.set(Number(pid), Number(parent));
  } catch {
    // no process is known to be above
  }
  return (pid) => (parents.has(pid) ? { parent: parents.get(pid) ?? 0, started: '' } : undefined);
}
