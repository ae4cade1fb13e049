import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type StoreProcess, storeProcesses } from '../../../test/support/store-process.ts';
import { tries } from '../../../test/support/tries.ts';
import type { Holder } from '../../model/entry.ts';
import { faultOf } from '../../ports/store.contract.ts';
import { fileStore } from './file-store.ts';
import { claim } from './lease.ts';
import { thisMachine } from './machine.ts';

const processes = storeProcesses();
afterAll(() => processes.remove());
const started: StoreProcess[] = [];
afterEach(() => Promise.all(started.splice(0).map((child) => child.kill())));
const start: typeof processes.start = (...args) => {
  const child = processes.start(...args);
  started.push(child);
  return child;
};

const holder: Holder = { user: 'anna', host: hostname(), pid: process.pid, version: '1' };
const hold = `store.create('r', {}, holder); say('held'); setInterval(() => {}, 1000);`;

/** The text of a lease whose holder was killed. */
async function deadLease(directory: string): Promise<string> {
  const child = start(directory, hold);
  await child.next();
  await child.kill();
  return readFileSync(join(directory, 'r/lease/1'), 'utf8');
}

describe('a lease', () => {
  it('J3: names user, process, host and since when, to a second process', async () => {
    const directory = processes.folder();
    const before = Date.now();
    const child = start(directory, hold);
    await child.next();
    const fault = faultOf(() => fileStore({ directory }).open('r', holder));
    expect(fault.code).toBe('run-locked');
    expect(fault.message).toContain(`child (process ${child.child.pid} on ${hostname()}, since `);
    const since = Date.parse(/since (\S+)\)/.exec(fault.message)?.[1] as string);
    expect(since).toBeGreaterThan(before - 5_000);
    expect(since).toBeLessThan(Date.now() + 5_000);
    expect(fileStore({ directory }).read('r').holder()).toEqual({
      user: 'child',
      host: hostname(),
      pid: child.child.pid,
      version: '1',
      alive: true,
    });
  });

  it('J3: LS-LEASE-DEAD: a holder that was killed is replaced, and its run may be removed', async () => {
    const directory = processes.folder();
    await deadLease(directory);
    const store = fileStore({ directory });
    expect(store.read('r').holder()).toBeUndefined();
    const run = store.open('r', holder);
    expect(store.read('r').holder()?.pid).toBe(process.pid);
    run.close();
    const again = start(directory, `store.open('r', holder); say('held'); setInterval(() => {}, 1000);`);
    await again.next();
    expect(faultOf(() => store.remove('r')).code).toBe('run-locked');
    await again.kill();
    store.remove('r');
    expect(store.list()).toEqual([]);
  });

  it('J3: a process that has ended but was not waited for holds nothing', async (context) => {
    if (process.platform !== 'linux') context.skip('needs /proc');
    const directory = processes.folder();
    // The shell starts the holder and then is stopped, so nobody waits for the holder's end.
    const shell = start(directory, hold, { before: '"$@" & read -r' });
    await shell.next();
    const record = JSON.parse(readFileSync(join(directory, 'r/lease/1'), 'utf8')) as { pid: number };
    process.kill(shell.child.pid as number, 'SIGSTOP');
    process.kill(record.pid, 'SIGKILL');
    const state = (): string =>
      readFileSync(`/proc/${record.pid}/stat`, 'utf8').replace(/^.*\) (.).*$/s, '$1');
    while (state() !== 'Z') await new Promise((resolve) => setImmediate(resolve));
    const store = fileStore({ directory });
    expect(store.read('r').holder()).toBeUndefined();
    store.open('r', holder).close();
    expect(state()).toBe('Z');
  });

  const changes: [string, Record<string, unknown>, string | undefined][] = [
    ['by a process whose id now belongs to another', { started: '1' }, undefined],
    ['since before the machine was started again', { boot: 'an earlier one' }, undefined],
    ['by this very process', {}, 'run-locked'],
    ['on another host', { host: 'elsewhere', boot: 'theirs' }, 'run-held-elsewhere'],
    [
      'on another host, by a process id that is not in use here',
      { host: 'elsewhere', pid: 2 ** 22 + 1 },
      'run-held-elsewhere',
    ],
    ['in another container of this machine', { namespace: 'pid:[1]' }, 'run-held-elsewhere'],
  ];
  it.each(changes)('J3: held %s is judged so', (_, change, code) => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create('r', {}, holder);
    const path = join(directory, 'r/lease/1');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
    if (code === undefined) {
      expect(store.read('r').holder()).toBeUndefined();
      store.open('r', holder).close();
      return;
    }
    expect(faultOf(() => store.open('r', holder)).code).toBe(code);
    expect(faultOf(() => store.remove('r')).code).toBe(code);
    expect(store.read('r').holder()?.alive).toBe(code === 'run-locked' ? true : 'unknown');
    if (code === 'run-held-elsewhere') {
      expect(faultOf(() => store.open('r', holder)).hint).toContain('lockstep resume r --take-over');
      store.open('r', holder, { takeOver: true }).close();
    }
  });

  it('J3: a store that says the machine was started again replaces a holder of before', () => {
    const directory = processes.folder();
    fileStore({ directory, boot: 'first' }).create('r', {}, holder);
    expect(faultOf(() => fileStore({ directory, boot: 'first' }).open('r', holder)).code).toBe('run-locked');
    fileStore({ directory, boot: 'second' }).open('r', holder).close();
  });

  it.each(['not JSON', '{}', '{"pid":"1"}', 'null', '[]'])(
    'J3: a lease that reads %j is not replaced unasked',
    (text) => {
      const directory = processes.folder();
      const store = fileStore({ directory });
      store.create('r', {}, holder).close();
      writeFileSync(join(directory, 'r/lease/1'), text);
      expect(faultOf(() => store.open('r', holder)).code).toBe('run-held-elsewhere');
      store.open('r', holder, { takeOver: true }).close();
    },
  );

  it('J3: whoever makes a number from an old listing and then sees a higher one has lost (L2)', () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create('r', {}, holder).close();
    for (let round = 0; round < 4; round += 1) store.open('r', holder).close();
    const run = store.open('r', holder);
    const lease = join(directory, 'r/lease');
    const request = {
      id: 'r',
      folder: join(directory, 'r'),
      holder,
      machine: thisMachine(),
      takeOver: false,
    };
    // Who listed when 2 was the highest goes for 3, which is free again by now.
    expect(claim(lease, 3, request)).toBeUndefined();
    expect(claim(lease, 6, request)).toBeUndefined();
    expect(readdirSync(lease)).toEqual(['6']);
    run.append({ n: 1, at: 0, kind: 'retry-due', path: 'x' });
    run.close();
  });

  it('keeps one file, however often it changes hands, and clears up what a dead process began', () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create('r', {}, holder).close();
    writeFileSync(join(directory, 'r/lease/.tmp-6f1c7a52-0b1e-4c55-9d3e-1f2a3b4c5d6e'), 'x');
    for (let round = 0; round < 12; round += 1) store.open('r', holder).close();
    expect(readdirSync(join(directory, 'r/lease'))).toEqual(['13']);
    expect(readFileSync(join(directory, 'r/lease/13'), 'utf8')).toBe('');
  });

  it('goes on counting where the folder was lost, and is made again', () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create('r', {}, holder).close();
    rmSync(join(directory, 'r/lease'), { recursive: true });
    const run = store.open('r', holder);
    expect(faultOf(() => store.open('r', holder)).code).toBe('run-locked');
    run.close();
  });

  it('J3: whose file is gone is lost: nothing more is written', () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    const run = store.create('r', {}, holder);
    rmSync(join(directory, 'r/lease'), { recursive: true });
    run.append({ n: 1, at: 0, kind: 'retry-due', path: 'x' });
    expect(faultOf(() => run.flush()).code).toBe('lease-lost');
    expect(faultOf(() => run.close()).code).toBe('lease-lost');
    expect(store.read('r').journal().entries).toEqual([]);
  });
});

describe('SEC-LINKS-LEASE: what stands in the place of a lease', () => {
  const made = () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    const run = store.create('r', {}, holder);
    return { store, run, lease: join(directory, 'r/lease'), directory };
  };

  it('a link is not followed: nothing is removed or made where it leads', () => {
    const { store, run, lease, directory } = made();
    run.close();
    const victim = join(directory, 'victim');
    mkdirSync(join(victim, 'sub'), { recursive: true });
    for (const name of ['id_rsa', '.bashrc', '1']) writeFileSync(join(victim, name), 'keep');
    rmSync(lease, { recursive: true });
    symlinkSync(victim, lease);
    for (const use of [
      () => store.open('r', holder),
      () => store.remove('r'),
      () => store.repair('r', holder),
    ])
      expect(faultOf(use).code).toBe('run-part-replaced');
    expect(store.read('r').holder()).toBeUndefined();
    expect(readdirSync(victim).sort()).toEqual(['.bashrc', '1', 'id_rsa', 'sub']);
  });

  it('files that Lockstep did not make are left alone; a link for a number is told', () => {
    const { store, run, lease, directory } = made();
    run.close();
    writeFileSync(join(lease, 'notes.txt'), 'mine');
    mkdirSync(join(lease, 'folder'));
    store.open('r', holder).close();
    expect(readdirSync(lease).sort()).toEqual(['2', 'folder', 'notes.txt']);
    symlinkSync(directory, join(lease, '9'));
    expect(faultOf(() => store.open('r', holder)).code).toBe('run-part-replaced');
  });

  it('SEC-JOURNAL-LEASE: one that is renamed or replaced while the run goes on stops it', () => {
    for (const replace of [
      (lease: string) => renameSync(lease, `${lease}2`),
      (lease: string) => {
        renameSync(lease, `${lease}2`);
        cpSync(`${lease}2`, lease, { recursive: true });
      },
      (lease: string) => {
        renameSync(join(lease, '1'), join(lease, 'one'));
      },
    ]) {
      const { run, lease } = made();
      replace(lease);
      run.append({ n: 1, at: 0, kind: 'retry-due', path: 'x' });
      expect(faultOf(() => run.flush()).code).toBe('lease-lost');
    }
  });
});

describe('many processes', () => {
  it('J3: of those that replace a dead holder at once, exactly one wins; the others are told of it', async () => {
    const directory = processes.folder();
    const text = await deadLease(directory);
    const store = fileStore({ directory });
    const rounds = tries(100, 30);
    const racers = 4;
    for (let round = 0; round < rounds; round += 1) {
      store.create(`race-${round}`, {}, holder).close();
      writeFileSync(join(directory, `race-${round}/lease/1`), text);
    }
    // They run abreast: each waits for a file that the last to arrive makes, in a tight loop.
    const program = `
      import { existsSync, readdirSync, writeFileSync } from 'node:fs';
      for (let round = 0; round < given.rounds; round += 1) {
        const place = given.meet + '/' + round;
        writeFileSync(place + '-' + given.me, '');
        while (!existsSync(place + '-go')) {
          if (given.me === 0 && readdirSync(given.meet).filter((name) => name.startsWith(round + '-')).length === given.racers) writeFileSync(place + '-go', '');
        }
        let run;
        const fault = faultOf(() => { run = store.open('race-' + round, holder); });
        if (fault === null) { run.append(entry(1, process.pid)); run.flush(); }
        say({ round, me: process.pid, fault });
      }
      process.stdin.resume();`;
    const meet = processes.folder();
    const children = Array.from({ length: racers }, (_, me) =>
      start(directory, program, { given: { rounds, racers, meet, me } }),
    );
    type Said = { round: number; me: number; fault: { code: string; message: string } | null };
    for (let round = 0; round < rounds; round += 1) {
      const said = (await Promise.all(children.map((child) => child.next()))) as Said[];
      const winners = said.filter(({ fault }) => fault === null);
      expect(winners.length).toBe(1);
      const winner = winners[0]?.me;
      for (const { fault } of said) {
        if (fault === null) continue;
        expect(fault.code).toBe('run-locked');
        expect(fault.message).toContain(`process ${winner} `);
      }
      expect(store.read(`race-${round}`).journal().entries).toMatchObject([{ data: winner }]);
    }
    for (const child of children) child.child.stdin?.end();
    await Promise.all(children.map((child) => child.done()));
  });

  it('J3: taking, writing, giving back and dying all the time, never write over each other', async () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create('r', {}, holder).close();
    const program = `
      import { setTimeout as pause } from 'node:timers/promises';
      for (;;) {
        let run;
        const fault = faultOf(() => { run = store.open('r', holder); });
        if (fault !== null) {
          if (fault.code !== 'run-locked') { say({ fault }); process.exit(1); }
          await pause(0);
          continue;
        }
        const n = run.journal().entries.length;
        for (let more = 1; more <= 3; more += 1) { run.append(entry(n + more, process.pid)); run.flush(); say({ n: n + more }); }
        if (Math.random() < 0.1) process.kill(process.pid, 'SIGKILL');
        run.close();
      }`;
    const acknowledged = new Map<number, number>();
    const lives = tries(24, 9);
    let lived = 0;
    const live = async (): Promise<void> => {
      while (lived < lives) {
        lived += 1;
        const child = start(directory, program);
        const problem = await child.done().then(
          () => 'it ended',
          (error: Error) => (error.message.includes('SIGKILL') ? undefined : error.message),
        );
        expect(problem).toBeUndefined();
        for (const { n } of child.said as { n: number }[]) {
          expect(acknowledged.has(n)).toBe(false);
          acknowledged.set(n, child.child.pid as number);
        }
      }
    };
    await Promise.all([live(), live(), live()]);
    const { entries } = store.open('r', holder).journal();
    expect(entries.length).toBeGreaterThanOrEqual(lives * 3);
    for (const [n, pid] of acknowledged) expect(entries[n - 1]).toMatchObject({ n, data: pid });
  });

  it('of those that make the same run at once, exactly one does', async () => {
    const directory = processes.folder();
    const go = join(processes.root, 'go');
    const program = `
      import { existsSync } from 'node:fs';
      say('ready');
      while (!existsSync(given.go));
      for (let round = 0; round < 40; round += 1) {
        const fault = faultOf(() => store.create('r' + round, { 'who.txt': String(process.pid) }, holder).close());
        say({ round, made: fault === null, code: fault?.code });
      }`;
    const children = Array.from({ length: 3 }, () => start(directory, program, { given: { go } }));
    await Promise.all(children.map((child) => child.next()));
    writeFileSync(go, '');
    const said = (await Promise.all(children.map((child) => child.done()))).map((lines) => lines.slice(1));
    const store = fileStore({ directory });
    for (let round = 0; round < 40; round += 1) {
      const ends = said.map((lines) => lines[round] as { made: boolean; code?: string });
      expect(ends.filter(({ made }) => made).length).toBe(1);
      expect(ends.every(({ made, code }) => made || code === 'run-exists')).toBe(true);
      const maker = children[ends.findIndex(({ made }) => made)];
      expect(store.read(`r${round}`).document('who.txt')).toBe(String(maker?.child.pid));
    }
    expect(readdirSync(directory).filter((name) => name.startsWith('.tmp'))).toEqual([]);
    expect(existsSync(join(directory, 'latest'))).toBe(true);
  });
});
