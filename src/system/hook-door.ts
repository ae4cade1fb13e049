// hook-door: a unix socket in a folder of our own, and the command that knocks on it (scripts/hook.cjs).
// Owns: the socket's life, also after a process that died. Never: what an answer means.
//
// H1–H3 are in ports/hook-door.ts.
// H4. A folder whose process was killed is removed by the next one that opens a door, or by `sweep`.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookAnswer, HookDoor, OpenDoor } from '../ports/hook-door.ts';
import { singleQuoted } from '../text/shell/quote.ts';

export interface HookDoorOptions {
  /** dist/hook.cjs */
  program: string;
  /** Where the folders of the doors go; one that only this user may write is best. */
  folder?: string;
  patienceMs?: number;
}

export interface SweptHookDoor extends HookDoor {
  /** Removes what processes that were killed have left. How many there were. */
  sweep(): Promise<number>;
}

const PREFIX = 'lockstep-door-';
const SOCKET = 'door';
/** A path longer than this is not one a socket can have (104 bytes on some systems, the final zero included). */
const LONGEST_PATH = 100;
const MOST_BYTES = 64 * 2 ** 20;
const PATIENCE_MS = 30_000;
/** A folder without a socket may belong to a process that is just about to open one. */
const YOUNG_MS = 60_000;

export function hookDoor(options: HookDoorOptions): SweptHookDoor {
  const { program, patienceMs = PATIENCE_MS } = options;
  const folder = shortEnough(options.folder ?? tmpdir());
  let swept: Promise<number> | undefined;
  const sweep = () => sweepFolder(folder);
  return {
    sweep,
    async open(handler) {
      swept ??= sweep();
      await swept;
      return openDoor(folder, handler, { program, patienceMs });
    },
  };
}

function shortEnough(folder: string): string {
  const path = join(folder, `${PREFIX}XXXXXX`, SOCKET);
  return Buffer.byteLength(path) > LONGEST_PATH ? '/tmp' : folder;
}

async function openDoor(
  base: string,
  handler: (payload: string) => Promise<HookAnswer>,
  { program, patienceMs }: { program: string; patienceMs: number },
): Promise<OpenDoor> {
  const folder = mkdtempSync(join(base, PREFIX)); // mode 700
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const path = join(folder, SOCKET);
  const callers = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    callers.add(caller);
    caller.on('close', () => callers.delete(caller));
    attend(caller, handler);
  });
  const close = once(async () => {
    process.off('exit', remove);
    for (const caller of callers) caller.destroy();
    await new Promise((resolve) => server.close(resolve));
    remove();
  });
  try {
    await listen(server, path);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    // What a project sets for its own Node programs is not for ours. And only exit code 2 is a denial: a program that
    // cannot even start must not end with another one, nor without a word: Codex and Gemini overlook a hook that ends
    // with 2 and prints nothing.
    command: `NODE_OPTIONS= NODE_EXTRA_CA_CERTS= ${[process.execPath, program, path].map(singleQuoted).join(' ')} ${patienceMs} || { [ $? -eq 2 ] || echo 'Lockstep could not be asked: denied.' >&2; exit 2; }`,
    patienceMs,
    close,
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.on('error', () => {}); // one caller that cannot be accepted is one that is denied
      resolve();
    });
  });
}

/** A caller that is cut off is denied by the program at its end. */
function attend(caller: Socket, handler: (payload: string) => Promise<HookAnswer>): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  caller.on('error', () => caller.destroy());
  caller.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) caller.destroy();
    else chunks.push(chunk);
  });
  caller.on('end', async () => {
    // Somebody who only looks whether anybody is there.
    if (bytes === 0) return void caller.destroy();
    const answer = await answerOf(handler, Buffer.concat(chunks).toString('utf8'));
    if (!caller.destroyed) caller.end(JSON.stringify(answer));
  });
}

async function answerOf(
  handler: (payload: string) => Promise<HookAnswer>,
  payload: string,
): Promise<Required<HookAnswer>> {
  try {
    return { stdout: '', stderr: '', exitCode: 0, ...(await handler(payload)) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { stdout: '', stderr: `the call could not be judged, and is denied: ${why}\n`, exitCode: 2 };
  }
}

async function sweepFolder(base: string): Promise<number> {
  let removed = 0;
  for (const name of names(base)) {
    const folder = join(base, name);
    if (!(await isAbandoned(folder))) continue;
    try {
      rmSync(folder, { recursive: true });
      removed++;
    } catch {
      // another process was quicker, or it is somebody else's
    }
  }
  return removed;
}

function names(base: string): string[] {
  try {
    return readdirSync(base).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || found.uid !== process.getuid?.()) return false;
  const code = await knock(join(folder, SOCKET));
  return code === 'ECONNREFUSED' || (code === 'ENOENT' && Date.now() - found.mtimeMs > YOUNG_MS);
}

/** What became of it; undefined: somebody is there. */
function knock(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}
