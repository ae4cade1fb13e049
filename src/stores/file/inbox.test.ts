import { execFileSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { storeProcesses } from '../../../test/support/store-process.ts';
import type { Holder } from '../../model/entry.ts';
import { faultOf, messagesIn } from '../../ports/store.contract.ts';
import { fileStore } from './file-store.ts';

const processes = storeProcesses();
afterAll(() => processes.remove());
const holder: Holder = { user: 'anna', host: hostname(), pid: process.pid, version: '1' };

describe('the inbox', () => {
  it('gets all that several processes post at once, in the order of each', async () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    const run = store.create('r', {}, holder);
    const children = [0, 1, 2].map((me) =>
      processes.start(
        directory,
        `for (let n = 0; n < 60; n += 1) store.post('r', { kind: 'signal', name: String(given.me), data: n, by: 'x' });`,
        { given: { me } },
      ),
    );
    const seen: Record<string, number[]> = { 0: [], 1: [], 2: [] };
    const ids = new Set<string>();
    let ended = false;
    void Promise.all(children.map((child) => child.done())).then(() => {
      ended = true;
    });
    // The holder takes while they post.
    for (let last = false; !last; ) {
      last = ended;
      for (const { id, message, done } of messagesIn(run)) {
        const { name, data } = message as { name: string; data: number };
        seen[name]?.push(data);
        expect(ids.has(id)).toBe(false);
        ids.add(id);
        done();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    const all = Array.from({ length: 60 }, (_, n) => n);
    expect(seen).toEqual({ 0: all, 1: all, 2: all });
    expect(readdirSync(join(run.location, 'inbox'))).toEqual([]);
  });

  it('gives a message again after a crash that came between journaling it and taking it', async () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create('r', {}, holder).close();
    store.post('r', { kind: 'signal', name: 'go', data: 1, by: 'x' });
    const child = processes.start(
      directory,
      `
      const run = store.open('r', holder);
      const [{ id }] = run.takeInbox();
      run.append(entry(1, id));
      run.flush();
      process.kill(process.pid, 'SIGKILL');`,
    );
    await child.done().catch(() => {});
    const run = store.open('r', holder);
    const [again] = messagesIn(run);
    expect(run.journal().entries).toMatchObject([{ n: 1, data: again?.id }]);
    again?.done();
    expect(run.takeInbox()).toEqual([]);
  });

  it('puts what is no message aside, once, and goes on with the rest', () => {
    const store = fileStore({ directory: processes.folder() });
    const run = store.create('r', {}, holder);
    const inbox = join(run.location, 'inbox');
    const bad: Record<string, string> = {
      '000000001-text.json': 'not json',
      '000000002-null.json': 'null',
      '000000003-kind.json': '{"kind":"explode","by":"x"}',
      '000000004-by.json': '{"kind":"cancel"}',
      '000000005-name.json': '{"kind":"signal","by":"x","data":1}',
      '000000006-path.json': '{"kind":"answer","by":"x","answer":1,"path":7}',
      '000000007-empty.json': '',
    };
    for (const [name, text] of Object.entries(bad)) writeFileSync(join(inbox, name), text);
    symlinkSync('/etc/passwd', join(inbox, '000000008-link.json'));
    execFileSync('mkfifo', [join(inbox, '000000009-pipe.json')]);
    writeFileSync(join(inbox, 'README'), 'not ours');
    writeFileSync(join(inbox, '.tmp-000000010-half.json'), '{"kind":"can');
    store.post('r', { kind: 'cancel', by: 'anna' });
    const received = run.takeInbox();
    expect(messagesIn(run).map(({ message }) => message)).toEqual([{ kind: 'cancel', by: 'anna' }]);
    const aside = [...Object.keys(bad), '000000008-link.json', '000000009-pipe.json', 'README'];
    for (const one of received) if (one.problem !== undefined) one.refuse();
    expect(readdirSync(join(inbox, 'bad')).sort()).toEqual(aside);
    expect(run.takeInbox().length).toBe(1);
    expect(readdirSync(inbox).length).toBe(3);
  });

  it('SEC-PEOPLE-PLANTED: whatever is planted there is told with a reason, once, and ends no run', async () => {
    const store = fileStore({ directory: processes.folder() });
    const run = store.create('r', {}, holder);
    const inbox = join(run.location, 'inbox');
    const server = createServer();
    mkdirSync(join(inbox, '000000001-folder.json'));
    const short = mkdtempSync(join(tmpdir(), 'lockstep-inbox-'));
    await new Promise<void>((resolve) => server.listen(join(short, 'socket'), resolve));
    renameSync(join(short, 'socket'), join(inbox, '000000002-socket.json'));
    writeFileSync(join(inbox, '000000003-secret.json'), '{}', { mode: 0 });
    writeFileSync(join(inbox, '000000004-huge.json'), '');
    truncateSync(join(inbox, '000000004-huge.json'), 17 << 20);
    writeFileSync(join(inbox, 'approve.json'), '{"kind":"cancel","by":"x"}');
    const planted = run.takeInbox();
    expect(planted.map(({ id, problem }) => [id, problem !== undefined])).toEqual([
      ['000000001-folder', true],
      ['000000002-socket', true],
      ['000000003-secret', true],
      ['000000004-huge', true],
      ['approve', true],
    ]);
    for (const one of planted) one.refuse();
    expect(run.takeInbox()).toEqual([]);
    // A second one of the same name does not take the place of the first.
    writeFileSync(join(inbox, 'approve.json'), 'another');
    for (const one of run.takeInbox()) one.refuse();
    expect(readdirSync(join(inbox, 'bad')).length).toBe(6);
    server.close();
    rmSync(short, { recursive: true });
  });

  it('SEC-PEOPLE-PLANTED: nothing is moved out of the run through a symlink, and what cannot be moved is told once', () => {
    const store = fileStore({ directory: processes.folder() });
    const run = store.create('r', {}, holder);
    const inbox = join(run.location, 'inbox');
    const elsewhere = processes.folder();
    symlinkSync(elsewhere, join(inbox, 'bad'));
    writeFileSync(join(inbox, 'x.json'), '{}');
    for (const one of run.takeInbox()) one.refuse();
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(run.takeInbox()).toEqual([]);
    // An inbox that leads elsewhere is none: whatever lies there is somebody else's.
    writeFileSync(join(elsewhere, 'letter.txt'), 'dear anna');
    rmSync(inbox, { recursive: true });
    symlinkSync(elsewhere, inbox);
    expect(run.takeInbox()).toEqual([]);
    rmSync(inbox);
    writeFileSync(inbox, 'a file');
    expect(run.takeInbox()).toEqual([]);
  });

  it('refuses a message that the holder would not read, and keeps the order however high the numbers are', () => {
    const store = fileStore({ directory: processes.folder() });
    const run = store.create('r', {}, holder);
    const data = 'x'.repeat(17 << 20);
    expect(faultOf(() => store.post('r', { kind: 'signal', name: 'big', data, by: 'x' })).code).toBe(
      'message-too-large',
    );
    writeFileSync(join(run.location, 'inbox/999999999-a.json'), '{"kind":"cancel","by":"first"}');
    store.post('r', { kind: 'cancel', by: 'second' });
    store.post('r', { kind: 'cancel', by: 'third' });
    expect(messagesIn(run).map(({ message }) => message.by)).toEqual(['first', 'second', 'third']);
  });

  it('a message from another user, whatever their umask, reaches a holder without rights', async (context) => {
    if (process.getuid?.() !== 0) context.skip('becoming another user needs root');
    const directory = processes.folder();
    chownSync(directory, 65_534, 65_534);
    const child = processes.start(
      directory,
      `
      const run = store.create('r', {}, holder);
      const take = () => { for (const { message, done } of run.takeInbox()) { say(message); done(); run.close(); process.exit(0); } };
      run.watchInbox(take);
      say('ready');`,
      { uid: 65_534, gid: 65_534, cwd: '/' },
    );
    await child.next();
    const before = process.umask(0o077);
    try {
      fileStore({ directory }).post('r', { kind: 'cancel', by: 'root' });
    } finally {
      process.umask(before);
    }
    expect((await child.done())[1]).toEqual({ kind: 'cancel', by: 'root' });
    expect(readdirSync(join(directory, 'r/inbox'))).toEqual([]);
  });

  it('is made again where somebody removed it, but a removed run does not come back', () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    const run = store.create('r', {}, holder);
    rmSync(join(run.location, 'inbox'), { recursive: true });
    expect(run.takeInbox()).toEqual([]);
    store.post('r', { kind: 'cancel', by: 'x' });
    expect(run.takeInbox().length).toBe(1);
    run.close();
    store.remove('r');
    expect(faultOf(() => store.post('r', { kind: 'cancel', by: 'x' })).code).toBe('run-unknown');
    expect(readdirSync(directory)).toEqual(['.gitignore']);
  });
});
