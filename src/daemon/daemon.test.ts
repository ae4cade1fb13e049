import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookEvent, HookReply } from '../model/live-session.ts';
import { daemonsOf, endDaemons, type Judge, type Sender, type Served, serve } from './daemon.ts';
import { exchange } from './exchange.ts';
import { makePrivateFolder, socketFolder, socketPath, socketsIn } from './place.ts';
import { noteUnanswered, unansweredFile } from './unanswered.ts';
import { type Build, encodeRequest, type Head, isNewer, MOST_BYTES, PROTOCOL } from './wire.ts';

const own: Build = { version: '1.0.0', build: 'aaaa', builtAt: 5 };
let home: string;
let folder: string;
const stops: AbortController[] = [];
const served: Promise<Served>[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'd-'));
  folder = socketFolder(home);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  await Promise.all(served.splice(0));
  rmSync(home, { recursive: true, force: true });
  if (!folder.startsWith(home)) rmSync(folder, { recursive: true, force: true });
});

/** A drive that answers with the delivery, once `held` of its session is let go. */
function fakeGuard(held: Record<string, Promise<void>> = {}, isIdle = () => true) {
  const seen: string[] = [];
  const judge: Judge = {
    async event(event) {
      seen.push(event.delivery);
      await held[event.session.id];
      return { note: event.delivery };
    },
    close: async () => {},
    isIdle,
  };
  return { seen, judge };
}

const speech = {
  read: (_: string, payload: object) => payload as HookEvent,
  answer: (_: HookEvent, reply: HookReply) => ({ stdout: reply.note ?? '' }),
};

async function start(judge: Judge, more: { build?: Build; idleMs?: number } = {}) {
  const stop = new AbortController();
  const said: string[] = [];
  let sender: ((session: HookEvent['session']) => Sender | undefined) | undefined;
  const end = serve({
    ...{ home, own: more.build ?? own, speech, stopped: stop.signal, idleMs: more.idleMs ?? 60_000 },
    guard: async (given) => {
      sender = given;
      return judge;
    },
    say: (line) => void said.push(line),
  });
  stops.push(stop);
  served.push(end);
  await Promise.race([end, until(() => said.length > 0)]);
  return { end, stop, said, sender: () => sender };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

const event = (id: string, delivery: string) =>
  ({ session: { client: 'claude', id }, cwd: '/', delivery, kind: 'other', name: 'x' }) as HookEvent;

const head: Head = {
  ...{ lockstep: PROTOCOL, ...own, kind: 'event', client: 'claude', line: 1, pid: 1, asking: 'a' },
  environment: { PATH: '/x' },
};

function path(): string {
  return socketsIn(folder)[0]?.path ?? 'none';
}

async function ask(payload: string | object, more: object = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const exchanged = await exchange(path(), encodeRequest({ ...head, ...more }, Buffer.from(text)), 20_000);
  return exchanged.kind === 'answer' ? JSON.parse(exchanged.text) : exchanged.kind;
}

describe('daemon', () => {
  it('D1: its socket is 0600 in a folder that is 0700, named by build', async () => {
    await start(fakeGuard().judge);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).filter((name) => name.endsWith('.sock'))).toEqual(['aaaa.1.sock']);
  });

  it('D1: a folder that is open to others, or a link, is not used', async () => {
    makePrivateFolder(folder);
    chmodSync(folder, 0o755);
    await expect(start(fakeGuard().judge)).rejects.toThrow('is open to other users');
    served.length = 0;
    rmSync(folder, { recursive: true });
    mkdirSync(join(home, 'elsewhere'), { mode: 0o700 });
    symlinkSync(join(home, 'elsewhere'), folder);
    await expect(start(fakeGuard().judge)).rejects.toThrow('is not a folder');
    served.length = 0;
  });

  it('D2: GOB-DAEMON-APART: a slow event of one session delays no other, and each session is heard in order', async () => {
    let letGo = () => {};
    const { seen, judge } = fakeGuard({ slow: new Promise<void>((resolve) => (letGo = resolve)) });
    await start(judge);
    const slow = ask(event('slow', 's1'));
    await until(() => seen.length === 1);
    const others: string[] = [];
    for (const id of ['o1', 'o2', 'o3']) others.push((await ask(event('other', id))).stdout);
    expect(others).toEqual(['o1', 'o2', 'o3']);
    const later = ask(event('slow', 's2'));
    await until(() => seen.includes('s2'));
    expect(seen).toEqual(['s1', 'o1', 'o2', 'o3', 's2']);
    letGo();
    expect([(await slow).stdout, (await later).stdout]).toEqual(['s1', 's2']);
  });

  it('D3: what cannot be judged is refused where it may be, and noted elsewhere', async () => {
    const broken: Judge = { ...fakeGuard().judge, event: () => Promise.reject(new Error('no disk')) };
    await start(broken);
    expect(await ask('{"hook_event_name":"PreToolUse"')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('not JSON'),
    });
    expect(await ask('[]')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('not a JSON object'),
    });
    const call = { ...event('a', 'x'), hook_event_name: 'PreToolUse' };
    expect(await ask(call)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no disk') });
    const told = await ask({ ...event('a', 'x'), hook_event_name: 'SessionStart' });
    expect(told).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(told.stdout)).toEqual({ systemMessage: expect.stringContaining('no disk') });
  });

  it('D3: one that sends without end is hung up on, and the others are answered', async () => {
    await start(fakeGuard().judge);
    const endless = exchange(path(), Buffer.alloc(2 * MOST_BYTES + 2), 60_000);
    expect((await ask(event('a', 'x'))).stdout).toBe('x');
    expect((await endless).kind).toBe('lost');
  });

  it('W1: GOB-DAEMON-VERSIONS: a hook of another protocol is refused and told what to do', async () => {
    await start(fakeGuard().judge);
    const answer = await ask({ hook_event_name: 'Stop' }, { lockstep: 0, version: '0.0.9' });
    expect(answer).toMatchObject({ exitCode: 2 });
    expect(answer.stderr).toContain('the hook is of Lockstep 0.0.9, and 1.0.0 serves. Update the older one');
  });

  it('knows the environment of a session from its last event', async () => {
    const { sender } = await start(fakeGuard().judge);
    await ask(event('a', 'x'));
    expect(sender()?.({ client: 'claude', id: 'a' })).toMatchObject({ environment: { PATH: '/x' } });
    expect(sender()?.({ client: 'codex', id: 'a' })).toBeUndefined();
  });

  it('D5: GOB-DAEMON-IDLE: ends when nothing happens, and not while something is held', async () => {
    let isHeld = true;
    let looks = 0;
    const isIdle = () => {
      looks += 1;
      return !isHeld;
    };
    const { end } = await start(fakeGuard({}, isIdle).judge, { idleMs: 20 });
    await ask(event('a', 'x'));
    await until(() => looks > 1);
    expect(await daemonsOf(home, own)).toHaveLength(1);
    isHeld = false;
    expect(await end).toEqual({ kind: 'ended', why: expect.stringMatching(/nothing happens|no session/) });
    expect(socketsIn(folder)).toEqual([]);
  });

  it('D5: told to end, it answers who waits, then is gone', async () => {
    let letGo = () => {};
    const { seen, judge } = fakeGuard({ slow: new Promise<void>((resolve) => (letGo = resolve)) });
    const { end } = await start(judge);
    const slow = ask(event('slow', 's1'));
    await until(() => seen.length === 1);
    const ending = endDaemons(home, own);
    const late = ask(event('other', 'late'));
    letGo();
    expect((await slow).stdout).toBe('s1');
    expect((await ending).ended).toHaveLength(1);
    expect(['lost', 'late']).toContain((await late).stdout ?? (await late));
    expect((await end).kind).toBe('ended');
  });

  it('what was let through while nobody was there is told to the drive, once', async () => {
    noteUnanswered(home, {
      ...{
        at: '2026-01-01T00:00:00Z',
        client: 'claude',
        session: 'a',
        event: 'PreToolUse',
        tool: 'Bash',
        cwd: '/',
        why: 'x',
      },
    });
    expect(statSync(unansweredFile(home)).mode & 0o777).toBe(0o600);
    const { seen, judge } = fakeGuard();
    await start(judge);
    await until(() => seen.length === 1);
    expect(seen[0]).toBe('unanswered:claude:a:2026-01-01T00:00:00Z:PreToolUse Bash');
    expect(readdirSync(join(home, 'guard')).filter((name) => name.includes('unanswered'))).toEqual([]);
  });
});

describe('claim', () => {
  it('C1: GOB-DAEMON-ONE: of ten that start at once, one serves', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => start(fakeGuard().judge)));
    expect(await daemonsOf(home, own)).toHaveLength(1);
    expect(all.filter(({ said }) => said.length > 0)).toHaveLength(1);
  });

  it('C2: GOB-DAEMON-KILLED: the socket of a daemon that was killed is replaced', async () => {
    makePrivateFolder(folder);
    writeFileSync(socketPath(folder, 'aaaa', 7), ''); // nobody listens at it
    await start(fakeGuard().judge);
    expect(socketsIn(folder).map(({ number }) => number)).toEqual([8]);
    expect((await ask(event('a', 'x'))).stdout).toBe('x');
  });

  it('C3: GOB-DAEMON-VERSIONS: the newer of two builds serves, whichever came first', async () => {
    const newer = { version: '1.1.0', build: 'bbbb', builtAt: 1 };
    const first = await start(fakeGuard().judge);
    await start(fakeGuard().judge, { build: newer });
    expect(await first.end).toEqual({ kind: 'ended', why: '1.1.0 takes over' });
    const again = await start(fakeGuard().judge);
    expect(await again.end).toMatchObject({ kind: 'newer', by: { version: '1.1.0' } });
    expect((await daemonsOf(home, own)).map(({ version }) => version)).toEqual(['1.1.0']);
  });

  it.each([
    ['1.0.0', 1, '1.0.0', 2, false],
    ['1.0.0', 2, '1.0.0', 1, true],
    ['1.10.0', 1, '1.9.9', 2, true],
    ['2', 1, '10', 9, false],
  ])('%s (%d) before %s (%d): %s', (version, builtAt, other, otherAt, expected) => {
    expect(isNewer({ version, builtAt, build: 'a' }, { version: other, builtAt: otherAt, build: 'b' })).toBe(
      expected,
    );
  });

  it('one whose name was taken ends by itself', async () => {
    const { end } = await start(fakeGuard().judge, { idleMs: 20 });
    const taker = createServer().listen(socketPath(folder, 'aaaa', 9));
    expect(await end).toMatchObject({ why: expect.stringContaining("is not the daemon's any more") });
    taker.close();
  });
});
