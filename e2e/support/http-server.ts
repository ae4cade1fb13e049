// http-server: `lockstep mcp --http` of a project, in a process of its own, and a door before it for programs that cannot
// carry a bearer token.

import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { projectRoot } from '../../test/scratch.ts';

export interface HttpServer {
  url: string;
  authorization: string;
  close(): Promise<void>;
}

export async function startHttpServer(cwd: string, env: Record<string, string>): Promise<HttpServer> {
  const child = spawn(process.execPath, [join(projectRoot, 'dist/lockstep.js'), 'mcp', '--http'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.on('close', (code) => reject(new Error(`lockstep mcp --http ended with exit code ${code}`)));
  });
  const { url, authorization } = JSON.parse(await line) as { url: string; authorization: string };
  return {
    ...{ url, authorization },
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Everything is passed on as it is, `Host` and `Origin` too, with the token added. */
export async function withToken({
  url,
  authorization,
}: HttpServer): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port, pathname } = new URL(url);
  const door = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization };
    const onward = request(
      { hostname, port, path: asked.url, method: asked.method, headers },
      (reply) => void reply.pipe(answer.writeHead(reply.statusCode ?? 500, reply.headers)),
    );
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}${pathname}`,
    async close() {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
    },
  };
}
