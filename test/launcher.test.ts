// The executable and its cache of compiled code (scripts/launcher.cjs).

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot, type Scratch, scratch } from './scratch.ts';

describe('the cache of compiled code', () => {
  let project: Scratch;
  let folder: string;
  beforeEach(() => {
    project = scratch();
    project.env.XDG_CACHE_HOME = join(project.root, 'cache');
    folder = join(project.root, 'cache/lockstep');
    project.write('w.yaml', 'lockstep: 1\nname: w\nsteps:\n  - { id: a, run: [echo, hi] }\n');
  });
  afterEach(() => project.remove());

  const caches = (): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
  const validates = () =>
    expect(project.spawned('validate', 'w.yaml')).toMatchObject({ exitCode: 0, stderr: '' });
  const only = (): string => join(folder, caches()[0] ?? 'none');

  it('is made for `validate`, for `run` and for the rest, for this user alone, and used from then on', () => {
    validates();
    expect(project.spawned('run', 'w.yaml').exitCode).toBe(0);
    expect(project.spawned('runs').exitCode).toBe(0);
    const kinds = ['other', 'run', 'validate'];
    expect(caches()).toEqual(kinds.map((kind) => expect.stringMatching(new RegExp(`-${kind}$`))));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const times = () => caches().map((name) => statSync(join(folder, name)).mtimeMs);
    const made = times();
    validates();
    project.spawned('runs');
    expect(times()).toEqual(made);
  });

  it('K2: is found out where a byte is changed, a part is missing or it is empty, and made again', () => {
    validates();
    const good = readFileSync(only());
    const changed = Buffer.from(good);
    changed[good.length >> 1] = (changed[good.length >> 1] ?? 0) ^ 1;
    for (const bad of [changed, good.subarray(0, good.length >> 1), Buffer.alloc(0)]) {
      writeFileSync(only(), bad);
      validates();
      expect(readFileSync(only()).length).toBeGreaterThan(good.length / 2);
      expect(readFileSync(only()).equals(bad)).toBe(false);
    }
  });

  it('K3: is neither read nor written where others may write, or behind a symlink', () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    validates();
    expect(caches()).toEqual([]);
    chmodSync(folder, 0o700);
    validates();
    chmodSync(only(), 0o666);
    const before = statSync(only()).mtimeMs;
    validates();
    expect(statSync(only()).mode & 0o777).toBe(0o600);
    expect(statSync(only()).mtimeMs).toBeGreaterThan(before);
    project.env.XDG_CACHE_HOME = join(project.root, 'elsewhere');
    mkdirSync(join(project.root, 'elsewhere'));
    symlinkSync(folder, join(project.root, 'elsewhere/lockstep'));
    const count = caches().length;
    expect(project.spawned('run', 'w.yaml').exitCode).toBe(0);
    expect(caches().length).toBe(count);
  });

  it('gets what another command needs beside what it has', () => {
    project.spawned('runs');
    const size = statSync(only()).size;
    project.spawned('list');
    expect(statSync(only()).size).toBeGreaterThan(size);
    const made = statSync(only()).mtimeMs;
    project.spawned('runs');
    project.spawned('list');
    expect(statSync(only()).mtimeMs).toBe(made);
  });

  it('K1: cannot fail a command where no folder can be made', () => {
    project.write('file', '');
    project.env.XDG_CACHE_HOME = join(project.root, 'file');
    validates();
  });

  it('clears away what is a month old', () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    writeFileSync(join(folder, 'app-old.cjs'), '');
    utimesSync(join(folder, 'app-old.cjs'), 1, 1);
    writeFileSync(join(folder, 'app-new.cjs'), '');
    validates();
    expect(caches()).toEqual(['app-new.cjs', expect.stringMatching(/-validate$/)].sort());
  });
});

describe('the parts of the program', () => {
  it('B7: a command that has begun never meets those of another build', async () => {
    const project = scratch();
    try {
      const own = join(project.root, 'own');
      cpSync(join(projectRoot, 'dist'), join(own, 'dist'), { recursive: true });
      cpSync(join(projectRoot, 'builtin'), join(own, 'builtin'), { recursive: true });
      cpSync(join(projectRoot, 'package.json'), join(own, 'package.json'));
      const steps = `steps:\n  - { id: a, run: "rm ${own}/dist/app-*.cjs; echo gone" }\n  - { id: b, run: [echo, hi] }\n`;
      project.write('w.yaml', `lockstep: 1\nname: w\n${steps}`);
      // The report and the summary are made of parts that nothing asked for before the first step.
      const run = execFileSync(process.execPath, [join(own, 'dist/lockstep.js'), 'run', 'w.yaml'], {
        ...{ cwd: project.root, encoding: 'utf8' as const, stdio: 'pipe' as const },
        env: { ...process.env, ...project.env },
      });
      expect(run).toContain('completed');
      expect(existsSync(join(own, 'dist/lockstep.js'))).toBe(true);
      expect(readdirSync(join(own, 'dist')).filter((name) => name.startsWith('app-'))).toEqual([]);
    } finally {
      project.remove();
    }
  });
});
