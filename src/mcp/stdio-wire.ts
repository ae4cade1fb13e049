// stdio-wire: messages over the process's own input and output, one JSON text a line.
// W1. What is no message is answered as such, and the next line is read: nothing that comes in ends the server.
// W2. When the input ends, requests under way are still answered. What was asked of the client by then is answered for it:
//     it is gone, and whoever waits for its answer would wait for ever.

import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import { isObject, type JsonObject } from '../model/json.ts';

const LONGEST_LINE = 32 * 1024 * 1024;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const CLIENT_GONE = -32000;

export interface StdioWire extends Transport {
  /** The input has ended, and every request that came was answered. */
  readonly drained: Promise<void>;
}

export function stdioWire(input: Readable, output: Writable): StdioWire {
  const toAnswer = new Set<RequestId>();
  const asked = new Set<RequestId>();
  let hasEnded = false;
  let isClosed = false;
  let drained = (): void => {};

  const write = (message: object): void => {
    output.write(`${JSON.stringify(message)}\n`);
  };
  const settle = (): void => {
    if (hasEnded && toAnswer.size === 0) drained();
  };
  const receive = (line: string): void => {
    const read = readLine(line);
    if ('error' in read) return write({ jsonrpc: '2.0', ...read });
    const { message } = read;
    const { id, method } = message as { id?: RequestId; method?: string };
    if (method === undefined && id !== undefined) asked.delete(id);
    else if (id !== undefined) toAnswer.add(id);
    // A request that was cancelled is never answered.
    if (method === 'notifications/cancelled') {
      const { params } = message as { params?: { requestId?: RequestId } };
      if (params?.requestId !== undefined) toAnswer.delete(params.requestId);
      settle();
    }
    wire.onmessage?.(message);
  };
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    for (const id of asked)
      wire.onmessage?.({ jsonrpc: '2.0', id, error: { code: CLIENT_GONE, message: 'the client has gone' } });
    settle();
  };

  const wire: StdioWire = {
    drained: new Promise((resolve) => {
      drained = resolve;
    }),
    async start() {
      input.on('data', splitLines(receive, write));
      input.on('end', end);
      input.on('close', end);
      input.on('error', end);
      output.on('error', end); // nobody reads any more
    },
    async send(message) {
      if (isClosed) return;
      write(message);
      const { id, method } = message as { id?: RequestId; method?: string };
      if (id === undefined) return;
      if (method !== undefined) asked.add(id);
      else {
        toAnswer.delete(id);
        settle();
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      input.pause();
      wire.onclose?.();
    },
  };
  return wire;
}

type ReadLine =
  | { message: JSONRPCMessage }
  | { id: RequestId | null; error: { code: number; message: string } };

export function readLine(line: string): ReadLine {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return { id: null, error: { code: PARSE_ERROR, message: 'this line is no JSON' } };
  }
  if (!isObject(read) || read.jsonrpc !== '2.0')
    return { id: null, error: { code: PARSE_ERROR, message: 'this is no JSON-RPC 2.0 message' } };
  const id = typeof read.id === 'string' || Number.isInteger(read.id) ? (read.id as RequestId) : null;
  // The SDK drops these without a word, and whoever sent one would wait for ever.
  if ('id' in read && (id === null || !isRequestOrAnswer(read)))
    return { id, error: { code: INVALID_REQUEST, message: 'this is no JSON-RPC 2.0 request or response' } };
  // The SDK would leave this name out without a word.
  if (id !== null && hasPrototypeName(read))
    return {
      id,
      error: { code: INVALID_PARAMS, message: 'the name __proto__ is not taken. Leave out /__proto__.' },
    };
  return { message: read as unknown as JSONRPCMessage };
}

function isRequestOrAnswer({ method, params, result, error }: JsonObject): boolean {
  if (method === undefined) return isObject(result) || isObject(error);
  return typeof method === 'string' && (params === undefined || isObject(params));
}

function hasPrototypeName({ params }: JsonObject): boolean {
  if (!isObject(params)) return false;
  return [params, params.arguments].some((one) => isObject(one) && Object.hasOwn(one, '__proto__'));
}

function splitLines(receive: (line: string) => void, answer: (message: object) => void) {
  let open: Buffer[] = [];
  let size = 0;
  return (chunk: Buffer): void => {
    let from = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, from)) {
      const end = chunk.subarray(from, newline);
      const line =
        size > LONGEST_LINE
          ? undefined
          : Buffer.concat([...open, end])
              .toString('utf8')
              .trim();
      if (line === undefined)
        answer({
          ...{ jsonrpc: '2.0', id: null },
          error: { code: PARSE_ERROR, message: `a message has at most ${LONGEST_LINE} bytes` },
        });
      open = [];
      size = 0;
      from = newline + 1;
      if (line) receive(line);
    }
    const rest = chunk.subarray(from);
    size += rest.length;
    if (size > LONGEST_LINE) open = [];
    else if (rest.length > 0) open.push(rest);
  };
}
