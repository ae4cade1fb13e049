// `lockstep mcp --http`: loopback only, with a token, for clients of both revisions.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';
import { makeClient, REVISIONS, sessionOf } from './client.ts';

const FLOW = `lockstep: 1
name: one
steps: [{ id: a, prompt: { text: "Do a." } }]
`;

let project: Scratch;
let server: ChildProcess;
let door: { url: string; authorization: string };
beforeAll(async () => {
  project = scratch({ git: true });
  project.write('.lockstep/workflows/one.yaml', FLOW);
  server = spawn(process.execPath, [`${projectRoot}/dist/lockstep.js`, 'mcp', '--http'], {
    ...{ cwd: project.root, env: project.env, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  const [line] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  door = JSON.parse(line.toString()) as typeof door;
});
afterAll(async () => {
  if (server.exitCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  project.remove();
});

interface Reply {
  status: number;
  body: string;
}
const post = (headers: Record<string, string>, path = '/mcp', body = '{}'): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(door.url);
    const asked = request({ hostname, port, path, method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });

describe('lockstep mcp --http', () => {
  it.each(REVISIONS)('MCP-HTTP: leads a client of revision %s', async (revision) => {
    const client = makeClient(revision);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(door.url), {
        requestInit: { headers: { authorization: door.authorization } },
      }),
    );
    const session = sessionOf(client);
    const first = await session.call('start_workflow', { workflowId: 'one' });
    const end = await session.call('continue_workflow', {
      continueToken: first.value.continueToken,
      output: { notesMarkdown: 'done' },
    });
    expect(end.value).toMatchObject({ kind: 'ok', isComplete: true });
    await session.close();
  });

  it('MCP-HTTP-GUARDED: takes nothing without the token, from another host name, or from a page elsewhere', async () => {
    const { authorization } = door;
    const json = { 'content-type': 'application/json' };
    expect((await post(json)).status).toBe(401);
    expect((await post({ ...json, authorization: `${authorization}x` })).status).toBe(401);
    expect((await post({ ...json, authorization, host: 'evil.example' })).status).toBe(403);
    expect((await post({ ...json, authorization, origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ ...json, authorization, origin: 'null' })).status).toBe(403);
    expect((await post({ ...json, authorization }, '/else')).status).toBe(404);
    expect(
      (await post({ ...json, authorization, origin: 'http://localhost:3000' }, '/mcp', 'no JSON')).status,
    ).toBe(400);
    expect((await post({ ...json, authorization }, '/mcp', 'x'.repeat(5 * 1024 * 1024))).status).toBe(413);
  });

  it('MCP-HTTP: listens on loopback only', () => {
    const { port } = new URL(door.url);
    const local = Number(port).toString(16).toUpperCase().padStart(4, '0');
    const lines = project.sh('cat /proc/net/tcp /proc/net/tcp6').stdout.split('\n');
    const mine = lines.filter(
      (line) =>
        new RegExp(`^ *\\d+: [0-9A-F]+:${local} .* 0A `).test(line) ||
        line.includes(`:${local} 00000000:0000 0A`),
    );
    expect(mine.map((line) => line.trim().split(/\s+/)[1]?.split(':')[0])).toEqual(['0100007F']);
  });

  it('says that a port is taken, or is none', () => {
    const { port } = new URL(door.url);
    expect(project.spawned('mcp', '--http', '--port', port)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('port-taken'),
    });
    expect(project.spawned('mcp', '--http', '--port', '70000').stderr).toContain('port-invalid');
  });

  it('ends with 0 when it is told to', async () => {
    server.kill('SIGTERM');
    const [code] = (await once(server, 'exit')) as [number];
    expect(code).toBe(0);
  });
});
