// http-door: the server over Streamable HTTP, for clients that do not start it themselves. It listens on loopback only.
// H1. Every request needs the bearer token, which is printed when the server starts and is good for that server.
// H2. `Host` must name loopback, and a request with an `Origin` must come from a page of loopback: a page on the internet that
//     had its name resolved to this machine (DNS rebinding) reaches nothing.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { Fault } from '../model/fault.ts';
import { readLine } from './stdio-wire.ts';

const LARGEST_BODY = 4 * 1024 * 1024;
const PATH = '/mcp';
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export interface HttpDoor {
  url: string;
  token: string;
  /** No more requests are taken; those under way are answered. */
  close(): Promise<void>;
}

/** `port` 0: any that is free. Fault `port-taken`. */
export async function openHttpDoor(
  factory: McpServerFactory,
  {
    port,
    token = randomBytes(24).toString('base64url'),
    onerror,
    connected,
  }: { port: number; token?: string; onerror(error: Error): void; connected(from: number): void },
): Promise<HttpDoor> {
  const handler = createMcpHandler(factory, { onerror, maxRequestBodySize: LARGEST_BODY });
  const http = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      onerror(error);
      if (!response.headersSent) refuse(response, 500, 'the server failed on this request');
      else response.destroy();
    });
  });

  const seen = new WeakSet<object>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = refusal(request, token);
    if (refused) return refuse(response, refused.status, refused.why);
    const { socket } = request;
    // Once for each connection, and only of who has the token.
    if (!seen.has(socket) && socket.remotePort !== undefined) connected(socket.remotePort);
    seen.add(socket);
    const body = await bodyOf(request);
    if (body === undefined) return refuse(response, 413, `a request has at most ${LARGEST_BODY} bytes`);
    const read = body === '' ? undefined : readLine(body);
    if (read && 'error' in read) return sendJson(response, 400, { jsonrpc: '2.0', ...read });
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
    );
    const asked = new Request(`http://127.0.0.1${PATH}`, {
      ...{ method: request.method ?? 'POST', headers, signal: gone.signal },
      ...(body !== '' && { body }),
    });
    const reply = await handler.fetch(asked, read ? { parsedBody: read.message } : {});
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    if (!reply.body) response.end();
    else Readable.fromWeb(reply.body as ReadableStream).pipe(response);
  }

  await listen(http, port);
  const { port: bound } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}${PATH}`,
    token,
    async close() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeIdleConnections();
      await handler.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

function refusal(request: IncomingMessage, token: string): { status: number; why: string } | undefined {
  const { host = '', origin, authorization = '' } = request.headers;
  if (!LOOPBACK.includes(host.replace(/:\d+$/, ''))) return { status: 403, why: 'the Host is not loopback' };
  if (origin !== undefined && !isLoopbackOrigin(origin))
    return { status: 403, why: 'the Origin is not loopback' };
  if (!isSame(authorization, `Bearer ${token}`))
    return { status: 401, why: 'the bearer token is missing or wrong' };
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  return pathname === PATH ? undefined : { status: 404, why: `there is nothing but ${PATH}` };
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === 'http:' || protocol === 'https:') && LOOPBACK.includes(hostname);
}

/** In the same time, however much of it is right. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refuse(response: ServerResponse, status: number, why: string): void {
  sendJson(response, status, { error: why }, status === 401 ? { 'www-authenticate': 'Bearer' } : {});
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(`${JSON.stringify(body)}\n`);
}

function listen(http: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Fault('port-taken', `port ${port} is taken by another process`, {
              hint: 'Choose another with --port, or leave it out: then one that is free is taken.',
              exitCode: 2,
            })
          : error,
      ),
    );
    http.listen(port, '127.0.0.1', resolve);
  });
}
