// client: a real MCP client with `lockstep mcp` at its other end, over standard input and output, in either revision.

import { Client, type ClientCapabilities, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Ajv } from 'ajv';
import { TOOLS } from '../../src/mcp/tools.ts';
import type { ToolName } from '../../src/mcp/toolsets.ts';
import { projectRoot, type Scratch } from '../scratch.ts';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

export interface Called {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  value: any;
  isError: boolean;
}

export interface Session {
  client: Client;
  call(tool: string, given?: object): Promise<Called>;
  close(): Promise<void>;
  pid(): number;
  /** What it wrote on standard error. */
  said(): string;
}

export interface ConnectOptions {
  revision?: Revision;
  args?: string[];
  /** Answers what the server asks a person. Absent: the client cannot ask. */
  person?: (message: string, schema: object) => ElicitResult;
  /** Called for every notification. */
  noticed?: (method: string) => void;
  env?: Record<string, string>;
}

export async function connect(
  project: Pick<Scratch, 'root' | 'env'>,
  options: ConnectOptions = {},
): Promise<Session> {
  const { revision = '2025-11-25', args = [], person } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [`${projectRoot}/dist/lockstep.js`, 'mcp', ...args],
    cwd: project.root,
    env: { ...project.env, ...options.env },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = makeClient(revision, options);
  if (person) {
    client.setRequestHandler('elicitation/create', ({ params }) =>
      person(params.message, 'requestedSchema' in params ? params.requestedSchema : {}),
    );
  }
  if (options.noticed) {
    client.fallbackNotificationHandler = async ({ method }) => options.noticed?.(method);
  }
  await client.connect(transport);
  return {
    ...sessionOf(client),
    pid: () => transport.pid ?? 0,
    said: () => said,
  };
}

export function makeClient(revision: Revision, { person }: ConnectOptions = {}): Client {
  const capabilities: ClientCapabilities = person ? { elicitation: { form: {} } } : {};
  return new Client(
    { name: 'test-client', version: '1.2.3' },
    {
      capabilities,
      versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } },
    },
  );
}

const ajv = new Ajv({ strict: false });

/** Every answer is held against the output schema that the tool lists, and against the whole one that the list is made of. */
export function sessionOf(client: Client): Pick<Session, 'client' | 'call' | 'close'> {
  let schemas: Promise<Map<string, object>> | undefined;
  return {
    client,
    async call(tool, given = {}) {
      schemas ??= client
        .listTools()
        .then(({ tools }) => new Map(tools.map((one) => [one.name, one.outputSchema ?? {}])));
      const result = await client.callTool({ name: tool, arguments: given as Record<string, unknown> });
      const value = result.structuredContent;
      const schema = (await schemas).get(tool);
      const whole = TOOLS[tool as ToolName]?.output;
      if ((schema && !ajv.validate(schema, value)) || (whole && !ajv.validate(whole, value)))
        throw new Error(
          `${tool} answered what its schema does not allow: ${ajv.errorsText()}\n${JSON.stringify(value)}`,
        );
      const text = result.content.map((item) => ('text' in item ? item.text : '')).join('\n');
      return { text, value, isError: result.isError === true };
    },
    close: () => client.close(),
  };
}
