import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { storeProcesses } from '../../../test/support/store-process.ts';
import type { Holder } from '../../model/entry.ts';
import { faultOf } from '../../ports/store.contract.ts';
import { fileStore } from './file-store.ts';

const processes = storeProcesses();
afterAll(() => processes.remove());

const id = '20261115T101500Z-a3f8c2';
const holder: Holder = { user: 'anna', host: hostname(), pid: process.pid, version: '1' };
const drafts = (directory: string): string[] =>
  readdirSync(directory).filter((name) => name.startsWith('.tmp'));

describe('a new run', () => {
  it('lies on disk as documented', () => {
    const directory = join(processes.folder(), 'made/on/the/way');
    const run = fileStore({ directory }).create(id, { 'workflow.json': '{}' }, holder);
    run.replaceDocument('state.json', '{}');
    run.openLog('execute[2]/fix#1/reviews/security.stdout').write(Buffer.from('x'));
    expect(run.location).toBe(join(directory, id));
    expect(readdirSync(run.location).sort()).toEqual([
      'artifacts',
      'inbox',
      'journal.jsonl',
      'lease',
      'logs',
      'state.json',
      'workflow.json',
    ]);
    expect(existsSync(join(run.location, 'logs/execute[2]/fix#1/reviews/security.stdout'))).toBe(true);
    expect(readdirSync(directory).sort()).toEqual(['.gitignore', id, 'latest']);
  });

  it('never shows in git status', () => {
    const project = processes.folder();
    execFileSync('git', ['init', '-q', project]);
    const store = fileStore({ directory: join(project, '.lockstep/runs') });
    store.create(id, { 'workflow.json': '{}' }, holder).close();
    expect(readFileSync(join(project, '.lockstep/runs/.gitignore'), 'utf8')).toBe('*\n');
    const status = execFileSync('git', ['status', '--porcelain', '-uall'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(status).toBe('');
  });

  it('leaves a .gitignore alone that somebody wrote', () => {
    const directory = processes.folder();
    writeFileSync(join(directory, '.gitignore'), '!keep\n');
    fileStore({ directory }).create(id, {}, holder).close();
    expect(readFileSync(join(directory, '.gitignore'), 'utf8')).toBe('!keep\n');
  });

  it('is there whole or not at all when its maker is killed, and the next one clears up', async () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    let made = 0;
    let left = 0;
    for (let round = 0; round < 20; round += 1) {
      const child = processes.start(
        directory,
        `for (let n = 0; ; n += 1) { store.create(given.name + n, { 'workflow.json': 'w'.repeat(9000), 'last.txt': 'last' }, holder).close(); say(n); }`,
        { given: { name: `k${round}-` } },
      );
      for (let count = 0; count <= round % 5; count += 1) await child.next();
      await child.kill();
      left += drafts(directory).length;
      for (const name of store.list().filter((one) => one.startsWith('k'))) {
        const run = store.read(name);
        expect(run.document('workflow.json')?.length).toBe(9000);
        expect(run.document('last.txt')).toBe('last');
        expect(run.journal()).toMatchObject({ entries: [], torn: 0 });
        expect(readdirSync(run.location)).toEqual(
          expect.arrayContaining(['artifacts', 'inbox', 'lease', 'logs']),
        );
      }
      for (const n of child.said) expect(store.list()).toContain(`k${round}-${n}`);
      made += child.said.length;
      store.create(`after-${round}`, {}, holder).close();
      expect(drafts(directory)).toEqual([]);
    }
    expect(store.list().length).toBeGreaterThanOrEqual(made);
    // Else nothing was ever cleared up, and the test proved nothing about it.
    expect(left).toBeGreaterThan(0);
  });

  it('J2: every file but the lease (which ends with the machine) is synced, then its folder, then it is renamed, then the folder around it is synced', async (context) => {
    if (spawnSync('strace', ['-V']).status !== 0)
      context.skip('needs strace to see what the system is asked');
    const directory = processes.folder();
    const trace = join(processes.root, 'trace-create');
    const child = processes.start(
      directory,
      `
      store.create('warm', {}, holder).close();
      writeSync(2, 'begin');
      store.create('r', { 'a.txt': 'a', 'b.txt': 'b' }, holder);
      writeSync(2, 'end');`,
      { before: `exec strace -y -o ${trace} -e trace=write,fdatasync,fsync,rename "$@"` },
    );
    await child.done().catch(() => context.skip('strace is not permitted here'));
    const lines = readFileSync(trace, 'utf8').split('\n');
    const asked = lines
      .slice(
        lines.findIndex((line) => line.includes('"begin"')) + 1,
        lines.findIndex((line) => line.includes('"end"')),
      )
      .filter((line) => !line.startsWith('write'))
      // A draft is called by its parts, the rest by its path.
      .map((line) => line.replace(/\.tmp-[0-9a-f-]+/g, 'DRAFT').replaceAll(directory, 'RUNS'))
      .map((line) => line.replace(/^(\w+)\((?:[0-9]+<(.*)>|"(.*)", "(.*)")\) += 0$/, '$1 $2$3 $4').trim());
    expect(asked).toEqual([
      'fdatasync RUNS/DRAFT/a.txt',
      'fdatasync RUNS/DRAFT/b.txt',
      'fdatasync RUNS/DRAFT/journal.jsonl',
      'fsync RUNS/DRAFT',
      'rename RUNS/DRAFT RUNS/latest',
      'rename RUNS/DRAFT RUNS/r',
      'fsync RUNS',
    ]);
  });

  it('does not clear up what a living process, another host or a person is at', async () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create('first', {}, holder).close();
    const child = processes.start(directory, `say('here'); setInterval(() => {}, 1000);`);
    await child.next();
    const dead = processes.start(
      directory,
      `
      import { renameSync, readdirSync } from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      import fs from 'node:fs';
      // Stops dead just before the run would be there.
      fs.renameSync = () => { say(readdirSync(given.directory).filter((name) => name.startsWith('.tmp'))); process.kill(process.pid, 'SIGKILL'); };
      syncBuiltinESMExports();
      store.create('never', {}, holder);`,
      { given: { directory } },
    );
    const [draft] = (await dead.next()) as [string];
    await dead.kill();
    const kept = [
      draft.replace(/^(\.tmp-[^-]+-[^-]+)-[0-9]+-[0-9]*/, `$1-${child.child.pid}-`),
      draft.replace(/^\.tmp-[^-]+/, '.tmp-00000000'),
      '.tmp-mine',
    ];
    for (const name of kept) mkdirSync(join(directory, name));
    store.create('second', {}, holder).close();
    expect(drafts(directory).sort()).toEqual([...kept].sort());
    await child.kill();
    store.create('third', {}, holder).close();
    expect(drafts(directory).sort()).toEqual(kept.slice(1).sort());
    expect(store.list()).toEqual(['first', 'second', 'third']);
  });
});

describe('the list of runs', () => {
  it('holds runs only: no stray file, folder or symlink', () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    store.create(id, {}, holder).close();
    mkdirSync(join(directory, 'notes'));
    writeFileSync(join(directory, 'readme.txt'), '');
    symlinkSync(id, join(directory, 'alias'));
    mkdirSync(join(directory, '.tmp-x'));
    expect(store.list()).toEqual([id]);
    expect(faultOf(() => store.read('alias')).code).toBe('run-part-replaced');
    for (const name of ['notes', 'readme.txt']) {
      expect(faultOf(() => store.read(name)).code).toBe('run-unknown');
      expect(faultOf(() => store.remove(name)).code).toBe('run-unknown');
    }
  });

  it('holds a run that has lost its journal: reading and writing say so, removing it works', () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    const { location, close } = store.create(id, { 'state.json': '{}' }, holder);
    close();
    rmSync(join(location, 'journal.jsonl'));
    expect(store.list()).toEqual([id]);
    const run = store.read(id);
    expect([run.hasJournal(), run.wholeEntries(), run.document('state.json')]).toEqual([false, [], '{}']);
    for (const action of [() => run.journal(), () => store.open(id, holder), () => store.repair(id, holder)])
      expect(faultOf(action).code).toBe('journal-gone');
    store.remove(id);
    expect(store.list()).toEqual([]);
  });

  it.each([500, 5_000])(
    'LS-TROUBLE-500-RUNS: of %i runs is quick, in order, and reads no journal',
    (count) => {
      const directory = processes.folder();
      const store = fileStore({ directory });
      store.create('20261115T101500Z-ffffff', {}, holder).close();
      const names = Array.from(
        { length: count },
        (_, n) => `20261115T1014${String(n % 60).padStart(2, '0')}Z-${String(n).padStart(6, '0')}`,
      );
      for (const name of names) {
        mkdirSync(join(directory, name));
        // A line of garbage: reading it would fail.
        writeFileSync(join(directory, name, 'journal.jsonl'), 'x\n');
      }
      const floor = time(() =>
        readdirSync(directory).map((name) => statSync(join(directory, name)).isDirectory()),
      );
      const took = time(() => expect(store.list()).toEqual([...names, '20261115T101500Z-ffffff'].sort()));
      expect(took).toBeLessThan(20 * floor + 50);
      expect(store.latest()).toBe('20261115T101500Z-ffffff');
      const another = time(() => store.create('20261115T101501Z-000000', {}, holder).close(), 1);
      expect(another).toBeLessThan(20 * floor + 500);
      expect(store.latest()).toBe('20261115T101501Z-000000');
    },
  );
});

/** The least of a few, in milliseconds: the machine may be busy. */
function time(action: () => unknown, times = 3): number {
  const took = Array.from({ length: times }, () => {
    const began = performance.now();
    action();
    return performance.now() - began;
  });
  return Math.min(...took);
}

describe('latest', () => {
  it('LS-DISK-LATEST: is a symlink to the run made last', () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    for (const name of ['b', 'c', 'a']) {
      store.create(name, { 'who.txt': name }, holder).close();
      expect(readlinkSync(join(directory, 'latest'))).toBe(name);
      expect(readFileSync(join(directory, 'latest/who.txt'), 'utf8')).toBe(name);
    }
    store.remove('a');
    expect(readlinkSync(join(directory, 'latest'))).toBe('c');
  });

  it.each<[string, (directory: string) => void]>([
    ['is missing', (directory) => rmSync(join(directory, 'latest'))],
    ['dangles', (directory) => relink(directory, 'gone')],
    ['leads out', (directory) => relink(directory, '../../etc')],
    ['leads to a stray folder', (directory) => relink(directory, 'notes')],
    [
      'is a folder',
      (directory) => {
        rmSync(join(directory, 'latest'));
        mkdirSync(join(directory, 'latest'));
      },
    ],
  ])('is the newest by id where the symlink %s', (_, damage) => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    mkdirSync(join(directory, 'notes'));
    for (const name of ['b', 'c', 'a']) store.create(name, {}, holder).close();
    damage(directory);
    expect(store.latest()).toBe('c');
    store.remove('c');
    expect(store.latest()).toBe('b');
    store.create('d', {}, holder).close();
    expect(store.latest()).toBe('d');
  });

  function relink(directory: string, target: string): void {
    rmSync(join(directory, 'latest'));
    symlinkSync(target, join(directory, 'latest'));
  }
});

describe('removing', () => {
  it('S4: takes the run and nothing that its symlinks lead to', () => {
    const directory = processes.folder();
    const outside = processes.folder();
    writeFileSync(join(outside, 'precious.txt'), 'kept');
    const store = fileStore({ directory });
    const run = store.create(id, {}, holder);
    symlinkSync(outside, join(run.location, 'logs/away'));
    symlinkSync(outside, join(run.location, 'artifacts/away'));
    run.close();
    store.remove(id);
    expect(readFileSync(join(outside, 'precious.txt'), 'utf8')).toBe('kept');
    expect(readdirSync(directory)).toEqual(['.gitignore']);
  });

  it('takes a run whose journal does not verify', () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    const { location } = store.create(id, {}, holder);
    store.create('other', {}, holder).close();
    writeFileSync(join(location, 'journal.jsonl'), 'garbage\n');
    expect(faultOf(() => store.remove(id)).code).toBe('run-locked');
    writeFileSync(join(location, 'lease/1'), '');
    store.remove(id);
    expect(store.list()).toEqual(['other']);
  });
});

describe('documents', () => {
  it.each(['journal.jsonl', 'lease', 'logs', 'inbox', 'artifacts', '../x', 'a/b', '', '.hidden', 'a\0'])(
    'cannot be called %j',
    (name) => {
      const store = fileStore({ directory: processes.folder() });
      expect(faultOf(() => store.create('r', { [name]: '' }, holder)).code).toBe('store-misuse');
      expect(store.list()).toEqual([]);
      const run = store.create('r', {}, holder);
      for (const action of [
        () => run.document(name),
        () => run.replaceDocument(name, ''),
        () => run.removeDocument(name),
      ]) {
        expect(faultOf(action).code).toBe('store-misuse');
      }
    },
  );

  it('S4: a symlink in the place of one is replaced, not written or read through', () => {
    const outside = join(processes.folder(), 'outside.txt');
    writeFileSync(outside, 'theirs');
    const store = fileStore({ directory: processes.folder() });
    const run = store.create('r', {}, holder);
    symlinkSync(outside, join(run.location, 'state.json'));
    expect(run.document('state.json')).toBeUndefined();
    run.replaceDocument('state.json', 'ours');
    expect(run.document('state.json')).toBe('ours');
    symlinkSync(outside, join(run.location, '.state.json.tmp'));
    run.replaceDocument('state.json', 'again');
    expect(run.document('state.json')).toBe('again');
    expect(readFileSync(outside, 'utf8')).toBe('theirs');
  });

  it('are never seen half written by a reader in another process', async () => {
    const directory = processes.folder();
    const store = fileStore({ directory });
    const run = store.create('r', { 'state.json': JSON.stringify({ text: '' }) }, holder);
    const child = processes.start(
      directory,
      `
      const run = store.read('r');
      say('ready');
      let seen = 0;
      for (;;) { const { text, last } = JSON.parse(run.document('state.json')); seen += 1; if (last) break; }
      say(seen);`,
    );
    await child.next();
    for (let n = 0; n < 300; n += 1)
      run.replaceDocument('state.json', JSON.stringify({ text: 'x'.repeat((n * 997) % 90_000) }));
    run.replaceDocument('state.json', JSON.stringify({ last: true }));
    expect((await child.done())[1]).toBeGreaterThan(0);
  });
});
