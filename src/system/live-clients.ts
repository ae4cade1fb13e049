// live-clients: the processes of clients whose sessions are held. One file for each, named by the number and the start of the
// process, so that commands below it know that they are; and the origins of hook events (ports/hook-origins.ts).
// V1. A process is taken for a client because the shell that runs an installed hook line is its child.
// V2. Files of processes that are gone count for nothing, and are removed by the next daemon.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookOrigins } from '../ports/hook-origins.ts';
import { type Ancestor, isShell, lineageOf, statusOf, wordsOf } from './lineage.ts';

/** Between the program and the shell of the line there may be what finds the program. */
const MOST_BETWEEN = 4;
const MOST_SESSIONS = 50;
const NAME = /^(\d+)\.(\d+)\.json$/;

export interface LiveClient {
  pid: number;
  start: string;
  name: string;
  /** `claude/<id>`; the last ones. */
  sessions: string[];
}

/** Those whose processes are there. */
export function liveClients(folder: string): LiveClient[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((file) => {
    const [, pid, start] = NAME.exec(file) ?? [];
    if (pid === undefined || start === undefined || statusOf(Number(pid))?.start !== start) return [];
    return [{ pid: Number(pid), start, ...contentOf(join(folder, file)) }];
  });
}

/** What cannot be read names no session: that it is there says that a session is held. */
function contentOf(file: string): Pick<LiveClient, 'name' | 'sessions'> {
  try {
    const { name, sessions } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LiveClient>;
    if (typeof name === 'string' && Array.isArray(sessions)) return { name, sessions: sessions.map(String) };
  } catch {
    // as below
  }
  return { name: 'a client', sessions: [] };
}

export function hookOrigins(folder: string, isHookLine: (word: string) => boolean): HookOrigins {
  const known = new Map<string, LiveClient>();
  if (process.platform === 'linux') sweep();

  function sweep(): void {
    const live = liveClients(folder);
    for (const client of live) known.set(keyOf(client), client);
    try {
      for (const file of readdirSync(folder))
        if (NAME.test(file) && !known.has(file.replace(/\.json$/, '')))
          rmSync(join(folder, file), { force: true });
    } catch {
      // there is none
    }
  }

  function ownerOf(session: string): LiveClient | undefined {
    for (const [key, client] of known) {
      if (!client.sessions.includes(session)) continue;
      if (statusOf(client.pid)?.start === client.start) return client;
      known.delete(key);
      rmSync(fileOf(key), { force: true });
    }
    return undefined;
  }

  function learn({ pid, start, name }: Ancestor, session: string): void {
    const key = keyOf({ pid, start });
    const client = known.get(key) ?? { pid, start, name, sessions: [] };
    client.sessions = [...client.sessions, session].slice(-MOST_SESSIONS);
    known.set(key, client);
    keep(key, client);
  }

  function keep(key: string, { name, sessions }: LiveClient): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const fresh = `${fileOf(key)}.new`;
    writeFileSync(fresh, `${JSON.stringify({ name, sessions })}\n`, { mode: 0o600 });
    renameSync(fresh, fileOf(key));
  }

  const fileOf = (key: string) => join(folder, `${key}.json`);

  return {
    look(pid, key) {
      if (process.platform !== 'linux') return {};
      const session = `${key.client}/${key.id}`;
      const chain = lineageOf(pid);
      const at = 1 + chain.slice(0, MOST_BETWEEN).findIndex((each) => wordsOf(each.pid).some(isHookLine));
      const client = at > 0 ? chain[at] : undefined;
      const above = chain.slice(client ? at + 1 : 1).flatMap((each) => known.get(keyOf(each)) ?? [])[0];
      const owner = ownerOf(session);
      if (owner) {
        if (client && keyOf(client) === keyOf(owner)) return above ? { below: nameOf(above) } : {};
        return {
          refused: `this session is open in ${nameOf(owner)}, and the event comes from elsewhere (process ${pid}). Where it was gone on with in a second client, end the first`,
        };
      }
      if (!client)
        return above ? { refused: `the event was made below ${nameOf(above)}, not by its hooks` } : {};
      // A person who tries a line in a terminal is no client, nor is what takes in orphans.
      if (client.pid > 1 && !isShell(wordsOf(client.pid))) learn(client, session);
      return above ? { below: nameOf(above) } : {};
    },
    forget({ client, id }) {
      const session = `${client}/${id}`;
      for (const [key, each] of known) {
        if (!each.sessions.includes(session)) continue;
        each.sessions = each.sessions.filter((one) => one !== session);
        if (each.sessions.length > 0) keep(key, each);
        else {
          known.delete(key);
          rmSync(fileOf(key), { force: true });
        }
      }
    },
  };
}

function nameOf({ name, pid }: Pick<LiveClient, 'name' | 'pid'>): string {
  return `${name}, process ${pid}`;
}

function keyOf({ pid, start }: { pid: number; start: string }): string {
  return `${pid}.${start}`;
}
