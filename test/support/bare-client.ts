// bare-client: an MCP client in a few lines, over any two streams: for tests in which servers come and go, or are killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { runIn } from '../../src/app.ts';
import { programFile } from '../command.ts';
import { projectRoot } from '../scratch.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
type Answer = any;

export interface BareClient {
  /** The structured content. Rejects where the server is gone before it has answered. */
  call(tool: string, given: object): Promise<Answer>;
  /** The end of the input: the server finishes and ends. */
  end(): Promise<void>;
}

interface Place {
  root: string;
  env: Record<string, string>;
}

/** `lockstep mcp` in this process, with nothing in memory that an earlier one left. */
export function bareClientHere({ root, env }: Place, argv: string[], name = 'bare'): Promise<BareClient> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const program = createRequire(import.meta.url)(programFile()) as { runIn: typeof runIn };
  const world = {
    cwd: root,
    environment: env,
    stdin: input,
    stdout: output,
    stderr: new PassThrough().resume(),
  };
  const ended = program.runIn(world as unknown as Parameters<typeof runIn>[0], ['mcp', ...argv]);
  void ended.finally(() => output.end());
  return bareClient(input, output, ended, name);
}

/** `lockstep mcp` in a process of its own. */
export async function bareClientOf(
  { root, env }: Place,
  name = 'bare',
): Promise<BareClient & { process: ChildProcess }> {
  const child = spawn(process.execPath, [`${projectRoot}/dist/lockstep.js`, 'mcp'], {
    ...{ cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] },
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  // It may be killed while something is written to it.
  child.stdin?.on('error', () => {});
  return {
    ...(await bareClient(child.stdin as Writable, child.stdout as Readable, ended, name)),
    process: child,
  };
}

async function bareClient(
  input: Writable,
  output: Readable,
  ended: Promise<unknown>,
  name: string,
): Promise<BareClient> {
  let last = 0;
  const waiting = new Map<number, { resolve(result: Answer): void; reject(error: Error): void }>();
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const { id, result, error } = JSON.parse(line);
      if (error) waiting.get(id)?.reject(new Error(error.message));
      else waiting.get(id)?.resolve(result);
      waiting.delete(id);
    }
  });
  output.on('end', () => {
    for (const { reject } of waiting.values()) reject(new Error('the server is gone'));
  });
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method: string, params: object): Promise<Answer> => {
    last += 1;
    const id = last;
    send({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
  const clientInfo = { name, version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    async call(tool, given) {
      return (await ask('tools/call', { name: tool, arguments: given })).structuredContent;
    },
    async end() {
      input.end();
      await ended;
    },
  };
}
