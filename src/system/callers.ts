// callers: messages that a process stands by (ports/callers.ts).
// Whatever a command can write into an inbox, an agent of the same user can write too. So the file alone is not
// believed. The command listens on a Unix socket whose name has the digest of the message, for as long as it waits to
// be heard. The kernel shows the holder that name and which process has the socket (/proc), and nobody else can change
// either. A copy that was altered has another digest; a process that is named without its knowledge has no such socket.

import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel } from '../model/entry.ts';
import type { Callers, CheckedMessage } from '../ports/callers.ts';
import type { InboxMessage, Origin } from '../ports/store.ts';
import { type LedClients, ledClients } from './led-clients.ts';
import { type Ancestor, agentIn, clientIn, lineageOf, stepIn } from './lineage.ts';
import { liveClients } from './live-clients.ts';

/** The longest name that a Unix socket can have, with room for its end. */
const longestPath = 100;
const prefix = 'lockstep-';

/** `home`: where clients that were led are noted. `clients`: where those of held sessions are kept (live-clients.ts). */
export function callers(home: string, clients = ''): Callers {
  const led = ledClients(home);
  const above = { led, clients };
  return {
    agentAbove: () => agentIn(lineageOf(process.pid)),
    stepAbove: () => stepIn(lineageOf(process.pid)),
    clientAbove: () => clientIn(lineageOf(process.pid), led.known(), liveClients(clients)),
    noteClient: (port) => (port === undefined ? led.noteAbove() : led.noteAt(port)),
    noteHook: (pid) => led.noteHook(pid),
    channel: (kind) => channelOf(kind, lineageOf(process.pid), process.pid),

    async seal(given) {
      const from: Origin = {
        host: hostname(),
        pid: process.pid,
        started: lineageOf(process.pid)[0]?.start ?? '',
        nonce: randomUUID(),
      };
      // As it will be read: without what JSON leaves out.
      const message = JSON.parse(JSON.stringify({ ...given, from })) as InboxMessage;
      const id = digestOf(message);
      return { id, message, open: await listenAs(id) };
    },

    check(message) {
      const id = digestOf(message);
      const { from } = message;
      if (!isOrigin(from)) return { id, refused: 'it does not come from a lockstep command' };
      if (from.host !== hostname())
        return {
          id,
          refused: `it says that it comes from ${from.host}, which cannot be looked at from here`,
        };
      return checkProcess(id, from, message, above);
    },
  };
}

function checkProcess(
  id: string,
  { pid, started }: Origin,
  message: InboxMessage,
  { led, clients }: { led: LedClients; clients: string },
): CheckedMessage {
  const { kind } = message;
  const chain = lineageOf(pid);
  const [sender] = chain;
  if (!sender || (sender.start !== '' && sender.start !== started))
    return { id, refused: `the process that it names as its sender (${pid}) is gone or is another one` };
  const sockets = socketsCalled(`${prefix}${id}`);
  if (sockets !== undefined && !isHeldBy(pid, sockets))
    return { id, refused: `the process that it names as its sender (${pid}) did not send it` };
  const agent = agentIn(chain);
  // What a client hands in is its own word, and weighed as that; everything else is a person's.
  if (agent !== undefined && kind !== 'claim')
    return { id, refused: `it was sent from below an agent (${agent})` };
  const isOfPage = message.kind === 'answer' && message.through === 'page';
  const channel = channelOf(isOfPage ? 'page' : 'command', chain, pid);
  if (kind === 'answer' && channel.step !== undefined)
    return { id, refused: `it was sent from below a step (${channel.step})` };
  const client =
    kind === 'claim' || kind === 'signal' ? undefined : clientIn(chain, led.known(), liveClients(clients));
  if (client !== undefined)
    return {
      id,
      refused: `it was sent from below a client that is led through a workflow, or held to one (${client})`,
    };
  return { id, channel: sockets === undefined ? { ...channel, unchecked: true } : channel };
}

function channelOf(kind: Channel['kind'], chain: readonly Ancestor[], pid: number): Channel {
  const terminal = chain.find((each) => each.terminal !== '')?.terminal;
  const step = stepIn(chain);
  return {
    kind,
    pid,
    above: chain.slice(1).map(({ name }) => name),
    ...(terminal !== undefined && { terminal }),
    ...(step !== undefined && { step }),
  };
}

function digestOf(message: InboxMessage): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 40);
}

function isOrigin(from: unknown): from is Origin {
  if (typeof from !== 'object' || from === null) return false;
  const { host, pid, started, nonce } = from as Partial<Record<string, unknown>>;
  return (
    [host, started, nonce].every((field) => typeof field === 'string') &&
    Number.isInteger(pid) &&
    Number(pid) > 0
  );
}

/** Where sockets cannot be listed there is nothing to listen for. */
async function listenAs(id: string): Promise<() => void> {
  if (process.platform !== 'linux') return () => {};
  const own = join(tmpdir(), `${prefix}${id}`);
  const path = own.length < longestPath ? own : `/tmp/${prefix}${id}`;
  const server = createServer((connection) => connection.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  // The kernel keeps the name; the file is of no use.
  rmSync(path, { force: true });
  return () => void server.close();
}

/** The sockets with this name, by inode; undefined: the system does not tell. */
function socketsCalled(name: string): Set<string> | undefined {
  let text: string;
  try {
    text = readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return undefined;
  }
  const found = new Set<string>();
  for (const line of text.split('\n')) {
    if (!line.endsWith(`/${name}`)) continue;
    const inode = line.trim().split(/\s+/)[6];
    if (inode !== undefined) found.add(`socket:[${inode}]`);
  }
  return found;
}

function isHeldBy(pid: number, sockets: ReadonlySet<string>): boolean {
  if (sockets.size === 0) return false;
  const held = hasOpen(pid, sockets);
  if (held !== undefined) return held;
  // Another user's process, whose files are not shown to us. Agents are ours: it is enough that none of our processes
  // has the socket.
  return isOtherUsers(pid) && !ourProcesses().some((each) => hasOpen(each, sockets) === true);
}

/** Undefined: its files are not shown. */
function hasOpen(pid: number, targets: ReadonlySet<string>): boolean | undefined {
  const folder = `/proc/${pid}/fd`;
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch {
    return undefined;
  }
  return files.some((file) => {
    try {
      return targets.has(readlinkSync(join(folder, file)));
    } catch {
      return false; // closed in between
    }
  });
}

function isOtherUsers(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid !== process.getuid?.();
  } catch {
    return false;
  }
}

function ourProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}
