// claim: the name of the one daemon of a build, and the end of older ones.
// C1. A number is taken by binding its socket, which the file system grants to one process. Who took one and then sees a higher
//     one has lost, like a lease.
// C2. A socket at which nobody listens belongs to a daemon that was killed: it is removed by the next one.
// C3. Of two builds the newer serves. An older one that is still there is asked to end first, so that it gives its runs back; an
//     older one that is started beside a newer does not serve.

import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { exchange } from './exchange.ts';
import { type DaemonSocket, makePrivateFolder, socketPath, socketsIn } from './place.ts';
import { type Build, encodeRequest, type Hello, isNewer, PROTOCOL } from './wire.ts';

export type Claimed =
  | { kind: 'claimed'; path: string }
  | { kind: 'taken'; by: Hello }
  | { kind: 'newer'; by: Hello }
  | { kind: 'stuck'; by: Hello };

const HELLO_PATIENCE_MS = 5_000;
/** An older daemon finishes the checks that are under way, within bounds. */
const END_PATIENCE_MS = 60_000;
const ROUNDS = 100;

/** Binds `server`. `taken`: there is one of this build. `newer`: one of another build is to serve. `stuck`: an older one does not end. */
export async function claim(server: Server, folder: string, own: Build): Promise<Claimed> {
  makePrivateFolder(folder);
  const others = await alive(folder, ({ build }) => build !== own.build, own);
  const newer = others.find(({ hello }) => isNewer(hello, own));
  if (newer) return { kind: 'newer', by: newer.hello };
  for (const { hello, socket } of others) if (!(await end(socket, own))) return { kind: 'stuck', by: hello };
  for (let round = 0; round < ROUNDS; round++) {
    const mine = socketsIn(folder).filter(({ build }) => build === own.build);
    const [there] = await alive(folder, ({ build }) => build === own.build, own);
    if (there) return { kind: 'taken', by: there.hello };
    const number = (mine[0]?.number ?? 0) + 1;
    const path = socketPath(folder, own.build, number);
    if (!(await bind(server, path))) continue;
    const higher = socketsIn(folder).some((each) => each.build === own.build && each.number > number);
    if (!higher) {
      for (const old of mine) rmSync(old.path, { force: true }); // C2
      return { kind: 'claimed', path };
    }
    await new Promise((resolve) => server.close(resolve)); // removes the socket
  }
  throw new Error(`no socket could be had in ${folder}`);
}

/** Whether the daemon at this path is still the one that hooks find. */
export function isCurrent(folder: string, build: string, path: string): boolean {
  return socketsIn(folder).find((each) => each.build === build)?.path === path;
}

/** Daemons that answer, with what they say of themselves. */
export async function alive(
  folder: string,
  which: (socket: DaemonSocket) => boolean,
  own: Build,
): Promise<{ socket: DaemonSocket; hello: Hello }[]> {
  const found: { socket: DaemonSocket; hello: Hello }[] = [];
  for (const socket of socketsIn(folder).filter(which)) {
    const question = encodeRequest({ lockstep: PROTOCOL, ...own, kind: 'hello' });
    const exchanged = await exchange(socket.path, question, HELLO_PATIENCE_MS);
    if (exchanged.kind === 'answer') found.push({ socket, hello: JSON.parse(exchanged.text) as Hello });
    else if (exchanged.kind === 'absent' && socket.build !== own.build) rmSync(socket.path, { force: true }); // C2
  }
  return found;
}

/** False: it is still there after its time. Its answer comes when it has given everything back. */
export async function end(socket: DaemonSocket, own: Build): Promise<boolean> {
  const question = encodeRequest({ lockstep: PROTOCOL, ...own, kind: 'end' });
  const exchanged = await exchange(socket.path, question, END_PATIENCE_MS);
  return exchanged.kind !== 'late';
}

/** False: somebody has that number. */
function bind(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    server.once('error', failed);
    server.listen(path, () => {
      server.off('error', failed);
      chmodSync(path, 0o600);
      resolve(true);
    });
  });
}
