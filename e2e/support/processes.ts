// processes: which processes belong to a scene, by the HOME that only they have.

import { readdirSync, readFileSync } from 'node:fs';

/** Living ones; a dead one that nobody asked after does not count. */
export function processesOf(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && read(pid, 'environ').split('\0').includes(`HOME=${home}`))
    .filter((pid) => !/\) Z /.test(read(pid, 'stat')));
}

export function commandLine(pid: number): string {
  return read(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/** At once; it may have gone by itself meanwhile. */
export function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A second for those that are just going; the rest is ended and named. */
export async function endProcesses(home: string): Promise<string[]> {
  const until = Date.now() + 1_000;
  while (processesOf(home).length > 0 && Date.now() < until) await pause(20);
  return processesOf(home).map((pid) => {
    const named = `${pid} ${commandLine(pid)}`;
    end(pid);
    return named;
  });
}

/** Waits until it holds; a test that never gets there runs into its own time-out. */
export async function eventually<Value>(
  look: () => Value | undefined | false,
): Promise<Exclude<Value, false | undefined>> {
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found as Exclude<Value, false | undefined>;
    await pause(10);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** It may have gone meanwhile. */
function read(pid: number, file: 'environ' | 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
