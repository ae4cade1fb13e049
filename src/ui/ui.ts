// ui: the server behind the page: every run of the project, whoever started it, read from the store.
// Owns: what is served and to whom. Never: writes, other than by handing an answer on; drives a run; serves a path.
// U1. Listens on 127.0.0.1 only. Every request names this server as its Host and comes from no other page; reading needs the cookie,
//     too (admission.ts).
// U2. Files are served by names from a list that was made at the start. Runs and logs are served by names that the store lists.
// U3. No GET changes anything. Without `--answer` nothing does.
// U4. An answer names the entry that asked; one to an earlier asking is refused, and so is one to what is not shown any more.
// U5. The journal is sent as it lies on the disk. The page verifies it itself.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '../model/fault.ts';
import type { Json } from '../model/json.ts';
import type { Store, StoredRun } from '../ports/store.ts';
import { type Admission, admission, SAFE_HEADERS } from './admission.ts';
import { costLines } from './costs.ts';
import { eventStream } from './event-stream.ts';
import { followJournal } from './follow-journal.ts';
import { factsOf } from './run-facts.ts';
import { type RunsList, runsList } from './runs-list.ts';
import type { GivenAnswer, ListedWorkflow, ProjectFacts, ShownWorkflow } from './wire.ts';

export interface UiParts {
  store: Store;
  hash(text: string): string;
  project: ProjectFacts;
  /** Name → content: index.html and what it loads. */
  files: ReadonlyMap<string, Uint8Array>;
  workflows(): Promise<ListedWorkflow[]>;
  workflow(name: string): Promise<ShownWorkflow>;
  /** Absent: nothing is answered here. Fault where it is refused. */
  answer?(run: string, given: GivenAnswer): Promise<void>;
}

export interface Ui {
  port: number;
  /** With the token in its fragment. */
  url: string;
  close(): Promise<void>;
}

const LARGEST_BODY = 1 << 20;
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** `port` 0: any that is free. Fault `port-taken`. */
export async function openUi(parts: UiParts, options: { port: number; token?: string }): Promise<Ui> {
  let bound = options.port;
  const admitted = admission(() => bound, options.token);
  const serving: Serving = { ...parts, admitted, list: runsList(parts.store, parts.hash) };
  const http = createServer((request, response) => {
    answer(serving, request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof Fault) sendJson(response, 422, faultBody(error));
      else sendJson(response, 500, { error: 'the server failed on this request' });
    });
  });
  await listen(http, options.port);
  bound = (http.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}/#token=${admitted.token}`,
    async close() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
}

interface Serving extends UiParts {
  admitted: Admission;
  list: RunsList;
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refused = serving.admitted.refusal(request);
  if (refused) return sendJson(response, refused.status, { error: refused.why });
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const isWrite = request.method === 'POST';
  const file = serving.files.get(pathname === '/' ? 'index.html' : pathname.slice(1));
  if (file && !isWrite) return sendFile(response, pathname, file);
  if (isWrite && pathname === '/api/enter') return enter(serving, request, response);
  if (!pathname.startsWith('/api/')) return sendJson(response, 404, { error: 'there is nothing here' });
  if (!serving.admitted.isKnown(request))
    return sendJson(response, 401, { error: 'open the address that lockstep ui printed' });
  const [name = '', id, what] = pathname.slice('/api/'.length).split('/').map(decoded);
  if (isWrite) {
    if (name === 'runs' && id !== undefined && what === 'answer')
      return giveAnswer(serving, request, response, id);
    return sendJson(response, 404, { error: 'nothing is written here' });
  }
  if (name === 'runs' && id !== undefined)
    return aboutRun(serving, response, id, what ?? '', searchParams, request);
  if (name === 'stream') return streamList(serving, response);
  const found = await lookUp(serving, name, searchParams);
  if (found === undefined) return sendJson(response, 404, { error: 'there is nothing here' });
  return sendJson(response, 200, found);
}

async function lookUp(serving: Serving, name: string, query: URLSearchParams): Promise<object | undefined> {
  switch (name) {
    case 'project':
      return serving.project;
    case 'costs':
      return costLines(serving.store, serving.hash);
    case 'workflows':
      return serving.workflows();
    case 'workflow': {
      const asked = query.get('name') ?? '';
      const known = (await serving.workflows()).some(({ name: one }) => one === asked);
      return known ? serving.workflow(asked) : undefined;
    }
    default:
      return undefined;
  }
}

function aboutRun(
  { store, hash }: Serving,
  response: ServerResponse,
  id: string,
  what: string,
  query: URLSearchParams,
  request: IncomingMessage,
): void {
  if (!store.list().includes(id)) return sendJson(response, 404, { error: `there is no run ${id}` });
  const run = store.read(id);
  switch (what) {
    case '':
      return sendJson(response, 200, factsOf(run, hash));
    case 'journal': {
      const from = Number(request.headers['last-event-id'] ?? query.get('from') ?? 0);
      const stream = eventStream(response, SAFE_HEADERS);
      return followJournal(run, stream, Number.isSafeInteger(from) && from > 0 ? from : 0);
    }
    case 'log':
      return sendLog(run, response, query.get('name') ?? '', Number(query.get('from') ?? 0));
    default:
      return sendJson(response, 404, { error: 'there is nothing here' });
  }
}

function streamList({ list }: Serving, response: ServerResponse): void {
  const stream = eventStream(response, SAFE_HEADERS);
  stream.onClose(
    list.listen({
      changed: (change) => stream.send('runs', JSON.stringify(change)),
      waiting: (questions) => stream.send('waiting', JSON.stringify(questions)),
    }),
  );
}

function sendLog(run: StoredRun, response: ServerResponse, name: string, from: number): void {
  const isNamed = run.logs().includes(name);
  const bytes = isNamed && Number.isSafeInteger(from) ? run.readLog(name, from) : undefined;
  if (bytes === undefined) return sendJson(response, 404, { error: 'there is no such log' });
  response.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8' });
  response.end(bytes);
}

async function enter(
  { admitted }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { token } = await bodyOf(request);
  const cookie = admitted.cookieFor(token);
  if (cookie === undefined)
    return sendJson(response, 401, {
      error: 'the token is wrong: lockstep ui prints a new one at each start',
    });
  sendJson(response, 200, {}, { 'set-cookie': cookie });
}

async function giveAnswer(
  { answer: give, list, store }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<void> {
  if (!give)
    return sendJson(response, 403, {
      error: 'this page is for reading only: start it with lockstep ui --answer',
    });
  if (!store.list().includes(id)) return sendJson(response, 404, { error: `there is no run ${id}` });
  const given = givenAnswer(await bodyOf(request));
  if (!given) return sendJson(response, 400, { error: 'this is no answer' });
  await give(id, given);
  list.look();
  sendJson(response, 200, {});
}

function givenAnswer(body: Record<string, unknown>): GivenAnswer | undefined {
  const { path, asked, answer: value, note, shown } = body;
  if (typeof path !== 'string' || typeof asked !== 'number' || value === undefined) return undefined;
  if (note !== undefined && typeof note !== 'string') return undefined;
  if (shown !== undefined && typeof shown !== 'string') return undefined;
  return {
    ...{ path, asked, answer: value as Json },
    ...(note !== undefined && note.trim() !== '' && { note }),
    ...(shown !== undefined && { shown }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return {};
    chunks.push(chunk);
  }
  try {
    const read: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function sendFile(response: ServerResponse, pathname: string, file: Uint8Array): void {
  const kind = pathname === '/' ? 'html' : (pathname.split('.').at(-1) ?? '');
  response.writeHead(200, { ...SAFE_HEADERS, 'content-type': TYPES[kind] ?? 'application/octet-stream' });
  response.end(file);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

function faultBody({ code, message, hint }: Fault): object {
  return { error: message, code, ...(hint !== undefined && { hint }) };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return '';
  }
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
