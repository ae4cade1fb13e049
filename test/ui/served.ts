// served: `lockstep ui` in a process of its own, and requests to it as anybody on the machine could make them.

import { type IncomingHttpHeaders, request } from 'node:http';
import { type Started, start } from '../cli/started.ts';
import type { Scratch } from '../scratch.ts';

export interface Served {
  port: number;
  token: string;
  url: string;
  process: Started;
}

export async function serve(project: Scratch, ...argv: string[]): Promise<Served> {
  const process = start(project, 'ui', '--no-open', ...argv);
  await process.shows(/#token=\S+/);
  const [url = '', port, token = ''] =
    /http:\/\/127\.0\.0\.1:(\d+)\/#token=([\w-]+)\S*/.exec(process.output()) ?? [];
  return { port: Number(port), token, url, process };
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Exactly these headers: a `Host` of undefined is not sent. */
export function ask(
  { port }: Served,
  path: string,
  { method = 'GET', headers = {}, body }: Asked = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, method, headers, setHost: !('host' in headers) },
      (response) => {
        let text = '';
        const isStream = response.headers['content-type']?.startsWith('text/event-stream');
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          // A stream does not end: its beginning is enough.
          if (isStream && /event: (?:waiting|lines)\n[\s\S]*\n\n$/.test(text)) done();
        });
        const done = (): void => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
          asked.destroy();
        };
        response.on('end', done);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** The cookie, as the page gets it. */
export async function enter(served: Served): Promise<string> {
  const { headers } = await ask(served, '/api/enter', {
    method: 'POST',
    headers: { origin: `http://127.0.0.1:${served.port}`, 'content-type': 'application/json' },
    body: JSON.stringify({ token: served.token }),
  });
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}
