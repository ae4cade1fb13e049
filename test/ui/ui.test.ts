// The server behind the page, asked as the page asks it and as somebody else would.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endStarted, journal, projectWith, runIds } from '../cli/started.ts';
import type { Scratch } from '../scratch.ts';
import { ask, enter, type Served, serve } from './served.ts';

const FLOW = `lockstep: 1
name: flow
steps:
  - { id: build, run: 'echo built; echo secret-in-code' }
  - { id: color, ask: Which color?, choices: [red, green] }
  - { id: show, run: [echo, '{{ steps.color.output }}'] }
`;

let project: Scratch;
let reading: Served;
let answering: Served;
let id: string;
const own = (served: Served) => `http://127.0.0.1:${served.port}`;
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  project = projectWith({ 'flow.yaml': FLOW });
  expect(project.lockstep('run', 'flow.yaml').exitCode).toBe(3);
  [id = ''] = runIds(project);
  reading = await serve(project);
  answering = await serve(project, '--answer');
});
afterAll(() => {
  endStarted();
  project.remove();
});

const answer = (served: Served, cookie: string, body: object, headers: Record<string, string> = {}) =>
  ask(served, `/api/runs/${id}/answer`, {
    method: 'POST',
    headers: { ...json, cookie, origin: own(served), ...headers },
    body: JSON.stringify(body),
  });

describe('lockstep ui', () => {
  it('UI-SAFE-HOST: answers no request that names another host, or none', async () => {
    const hosts = [
      'example.org',
      `example.org:${reading.port}`,
      `127.0.0.1.example.org:${reading.port}`,
      `localhost.example.org:${reading.port}`,
      `127.0.0.1:${reading.port + 1}`,
      '127.0.0.1',
      `0.0.0.0:${reading.port}`,
      '',
    ];
    for (const host of hosts) {
      for (const path of ['/', '/page.js', '/api/project'])
        expect((await ask(reading, path, { headers: { host } })).status, `${host} ${path}`).toBe(403);
    }
    expect((await ask(reading, '/', { headers: { host: `localhost:${reading.port}` } })).status).toBe(200);
  });

  it('UI-SAFE-COOKIE: reading needs the cookie, and the cookie needs the token', async () => {
    const paths = [
      'project',
      'stream',
      'costs',
      'workflows',
      `runs/${id}`,
      `runs/${id}/journal`,
      `runs/${id}/log?name=build.stdout`,
    ];
    for (const path of paths) {
      const without = await ask(reading, `/api/${path}`);
      expect(without.status, path).toBe(401);
      expect(without.body).not.toContain('secret-in-code');
      const wrong = await ask(reading, `/api/${path}`, {
        headers: { cookie: `lockstep-${reading.port}=${reading.token}` },
      });
      expect(wrong.status, path).toBe(401);
    }
    const enterWith = (token: unknown) =>
      ask(reading, '/api/enter', {
        method: 'POST',
        headers: { ...json, origin: own(reading) },
        body: JSON.stringify({ token }),
      });
    for (const token of ['', 'x', `${reading.token}x`, reading.token.slice(1), null, 7, answering.token]) {
      const { status, headers } = await enterWith(token);
      expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    }
    const entered = await enterWith(reading.token);
    expect(entered.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(entered.headers['set-cookie']?.[0]).not.toContain(reading.token);
    expect(Buffer.from(reading.token, 'base64url')).toHaveLength(32);
    const cookie = await enter(reading);
    for (const path of paths)
      expect((await ask(reading, `/api/${path}`, { headers: { cookie } })).status, path).toBe(200);
    expect(
      (await ask(reading, `/api/runs/${id}/log?name=build.stdout`, { headers: { cookie } })).body,
    ).toContain('secret-in-code');
  });

  it('UI-SAFE-ORIGIN: refuses what another page asks, with the cookie too', async () => {
    const cookie = await enter(answering);
    const [question] = await waiting(cookie);
    const given = { path: 'color', asked: question?.asked, answer: 'red' };
    const foreign = [
      'https://example.org',
      'null',
      `http://127.0.0.1:${answering.port + 1}`,
      `http://localhost:${answering.port}`,
    ];
    for (const origin of foreign) {
      expect((await answer(answering, cookie, given, { origin })).status, origin).toBe(403);
      for (const path of ['project', 'stream', `runs/${id}/journal`])
        expect((await ask(answering, `/api/${path}`, { headers: { cookie, origin } })).status, path).toBe(
          403,
        );
    }
    for (const site of ['cross-site', 'same-site'])
      expect(
        (await ask(answering, '/api/stream', { headers: { cookie, 'sec-fetch-site': site } })).status,
      ).toBe(403);
    const { origin: _, ...noOrigin } = { cookie, origin: '', ...json };
    expect(
      (
        await ask(answering, `/api/runs/${id}/answer`, {
          method: 'POST',
          headers: noOrigin,
          body: JSON.stringify(given),
        })
      ).status,
    ).toBe(403);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await answer(answering, cookie, given, { 'content-type': type })).status, type).toBe(415);
    expect(journal(project).some(({ kind }) => kind === 'question-answered')).toBe(false);
  });

  it('UI-SAFE-READ: a GET changes nothing, and without --answer nothing does', async () => {
    const before = readFileSync(join(project.root, '.lockstep/runs', id, 'journal.jsonl'), 'utf8');
    const cookie = await enter(reading);
    const given = { path: 'color', asked: 1, answer: 'red' };
    expect((await answer(reading, cookie, given)).status).toBe(403);
    const query = new URLSearchParams({ path: 'color', asked: '1', answer: 'red' });
    expect((await ask(reading, `/api/runs/${id}/answer?${query}`, { headers: { cookie } })).status).toBe(404);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await ask(reading, `/api/runs/${id}`, { method, headers: { cookie } })).status, method).toBe(
        405,
      );
    expect(readFileSync(join(project.root, '.lockstep/runs', id, 'journal.jsonl'), 'utf8')).toBe(before);
  });

  it('UI-SAFE-NAMES: serves names from a list, whatever a path says', async () => {
    const cookie = await enter(reading);
    const outside = [
      '/../package.json',
      '/..%2fpackage.json',
      '/ui/../lockstep.js',
      '//etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/api/runs/..%2f..',
      `/api/runs/${id}%2f..%2f..`,
      `/api/runs/${id}/log?name=..%2fjournal.jsonl`,
      `/api/runs/${id}/log?name=%2fetc%2fpasswd`,
      '/api/workflow?name=..%2fflow.yaml',
      '/api/workflow?name=%2fetc%2fpasswd',
    ];
    for (const path of outside)
      expect((await ask(reading, path, { headers: { cookie } })).status, path).toBe(404);
  });

  it('UI-SAFE-HEADERS: every answer forbids foreign scripts, frames and markup made of text', async () => {
    for (const path of ['/', '/page.js', '/api/project', '/nothing']) {
      const { headers } = await ask(reading, path);
      const policy = headers['content-security-policy'];
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy, path).toContain(part);
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('UI-INBOX: an answer is bound to the asking, goes the way of the command line, and the journal says from where', async () => {
    const cookie = await enter(answering);
    const [question] = await waiting(cookie);
    expect(question).toMatchObject({
      run: id,
      workflow: 'flow',
      question: { path: 'color', text: 'Which color?' },
    });
    const asked = question?.asked ?? 0;
    for (const [given, words] of [
      [{ path: 'color', asked: asked - 1, answer: 'red' }, 'something else'],
      [{ path: 'color', asked, answer: 'red', shown: 'abc' }, 'something else'],
      [{ path: 'color', asked, answer: 'blue' }, 'one of red, green'],
      [{ path: 'build', asked, answer: 'red' }, 'nothing is asked'],
    ] as const) {
      const refused = await answer(answering, cookie, given);
      expect([refused.status, refused.body]).toEqual([422, expect.stringContaining(words)]);
    }
    expect((await answer(answering, cookie, { path: 'color', asked, answer: 'green' })).status).toBe(200);
    expect(journal(project)).toContainEqual(
      expect.objectContaining({
        kind: 'question-answered',
        path: 'color',
        answer: 'green',
        channel: expect.objectContaining({ kind: 'page', pid: answering.process.pid }),
      }),
    );
    expect((await answer(answering, cookie, { path: 'color', asked, answer: 'red' })).status).toBe(422);
    expect(project.lockstep('audit').stdout.replace(/\s+/g, ' ')).toContain('in the page of lockstep ui');
    expect(project.lockstep('resume').exitCode).toBe(0);
    expect(await waiting(cookie)).toEqual([]);
  });

  it('UI-LINK: status says where the page is while it runs, without what lets one in', async () => {
    const said = project.lockstep('status').stdout;
    expect(said).toContain(`http://127.0.0.1:${answering.port}/#run=${id}`);
    expect(said).not.toContain(answering.token);
  });

  it('UI-TIME-STATUS: status --at N tells the run as it was, for every N', () => {
    const entries = journal(project);
    const asked = 1 + entries.findIndex(({ kind }) => kind === 'question-asked');
    expect(project.lockstep('status', '--at', String(asked)).stdout).toContain('Which color?');
    expect(project.lockstep('status', '--at', '2').stdout).not.toContain('Which color?');
    for (let n = 1; n <= entries.length; n += 1) {
      const { lockstep } = JSON.parse(project.lockstep('status', '--at', String(n), '--json').stdout);
      expect(lockstep.entries).toBe(n);
    }
    const last = JSON.parse(project.lockstep('status', '--at', String(entries.length), '--json').stdout);
    expect(last).toEqual(JSON.parse(project.lockstep('status', '--json').stdout));
    for (const wrong of ['0', 'x', '-1', '1.5', String(entries.length + 1)]) {
      const { exitCode, stderr } = project.lockstep('status', '--at', wrong);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('entr')]);
    }
  });

  it('UI-EXPORT: writes a run into one file, and over none', () => {
    const file = join(project.root, 'run.html');
    expect(project.lockstep('ui', '--export', 'run.html', 'latest').exitCode).toBe(0);
    const html = readFileSync(file, 'utf8');
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
    expect(html).not.toMatch(/<(?:link|img|iframe|script src)/);
    expect(project.lockstep('ui', '--export', 'run.html').exitCode).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe(html);
    expect(existsSync(join(project.root, 'latest'))).toBe(false);
  });
});

interface Waiting {
  asked: number;
}

async function waiting(cookie: string): Promise<Waiting[]> {
  const { body } = await ask(answering, '/api/stream', { headers: { cookie } });
  // The list comes first; what waits comes right after it.
  const found = /event: waiting\ndata: (.*)\n/.exec(body);
  return found ? (JSON.parse(found[1] ?? '[]') as Waiting[]) : [];
}
