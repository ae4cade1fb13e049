// mcp: Lockstep as an MCP server: any client is led through a workflow, one step at a time.
// Owns: tools, tokens, the words that models read. Never: decides whether work was enough (engine/), journals (runtime/),
// reads the disk by itself (it is given its workplaces).
// G1. One step at a time: no answer, resource, listing or error has the prompt of a step that was not handed out.
// G2. A refusal changes nothing, and says what to do instead.
// G3. The same token gives the same answer for ever.
// G4. A person's word is a person's: it comes by elicitation or by `lockstep answer`, never as an argument of a tool.
// G5. The server holds nothing that a crash could lose: runs are in their journals, and a token says where it belongs.

import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeBackground } from './background.ts';
import { type ForRun, workplacesForRun } from './for-run.ts';
import { makeServer } from './server.ts';
import { stdioWire } from './stdio-wire.ts';
import { readOrMakeKey } from './token-key.ts';
import { signedTokens, type Tokens } from './tokens.ts';
import type { Toolset } from './toolsets.ts';
import type { Workplaces } from './workplace.ts';

export { TOOLSET_NAMES, type Toolset } from './toolsets.ts';
export type { Workplace, Workplaces } from './workplace.ts';

export interface Serving {
  workplaces: Workplaces;
  toolsets: readonly Toolset[];
  /** For an agent of a run. */
  forRun?: ForRun | undefined;
}

/** Until the input has ended and what was under way is over. */
export async function serveOverStdio(
  { workplaces: all, toolsets, forRun }: Serving,
  streams: { input: Readable; output: Writable; warn(message: string): void },
): Promise<void> {
  const background = makeBackground();
  const workplaces = forRun ? workplacesForRun(all, forRun) : all;
  const parts = { workplaces, toolsets, forRun, background, tokens: lazily(() => tokensOf(workplaces)) };
  const wire = stdioWire(streams.input, streams.output);
  const handle = serveStdio(() => makeServer(parts), {
    transport: wire,
    onerror: (error) => streams.warn(error.message),
  });
  await wire.drained;
  await background.end();
  await workplaces.close();
  await handle.close();
}

/** Until `stopped`. */
export async function serveOverHttp(
  { workplaces, toolsets }: Serving,
  options: {
    port: number;
    token?: string;
    stopped: Promise<unknown>;
    opened(door: { url: string; token: string }): void;
    warn(message: string): void;
  },
): Promise<void> {
  const background = makeBackground();
  const parts = { workplaces, toolsets, background, tokens: lazily(() => tokensOf(workplaces)) };
  const { openHttpDoor } = await import('./http-door.ts');
  const door = await openHttpDoor(() => makeServer(parts), {
    connected: (from) => workplaces.callers.noteClient(from),
    ...{ port: options.port, onerror: (error: Error) => options.warn(error.message) },
    ...(options.token !== undefined && { token: options.token }),
  });
  options.opened(door);
  await options.stopped;
  await door.close();
  await background.end();
  await workplaces.close();
}

function tokensOf({ home }: Workplaces): Tokens {
  return signedTokens(readOrMakeKey(home));
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
