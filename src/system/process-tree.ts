// process-tree: who belongs to a child, as the kernel tells it. Groups everywhere; on Linux /proc too, which shows
// those that left their group (setsid) and tells the dead that nobody has waited for from the living.

import { readdirSync, readFileSync } from 'node:fs';

/** Whether there is a /proc to look at. */
const hasProc = process.platform === 'linux';

/** Put into the environment of a child, and inherited by all it starts: how one that became a daemon is found. */
const markerName = 'LOCKSTEP_CHILD';

interface Row {
  pid: number;
  parent: number;
  group: number;
  /** Dead, and nobody has waited for it: a container's first process may never do so. */
  zombie: boolean;
  /** When it started. With the pid it names a process for good; the pid alone is used again. */
  start: string;
  /** Its marker, read when first asked for. */
  marker?: string;
}

/** Processes outside the group: pid → start. */
export type Strays = Map<number, string>;

export function markEnvironment(env: Record<string, string>, marker: string): Record<string, string> {
  return hasProc ? { ...env, [markerName]: marker } : env;
}

/** False: there is nobody to send it to. */
export function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  return send(-group, signal);
}

/** True while anybody in the group lives, also one that we may not signal. */
export function groupLives(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  // A reading of a moment ago may say yes a moment too long; only a fresh one may say no.
  return !hasProc || hasMember(processTable(), group) || hasMember(processTable('fresh'), group);
}

function hasMember(table: Map<number, Row>, group: number): boolean {
  for (const row of table.values()) if (row.group === group && !row.zombie) return true;
  return false;
}

export function signalStrays(strays: Strays, signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of strays.keys()) send(pid, signal);
}

/** Takes the dead out of `strays` and puts in whoever else left the group and carries the marker, or descends from it. */
export function refreshStrays(strays: Strays, group: number, marker: string): void {
  if (!hasProc) return;
  const table = processTable();
  if (!table.has(process.pid)) return; // a /proc that hides processes says nothing
  for (const [pid, start] of strays) {
    const row = table.get(pid);
    if (row === undefined || row.zombie || row.start !== start) strays.delete(pid);
  }
  const family = descendants(table, group);
  for (const row of table.values()) {
    if (row.group === group || row.zombie || row.pid === process.pid) continue;
    if (family.has(row.pid) || markerOf(row) === marker) strays.set(row.pid, row.start);
  }
}

function descendants(table: Map<number, Row>, group: number): Set<number> {
  const children = new Map<number, number[]>();
  const found = new Set<number>();
  for (const row of table.values()) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row.pid);
    else children.set(row.parent, [row.pid]);
    if (row.group === group) found.add(row.pid);
  }
  // A Set hands out what is added while it is walked.
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
  return found;
}

function markerOf(row: Row): string {
  if (row.marker === undefined) {
    try {
      const variables = readFileSync(`/proc/${row.pid}/environ`, 'latin1').split('\0');
      row.marker =
        variables.find((variable) => variable.startsWith(`${markerName}=`))?.slice(markerName.length + 1) ??
        '';
    } catch {
      row.marker = ''; // gone, or somebody else's
    }
  }
  return row.marker;
}

let lastTable: { rows: Map<number, Row>; until: number } = { rows: new Map(), until: 0 };

/**
 * Reading it takes some milliseconds, more on a busy machine; a hundred children that are stopped together share one
 * reading, and at most a fifth of the time goes into it.
 */
export function processTable(age?: 'fresh'): Map<number, Row> {
  const from = performance.now();
  if (age !== 'fresh' && from < lastTable.until) return lastTable.rows;
  const rows = new Map<number, Row>();
  for (const name of hasProc ? readdirSync('/proc') : []) {
    const row = /^\d+$/.test(name) ? readRow(Number(name)) : undefined;
    if (row === undefined) continue;
    rows.set(row.pid, row);
    // Inherited from the start, so what was read once stays true.
    const before = lastTable.rows.get(row.pid);
    if (before?.start === row.start && before.marker !== undefined) row.marker = before.marker;
  }
  const now = performance.now();
  lastTable = { rows, until: now + Math.max(25, 4 * (now - from)) };
  return rows;
}

function readRow(pid: number): Row | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself hold spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group] = fields;
    const zombie = state === 'Z' || state === 'X';
    return { pid, parent: Number(parent), group: Number(group), zombie, start: fields[19] ?? '' };
  } catch {
    return undefined; // it ended while we looked
  }
}

/** Nearly every command is asked for when it is gone, and nobody reads where that was asked: a stack costs more than the question. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
