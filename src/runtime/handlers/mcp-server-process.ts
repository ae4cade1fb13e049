// mcp-server-process: an MCP server as a child of ours, one JSON message a line. The SDK's own way of starting one
// knows no process groups: what such a server started would outlive it.

import { resolve } from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Place } from '../../model/command.ts';
import type { JsonObject } from '../../model/json.ts';
import { growingBytes } from '../extract.ts';
import type { PerformContext } from '../perform/context.ts';
import { startFileMeter } from '../perform/file-meter.ts';
import { openOutput } from '../perform/output.ts';
import { listArgument, textArgument } from './argument.ts';

const LONGEST_MESSAGE = 32 * 1024 * 1024;
const NO_CAPTURE = { as: 'text', limit: 0, onParseError: 'keep' } as const;

export interface McpServerStart {
  /** Names its log. */
  place: Place & { try: number };
  context: PerformContext;
  /** The whole environment. */
  env: Record<string, string>;
  signal: AbortSignal;
}

/** `server`: `command`, `args` and `cwd`, which is a folder of the workspace unless it is absolute. */
export function startMcpServer(server: JsonObject, { place, context, env, signal }: McpServerStart) {
  const argv = [server.command as string, ...(server.args === undefined ? [] : listArgument(server, 'args'))];
  const root = context.workspace.root;
  const cwd = server.cwd === undefined ? root : resolve(root, textArgument(server, 'cwd'));
  const output = openOutput(
    { ...place, capture: NO_CAPTURE },
    context,
    startFileMeter(context.clock),
    () => {},
  );
  let said = '';

  const transport: Transport = { start: async () => {}, send: async () => {}, close: async () => {} };
  const lines = splitLines((line) => {
    try {
      transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    } catch {
      transport.onerror?.(new Error(`the server printed what is no message: ${line.slice(0, 200)}`));
    }
  });
  const child = context.processes.spawn({
    argv,
    cwd,
    env,
    interactive: true,
    onStdout(chunk) {
      if (!lines(chunk)) child.stop();
    },
    onStderr: output.stderr,
  });
  const stop = () => child.stop();
  signal.addEventListener('abort', stop, { once: true });
  const gone = child.end.then((end) => {
    if (end.error !== undefined) said = `: ${end.error.message}`;
    signal.removeEventListener('abort', stop);
    const { stderr } = output.finish();
    if (said === '' && stderr !== '') said = `; it said: ${stderr.trim().slice(-500)}`;
    transport.onclose?.();
  });
  // Looked at by `ended`; until then nobody listens.
  gone.catch(() => {});

  transport.send = async (message) => child.write(`${JSON.stringify(message)}\n`);
  transport.close = async () => {
    child.endInput();
    child.stop();
  };
  return {
    transport,
    said: () => said,
    async ended() {
      child.stop();
      await gone;
    },
  };
}

/** Answers false once a line is longer than any message may be. */
function splitLines(receive: (line: string) => void): (chunk: Uint8Array) => boolean {
  const open = growingBytes(LONGEST_MESSAGE);
  return (chunk) => {
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(10, from);
      const until = newline === -1 ? chunk.length : newline;
      if (open.length() + until - from > LONGEST_MESSAGE) return false;
      open.write(chunk.subarray(from, until));
      if (newline !== -1) {
        const line = open.bytes().toString('utf8').trim();
        open.clear();
        if (line !== '') receive(line);
      }
      from = until + 1;
    }
    return true;
  };
}
