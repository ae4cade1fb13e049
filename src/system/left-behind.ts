// left-behind: what a process that was killed has left running. Its children are in groups of their own, so they live
// on; whoever goes on with its work must not have them beside it. Found through /proc by what is in their environment.

import { readFileSync } from 'node:fs';
import { processTable } from './process-tree.ts';

/** How long a killed process may take to be gone. */
const PATIENCE = 2000;

/** KILL to each process whose environment matches, this one and its ancestors excepted; how many there were. */
export async function endLeftBehind(
  matches: (environment: ReadonlyMap<string, string>) => boolean,
): Promise<number> {
  const table = processTable('fresh');
  const ours = new Set<number>();
  for (let pid = process.pid; pid > 0 && !ours.has(pid); pid = table.get(pid)?.parent ?? 0) ours.add(pid);
  const found = [...table.values()].filter(
    (row) => !row.zombie && !ours.has(row.pid) && matches(environmentOf(row.pid)),
  );
  for (const { pid } of found) kill(pid);
  const until = performance.now() + PATIENCE;
  while (performance.now() < until && found.some(({ pid, start }) => lives(pid, start))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return found.length;
}

function environmentOf(pid: number): Map<string, string> {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return new Map(
      variables.map((variable) => [
        variable.slice(0, variable.indexOf('=')),
        variable.slice(variable.indexOf('=') + 1),
      ]),
    );
  } catch {
    return new Map(); // gone, or somebody else's
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function lives(pid: number, start: string): boolean {
  const row = processTable('fresh').get(pid);
  return row !== undefined && !row.zombie && row.start === start;
}
