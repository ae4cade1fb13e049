// model-server: a model that follows a script, behind the three vendors' own protocols, on loopback.
// Owns: the wire formats, and a record of everything that was asked. Never: decides what a turn says.
// M1. It listens on 127.0.0.1 only.
// M2. Every call of a model is recorded before the script is asked, whatever becomes of it.
// M3. A script that throws is a mistake in the test: the client gets a 500, and `problems` says what it was.
// M4. The same script and the same requests give the same bytes: ids are counted, not drawn.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicError, anthropicEvents, readAnthropic } from './anthropic.ts';
import { geminiAnswer, geminiError, geminiEvents, readGemini } from './gemini.ts';
import { openaiError, openaiEvents, readOpenai } from './openai.ts';
import { type Route, routeOf, sideAnswer } from './route.ts';
import type { ApiError, Asked, ModelRequest, ModelTurn, NewId, Script, Vendor } from './turn.ts';

export interface ModelServer {
  url: string;
  requests: ModelRequest[];
  /** What was asked for and is no call of a model: `HEAD /`, a count of tokens. */
  others: string[];
  problems: string[];
  close(): Promise<void>;
}

export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const others: string[] = [];
  const problems: string[] = [];
  let ids = 0;
  const newId: NewId = (prefix) => {
    ids += 1;
    return `${prefix}${String(ids).padStart(8, '0')}`;
  };

  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const text = await textOf(request);
    const route = routeOf(request.method ?? '', pathname);
    if (route === undefined) {
      others.push(`${request.method} ${pathname}`);
      const side = sideAnswer(pathname);
      response.writeHead(side === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(side ?? {}));
      return;
    }
    const body = JSON.parse(text) as Record<string, unknown>;
    const asked: ModelRequest = {
      ...read(route, body),
      vendor: route.vendor,
      number: requests.length + 1,
      at: Date.now(),
      headers: request.headers as Record<string, string>,
      body,
    };
    requests.push(asked);
    await send(await script(asked), asked, route, response);
  }

  async function send(
    turn: ModelTurn,
    { vendor, model }: ModelRequest,
    { streamed }: Route,
    response: ServerResponse,
  ): Promise<void> {
    if (turn.hang) return new Promise((resolve) => response.once('close', resolve));
    if (turn.error !== undefined) return sendError(vendor, turn.error, response);
    if (!streamed) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(geminiAnswer(turn, model)));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    sendStream(eventsOf(vendor, turn, model, newId).join(''), turn.stream, response);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    others,
    problems,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function read({ vendor, model }: Route, body: Record<string, unknown>): Asked {
  switch (vendor) {
    case 'anthropic':
      return readAnthropic(body);
    case 'openai':
      return readOpenai(body);
    case 'gemini':
      return readGemini(body, model);
  }
}

function eventsOf(vendor: Vendor, turn: ModelTurn, model: string, newId: NewId): string[] {
  switch (vendor) {
    case 'anthropic':
      return anthropicEvents(turn, model, newId);
    case 'openai':
      return openaiEvents(turn, model, newId);
    case 'gemini':
      return geminiEvents(turn, model);
  }
}

function sendError(vendor: Vendor, error: ApiError, response: ServerResponse): void {
  const body = { anthropic: anthropicError, openai: openaiError, gemini: geminiError }[vendor](error);
  response.writeHead(error.status, {
    'content-type': 'application/json',
    ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
  });
  response.end(JSON.stringify(body));
}

const NO_EVENTS = 'data: {"type": "mess\n\ndata: \u0000\u0001 no json\n\n';

function sendStream(text: string, trouble: ModelTurn['stream'], response: ServerResponse): void {
  if (trouble === undefined) {
    response.end(text);
    return;
  }
  const half = text.slice(0, text.length / 2);
  if (trouble === 'garbage') response.end(`${half}\n\n${NO_EVENTS}`);
  // The half is on its way before the connection goes.
  else response.write(half, () => response.destroy());
}
