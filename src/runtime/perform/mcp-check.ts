// mcp-check: whether the MCP servers of a dispatch can be reached, before an agent is given them. A client that cannot
// start one goes on without it and says so to nobody: the agent then works without its tools.
//
// M1. A server is started (or asked), initialised, asked for its tools, and ended: none of it outlives the look.
// M2. Three retries with back-off, then a failure that names every server that failed, what was tried and what it said.
// M3. `${NAME}` of `env` and `headers` is filled in for the look alone; the value is in no message, argv or log of ours.

import type { Transport } from '@modelcontextprotocol/client';
import type { RunAgent } from '../../model/command.ts';
import type { Failure } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { startMcpServer } from '../handlers/mcp-server-process.ts';
import type { PerformContext } from './context.ts';
import { Breakdown, listed } from './outcome.ts';
import { placeOf } from './output.ts';

const RETRY_AFTER_MS = [500, 1000, 2000];
/** One that is fetched from somewhere when it is first started needs a while. */
const PATIENCE_MS = 30_000;
const LONGEST_WORDS = 1000;

export interface Looking {
  command: RunAgent;
  /** What the agent is given, and with it its servers. */
  env: Record<string, string>;
  signal: AbortSignal;
}

/** Undefined: all can be reached, or the look was ended. */
export async function lookAtServers(
  servers: JsonObject,
  names: string[],
  looking: Looking,
  context: PerformContext,
): Promise<Failure | undefined> {
  const looks = names.map((name) => lookAt(name, servers[name] as JsonObject, looking, context));
  const problems = (await Promise.all(looks)).filter((problem) => problem !== undefined);
  if (problems.length === 0 || looking.signal.aborted) return undefined;
  return {
    class: 'error',
    message: problems.map(({ message }) => message).join('; '),
    hint: 'Start it by hand to see what it needs, or take it out of `mcp_servers`. One that only the client itself can reach (its own log-in) needs `check: false`.',
    details: { mcp_servers: problems.map(({ server }) => server) },
  };
}

interface Problem {
  server: string;
  message: string;
}

async function lookAt(
  name: string,
  server: JsonObject,
  looking: Looking,
  context: PerformContext,
): Promise<Problem | undefined> {
  let filled: Filled;
  try {
    filled = fill(server, looking.env);
  } catch (error) {
    return {
      server: name,
      message: `the MCP server \`${name}\` cannot be used: ${(error as Error).message}`,
    };
  }
  for (let attempt = 0; ; attempt++) {
    const problem = await look(name, filled, looking, context);
    if (problem === undefined || looking.signal.aborted) return undefined;
    const delay = RETRY_AFTER_MS[attempt];
    if (delay === undefined) {
      const tried = `${filled.what}, tried ${attempt + 1} times, the last time: ${problem}`;
      return { server: name, message: `the MCP server \`${name}\` cannot be reached: ${tried}` };
    }
    const again = `MCP server ${name} cannot be reached, again in ${delay / 1000} s`;
    context.report({ kind: 'text', ...placeOf(looking.command), text: context.mask.text(again) });
    await pause(delay, looking.signal, context);
  }
}

interface Filled {
  server: JsonObject;
  /** For messages. */
  what: string;
  env: Record<string, string>;
  headers: Record<string, string>;
}

function fill(server: JsonObject, env: Record<string, string>): Filled {
  const what = whatIs(server);
  const missing = new Set<string>();
  const filled = (field: string) => {
    const given = server[field] ?? {};
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new Error(`\`${field}\` must be a map`);
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, withVariables(value, env, missing)]),
    );
  };
  const parts = { server, what, env: { ...env, ...filled('env') }, headers: filled('headers') };
  if (missing.size === 0) return parts;
  const names = [...missing];
  throw new Error(
    `${listed(names)} ${names.length === 1 ? 'is' : 'are'} not set in the environment of the step`,
  );
}

function withVariables(value: Json, env: Record<string, string>, missing: Set<string>): string {
  return String(value).replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const found = env[name];
    if (found === undefined) missing.add(name);
    return found ?? '';
  });
}

function whatIs({ command, args, url }: JsonObject): string {
  if (typeof command === 'string') {
    const words = [command, ...(Array.isArray(args) ? args.map(String) : [])].join(' ');
    return `\`${words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words}\``;
  }
  if (typeof url !== 'string' || !URL.canParse(url))
    throw new Error('it needs a `command` (with `args`, `env`) or a `url`');
  // A key may stand in the query.
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** What went wrong; undefined: it is there. */
async function look(
  name: string,
  filled: Filled,
  { command, signal }: Looking,
  context: PerformContext,
): Promise<string | undefined> {
  const ended = new AbortController();
  const stop = () => ended.abort();
  signal.addEventListener('abort', stop, { once: true });
  let connection: Connection | undefined;
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'lockstep', version: '1' });
  let problem: string | undefined;
  try {
    const log = `mcp-${name.replace(/[^\w.-]/g, '_')}`;
    connection = await connect(filled, { ...command, part: log }, ended.signal, context);
    const options = { signal: ended.signal, timeout: PATIENCE_MS };
    await client.connect(connection.transport, options);
    if (client.getServerCapabilities()?.tools) await client.listTools(undefined, options);
  } catch (error) {
    if (error instanceof Breakdown) problem = error.failure.message;
    else problem = wordsOf(error);
  }
  signal.removeEventListener('abort', stop);
  await client.close().catch(() => {});
  await connection?.ended();
  return problem === undefined ? undefined : `${problem}${connection?.said() ?? ''}`;
}

interface Connection {
  transport: Transport;
  said(): string;
  ended(): Promise<void>;
}

async function connect(
  { server, env, headers }: Filled,
  place: RunAgent,
  signal: AbortSignal,
  context: PerformContext,
): Promise<Connection> {
  if (typeof server.command === 'string')
    return startMcpServer(server, { place: { ...placeOf(place), try: place.try }, context, env, signal });
  const url = new URL(server.url as string);
  const init = { requestInit: { headers, signal } };
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport =
    server.type === 'sse' ? new SSEClientTransport(url, init) : new StreamableHTTPClientTransport(url, init);
  // The SDK's own class does not fit its own interface under exact optional types.
  return { transport: transport as Transport, said: () => '', ended: async () => {} };
}

/** `fetch failed` alone helps nobody. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? cause.message : undefined;
  return why === undefined || why === '' || message.includes(why) ? message : `${message} (${why})`;
}

function pause(milliseconds: number, signal: AbortSignal, { clock }: PerformContext): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const disarm = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = () => {
      disarm();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
