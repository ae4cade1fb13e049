// led-clients: which processes are, or were, clients that `lockstep mcp` leads or whose hooks hold a session to a workflow, noted in
// `$LOCKSTEP_HOME/led/` when a client is handed its first step, or its first event is judged. A client that has ended its server is still known by it, and so is what it left behind in its session
// or group. A process is its number, its start and the boot of the machine: numbers are used again.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientOf, clientOfHook, lineageOf, peerOf } from './lineage.ts';

const FOLDER = 'led';
/** A client that was last noted longer ago, and is gone, has left nothing behind that still asks. */
const KEPT_MS = 7 * 24 * 3_600_000;

export interface LedClients {
  /** The client that started this process. */
  noteAbove(): void;
  /** The client at the other end of a connection on loopback, by its port. */
  noteAt(port: number): void;
  /** The client whose hook that process is. */
  noteHook(pid: number): void;
  /** Number → name. */
  known(): Map<number, string>;
}

export function ledClients(home: string): LedClients {
  const folder = join(home, FOLDER);
  const noted = new Set<string>();
  const note = (client: { pid: number; start: string; name: string } | undefined): void => {
    const boot = bootId();
    if (!client || client.start === '' || boot === undefined) return;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, `${boot}-${client.pid}-${client.start}`), client.name, { mode: 0o600 });
      prune(folder, boot);
    } catch {
      // What cannot be noted is seen while its server is there.
    }
  };
  return {
    noteAbove: () => note(clientOf(process.pid)),
    noteAt: (port) => note(peerOf(port)),
    noteHook(pid) {
      const client = clientOfHook(pid);
      const name = `${client?.pid} ${client?.start}`;
      // Every event has a hook; the client is the same.
      if (!client || noted.has(name)) return;
      note(client);
      noted.add(name);
    },
    known: () => read(folder),
  };
}

function read(folder: string): Map<number, string> {
  const known = new Map<number, string>();
  const boot = bootId();
  if (boot === undefined) return known;
  for (const file of filesIn(folder)) {
    const noted = parse(file);
    if (!noted || noted.boot !== boot || !isStill(noted)) continue;
    try {
      known.set(noted.pid, readFileSync(join(folder, file), 'utf8'));
    } catch {
      // removed in between
    }
  }
  return known;
}

function parse(file: string): { boot: string; pid: number; start: string } | undefined {
  const [, boot, pid, start] = /^([\w-]+)-(\d+)-(\d+)$/.exec(file) ?? [];
  return boot === undefined || start === undefined ? undefined : { boot, pid: Number(pid), start };
}

/** It is there, or gone: while its number names a session or a group, no other process is given it. */
function isStill({ pid, start }: { pid: number; start: string }): boolean {
  const [now] = lineageOf(pid);
  return now === undefined || now.start === start;
}

function prune(folder: string, boot: string): void {
  for (const file of filesIn(folder)) {
    const noted = parse(file);
    const isOver = !noted || noted.boot !== boot || !isStill(noted);
    const isOld = statSync(join(folder, file)).mtimeMs < Date.now() - KEPT_MS;
    if (isOver || (isOld && lineageOf(noted.pid).length === 0)) rmSync(join(folder, file), { force: true });
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** undefined: the system does not tell, and then nothing is known of other processes either. */
function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}
