// call-mcp-tool: { server, servers, tool, arguments }. Starts or reaches an MCP server, calls one tool, ends the server.
// `server` is a name in `servers`, or { command, args, env } for one that speaks over its own input and output, or { url, headers };
// `${NAME}` in a header is a secret that the step declares.

import { Fault } from '../../model/fault.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { placeName } from '../../model/place-name.ts';
import { startExtract } from '../extract.ts';
import { normalise } from '../normalise.ts';
import { environmentFor } from '../perform/environment.ts';
import { Breakdown, listed, UNPERFORMABLE } from '../perform/outcome.ts';
import { mapArgument, textArgument, wrong } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { startMcpServer } from './mcp-server-process.ts';

/** As long as a timer goes: the step's own time-out is the one that counts. */
const NO_TIMEOUT = 2 ** 31 - 1;
/** A structured answer larger than this is no answer for a journal. */
const LARGEST = 10 * 1024 * 1024;

export async function callMcpTool(call: HandlerCall): Promise<Handled> {
  const tool = textArgument(call.with, 'tool');
  const server = chosenServer(call.with);
  const given = call.with.arguments === undefined ? {} : mapArgument(call.with, 'arguments');
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'lockstep', version: '1' });
  const connection = await connect(server, call);
  try {
    const options = { signal: call.signal, timeout: NO_TIMEOUT };
    await client.connect(connection.transport, options);
    const result = await client.callTool({ name: tool, arguments: given }, options);
    return readResult(tool, result, call);
  } catch (error) {
    if (error instanceof Breakdown || error instanceof Fault) throw error;
    throw new Breakdown({
      class: 'error',
      message: `the MCP tool \`${tool}\` could not be called: ${(error as Error).message}${connection.said()}`,
    });
  } finally {
    await client.close().catch(() => {});
    await connection.ended();
  }
}

/** Itself, or the one of that name in `servers`. */
function chosenServer(given: JsonObject): JsonObject {
  const { server } = given;
  if (typeof server !== 'string') return mapArgument(given, 'server');
  const servers = given.servers === undefined ? {} : mapArgument(given, 'servers');
  if (Object.hasOwn(servers, server)) return mapArgument(servers, server);
  const names = Object.keys(servers);
  const known = names.length === 0 ? '`servers` has none' : `\`servers\` has ${listed(names)}`;
  throw new Breakdown(
    { class: 'error', message: `there is no MCP server ${JSON.stringify(server)}: ${known}` },
    UNPERFORMABLE,
  );
}

interface Connection {
  transport: import('@modelcontextprotocol/client').Transport;
  /** What the server wrote on stderr, for the message. */
  said(): string;
  ended(): Promise<void>;
}

/** It may write anything, as a command may. */
function startOwn(server: JsonObject, { command, context, signal }: HandlerCall): Connection {
  const extra = server.env === undefined ? {} : (mapArgument(server, 'env') as Record<string, string>);
  const env = { ...environmentFor(command, context), ...extra };
  const place = { path: command.path, part: command.part, try: command.try };
  const started = startMcpServer(server, { place, context, env, signal });
  const release = context.changes.worker(placeName(command.path, command.part));
  return { ...started, ended: () => started.ended().finally(release) };
}

async function connect(server: JsonObject, call: HandlerCall): Promise<Connection> {
  if (typeof server.command === 'string') return startOwn(server, call);
  if (typeof server.url !== 'string' || !URL.canParse(server.url)) {
    throw wrong('server', 'a map with `command` (and `args`, `env`) or with `url`', server);
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const headers = server.headers === undefined ? {} : mapArgument(server, 'headers');
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: withSecrets(headers, call), signal: call.signal },
  });
  return {
    // The SDK's own class does not fit its own interface under exact optional types.
    transport: transport as Connection['transport'],
    said: () => '',
    ended: async () => {},
  };
}

/** `Bearer ${TOKEN}`: secrets are in no template, so a header names one that the step declares. */
function withSecrets(headers: JsonObject, { command, context }: HandlerCall): Record<string, string> {
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    String(value).replace(/\$\{(\w+)\}/g, (written, secret: string) =>
      command.secrets.includes(secret) ? (context.environment[secret] ?? '') : written,
    ),
  ]);
  return Object.fromEntries(filled);
}

interface ToolResult {
  structuredContent?: unknown;
  content?: unknown;
  isError?: unknown;
  toolResult?: unknown;
}

function readResult(tool: string, result: ToolResult, call: HandlerCall): Handled {
  const text = readContent(result.content);
  if (result.isError === true) {
    throw new Breakdown({
      class: 'error',
      message: `the MCP tool \`${tool}\` answered with an error: ${text.slice(0, 2000) || 'it says no more'}`,
    });
  }
  const structured = result.structuredContent ?? result.toolResult;
  if (structured !== undefined) return { output: withinBounds(normalise(structured)) };
  const { limit, chosen } = call.command.capture;
  const extract = startExtract(limit, 'the tool said more than `capture.limit` keeps');
  const plain = call.context.mask.text(text);
  const bytes = Buffer.from(plain);
  extract.write(bytes);
  return {
    output: extract.text(),
    ...(plain !== text && { masked: true as const }),
    ...(extract.cut() && {
      truncated: { bytes: bytes.length, kept: extract.kept(), ...(chosen && { chosen }) },
    }),
  };
}

function readContent(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((item: { type?: string; text?: string; mimeType?: string }) =>
      item.type === 'text'
        ? (item.text ?? '')
        : `[${item.type ?? 'something'} ${item.mimeType ?? ''} left out]`,
    )
    .join('\n');
}

function withinBounds(value: Json): Json {
  const size = Buffer.byteLength(JSON.stringify(value));
  if (size <= LARGEST) return value;
  throw new Breakdown(
    { class: 'output', message: `the tool's answer has ${size} bytes, more than ${LARGEST}` },
    2,
  );
}
