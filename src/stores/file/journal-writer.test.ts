import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { storeProcesses } from '../../../test/support/store-process.ts';
import { tries } from '../../../test/support/tries.ts';
import type { Entry, Holder } from '../../model/entry.ts';
import { faultOf } from '../../ports/store.contract.ts';
import { fileStore } from './file-store.ts';

const processes = storeProcesses();
afterAll(() => processes.remove());

const holder: Holder = { user: 'anna', host: hostname(), pid: process.pid, version: '1' };
const entry = (n: number, data: string): Entry => ({
  n,
  at: 0,
  kind: 'signal-received',
  name: 'go',
  data,
  by: 'x',
});
const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
const isRoot = process.getuid?.() === 0;

/** Calls with a small disk of its own; skips, saying why, where none can be had. */
function onSmallDisk(context: TestContext, action: (disk: string) => void): void {
  if (!isRoot) context.skip('mounting a tmpfs needs root');
  const disk = processes.folder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
  if (mounted.status !== 0) context.skip('mounting a tmpfs is not permitted here');
  try {
    action(disk);
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
}

describe('a disk with no room left', () => {
  it('J4: leaves a journal that verifies, and the next flush writes it all once there is room', (context) => {
    onSmallDisk(context, (disk) => {
      const store = fileStore({ directory: join(disk, 'runs') });
      const run = store.create('r', {}, holder);
      const path = join(disk, 'runs/r/journal.jsonl');
      const written: Entry[] = [];
      const append = (size: number): void => {
        written.push(entry(written.length + 1, 'x'.repeat(size)));
        run.append(written.at(-1) as Entry);
      };
      append(100);
      run.flush();
      const durable = readFileSync(path);

      writeFileSync(join(disk, 'filler'), Buffer.alloc(230_000));
      append(5);
      append(200_000);
      for (let round = 0; round < 3; round += 1) {
        const fault = faultOf(() => run.flush());
        expect(fault.code).toBe('disk-full');
        expect(fault.message).toContain('run r');
        expect(fault.hint).toContain('lockstep resume');
        expect(fault.retry).toBe(true);
        expect(readFileSync(path)).toEqual(durable);
        append(10);
      }
      expect(store.read('r').journal().entries).toEqual(written.slice(0, 1));

      rmSync(join(disk, 'filler'));
      run.flush();
      append(1);
      run.close();
      expect(store.read('r').journal()).toMatchObject({ entries: written, torn: 0 });
    });
  });

  it('refuses what else is written to it, and leaves what was there', (context) => {
    onSmallDisk(context, (disk) => {
      const store = fileStore({ directory: join(disk, 'runs') });
      const run = store.create('r', { 'state.json': 'before' }, holder);
      const large = 'x'.repeat(400_000);
      expect(faultOf(() => run.replaceDocument('state.json', large)).code).toBe('disk-full');
      expect(run.document('state.json')).toBe('before');
      expect(faultOf(() => store.post('r', { kind: 'signal', name: 'x', data: large, by: 'x' })).code).toBe(
        'disk-full',
      );
      const log = run.openLog('a.stdout');
      expect(faultOf(() => log.write(Buffer.alloc(400_000))).code).toBe('disk-full');
      log.end();
      expect(faultOf(() => store.create('s', { 'a.txt': large }, holder)).code).toBe('disk-full');
      expect(store.list()).toEqual(['r']);
      expect(readdirSync(join(disk, 'runs')).sort()).toEqual(['.gitignore', 'latest', 'r']);
      rmSync(join(disk, 'runs/r/logs/a.stdout'));
      expect(run.takeInbox()).toEqual([]);
      run.append(entry(1, 'fits again'));
      run.close();
      expect(store.read('r').journal().entries.length).toBe(1);
    });
  });

  it('is found by a file size limit too: what was flushed stays, a raised limit lets it go on', async (context) => {
    if (!has('bash') || !has('prlimit')) context.skip('needs bash and prlimit');
    const directory = processes.folder();
    const child = processes.start(
      directory,
      `
      import { execFileSync } from 'node:child_process';
      const run = store.create('r', {}, holder);
      let n = 0, fault = null;
      while (fault === null) {
        n += 1;
        run.append(entry(n, 'x'.repeat(777)));
        fault = faultOf(() => run.flush());
      }
      const { entries, torn } = store.read('r').journal();
      say({ n, fault, whole: entries.length, torn });
      execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
      run.append(entry(n + 1));
      run.flush();
      run.close();
      `,
      { before: 'ulimit -S -f 16' },
    );
    const [{ n, fault, whole, torn }] = (await child.done()) as [
      { n: number; fault: { code: string; hint: string }; whole: number; torn: number },
    ];
    expect(n).toBeGreaterThan(5);
    expect(fault.code).toBe('disk-full');
    expect([whole, torn]).toEqual([n - 1, 0]);
    const { entries } = fileStore({ directory }).read('r').journal();
    expect(entries.map((one) => one.n)).toEqual(Array.from({ length: n + 1 }, (_, index) => index + 1));
  });
});

describe('a folder that may not be written', () => {
  it('is told as such, and can be read', (context) => {
    onSmallDisk(context, (disk) => {
      const store = fileStore({ directory: join(disk, 'runs') });
      const run = store.create('r', { 'workflow.json': '{}' }, holder);
      run.append(entry(1, 'x'));
      run.close();
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      for (const action of [
        () => store.open('r', holder),
        () => store.create('s', {}, holder),
        () => store.post('r', { kind: 'cancel', by: 'x' }),
        () => store.remove('r'),
      ]) {
        const fault = faultOf(action);
        expect(fault.code).toBe('run-read-only');
        expect(fault.message).toContain('EROFS');
      }
      expect(store.read('r').journal().entries.length).toBe(1);
      expect(store.read('r').document('workflow.json')).toBe('{}');
      expect(store.list()).toEqual(['r']);
    });
  });

  it("is told as such to a user who may not write there, for another user's run and for a new one", async (context) => {
    if (!isRoot) context.skip('becoming another user needs root');
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create('r', {}, holder).close();
    const child = processes.start(
      directory,
      `
      say(faultOf(() => store.open('r', holder)));
      say(faultOf(() => store.create('s', {}, holder)));
      say(faultOf(() => store.post('r', { kind: 'cancel', by: 'x' })));
      say(faultOf(() => store.remove('r')));
      say(store.read('r').journal().entries);
      `,
      { uid: 65_534, gid: 65_534, cwd: '/' },
    );
    const said = (await child.done()) as { code: string; message: string }[];
    expect(said.slice(0, 4).map(({ code }) => code)).toEqual(
      Array.from({ length: 4 }, () => 'run-read-only'),
    );
    expect(said[0]?.message).toContain('run r');
    expect(said[4]).toEqual([]);
    expect(store.list()).toEqual(['r']);
  });
});

describe('flush', () => {
  it('J2: is one write and one fdatasync however much was appended, and none for nothing; all share a note that follows', async (context) => {
    if (!has('strace')) context.skip('needs strace to see what the system is asked');
    const directory = processes.folder();
    const trace = join(processes.root, 'trace');
    const traced = processes.start(
      directory,
      `
      const run = store.create('r', {}, holder);
      run.flush();
      for (let n = 1; n <= 100; n += 1) run.append(entry(n, 'x'.repeat(1000)));
      writeSync(2, 'begin');
      run.flush();
      run.flush();
      run.append(entry(101));
      run.flush();
      writeSync(2, 'end');
      `,
      { before: `exec strace -o ${trace} -e trace=write,pwrite64,fdatasync,fsync,ftruncate "$@"` },
    );
    await traced.done().catch(() => context.skip('strace is not permitted here'));
    const lines = readFileSync(trace, 'utf8').split('\n');
    const [begin, end] = ['"begin"', '"end"'].map((mark) => lines.findIndex((line) => line.includes(mark)));
    const calls = (some: string[]) => some.map((line) => line.replace(/\(.*$/, ''));
    const flush = ['pwrite64', 'fdatasync'];
    expect(calls(lines.slice((begin ?? 0) + 1, end))).toEqual([...flush, ...flush]);
    const after = lines.slice(end).filter((line) => line.startsWith('pwrite64'));
    expect(after).toEqual([expect.stringContaining('\\"entries\\":101')]);
  });

  it('J4: killed at any moment, every entry whose flush returned is there, and the journal goes on', async () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create('r', {}, holder).close();
    let least = 0;
    for (let round = 0; round < tries(30, 10); round += 1) {
      const child = processes.start(
        directory,
        `
        const run = store.open('r', holder);
        const { entries, torn } = run.journal();
        let n = entries.length;
        for (;;) {
          for (let batch = 0; batch < 1 + (n % 3); batch += 1) run.append(entry((n += 1), 'x'.repeat((n * 7919) % 9000)));
          run.flush();
          say(n);
        }
        `,
      );
      const reach = least + 1 + ((round * 37) % 60);
      while (((await child.next()) as number) < reach);
      await child.kill();
      const acknowledged = child.said.at(-1) as number;
      const run = store.open('r', holder);
      const { entries } = run.journal();
      expect(entries.length).toBeGreaterThanOrEqual(acknowledged);
      expect(entries.every((one, index) => one.n === index + 1)).toBe(true);
      run.close();
      least = entries.length;
    }
    expect(store.read('r').journal().torn).toBe(0);
  });
});
