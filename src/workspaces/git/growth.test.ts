// What looks cost in a work tree of many files: which files are read, how often git is started, who has a turn meanwhile.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChangeWatch } from '../../runtime/perform/change-watch.ts';
import { createContents, readHash } from './content-hash.ts';
import { gitWorkspaces } from './git-workspaces.ts';
import { gitWorktrees } from './git-worktrees.ts';
import { sharedLook } from './shared-look.ts';
import { differences, findPlace, takeSnapshot } from './snapshot.ts';
import { printOf, takeLook } from './whole-look.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-growth-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root });
const put = (path: string, content = path) => writeFileSync(join(root, path), content);

beforeEach(() => {
  count += 1;
  root = join(base, `${count}`);
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  put('tracked');
  git('add', '-A');
  git('commit', '-qm', 'first');
});

const HOUR = 3_600_000;

/** Files of the work tree that were read, by name. `laterMs`: as if all of them had been written so long ago. */
function counting(laterMs: number) {
  const read: string[] = [];
  const contents = createContents(
    async (file, stats, algorithm) => {
      const path = file.toString();
      if (!path.includes('/.git/')) read.push(path.slice(root.length + 1));
      return await readHash(file, stats, algorithm);
    },
    () => Date.now() + laterMs,
  );
  return { contents, take: () => read.splice(0).sort() };
}

/** The same size and the same times as before, as far as a program can set them. */
function changeUnseen(path: string, content: string): void {
  const { atime, mtime, size } = statSync(join(root, path));
  put(path, content);
  utimesSync(join(root, path), atime, mtime);
  expect(statSync(join(root, path)).size).toBe(size);
}

describe('files are read again only when they may have changed', () => {
  it('LS-GROW-READ: a second look reads no file; one that changed under its old time is read and told', async () => {
    for (const name of ['a', 'b', 'c']) put(name, 'one');
    const place = await findPlace(root);
    const { contents, take } = counting(HOUR);
    const first = await takeSnapshot(place, contents);
    expect(take()).toEqual(['a', 'b', 'c']);
    expect(await differences(place, first, await takeSnapshot(place, contents))).toEqual([]);
    expect(take()).toEqual([]);
    changeUnseen('b', 'two');
    expect(await differences(place, first, await takeSnapshot(place, contents))).toEqual(['b']);
    expect(take()).toEqual(['b']);
  });

  it('LS-GROW-READ: a file that was written just now is read each time', async () => {
    put('a', 'one');
    const place = await findPlace(root);
    const { contents, take } = counting(0);
    for (let look = 0; look < 2; look += 1) {
      await takeSnapshot(place, contents);
      expect(take()).toEqual(['a']);
    }
  });

  it('LS-GROW-APPROVAL: the look of an approval reads each file once in a process, and sees what git is told to overlook', async () => {
    put('new');
    git('update-index', '--assume-unchanged', 'tracked');
    const place = await findPlace(root);
    const { contents, take } = counting(HOUR);
    const first = printOf(await takeLook(place, contents));
    expect(take()).toEqual(['new', 'tracked']);
    expect(printOf(await takeLook(place, contents))).toBe(first);
    expect(take()).toEqual([]);
    changeUnseen('tracked', 'TRACKED');
    expect(printOf(await takeLook(place, contents))).not.toBe(first);
    expect(take()).toEqual(['tracked']);
  });

  it('LS-GROW-APPROVAL: the look of an approval believes the times of a file only after a minute without a change', async () => {
    put('a', 'one');
    const place = await findPlace(root);
    for (const [minutes, again] of [
      [0.5, ['a', 'tracked']],
      [2, []],
    ] as const) {
      const { contents, take } = counting(minutes * 60_000);
      await takeLook(place, contents);
      expect(take()).toEqual(['a', 'tracked']);
      await takeLook(place, contents);
      expect(take()).toEqual(again);
    }
  });

  it('LS-GROW-READ: a file of many pieces has the name that git gives it', async () => {
    put('large', 'x'.repeat(3_000_000));
    const held = (await takeSnapshot(await findPlace(root))).files.get('large')?.folder;
    expect(held).toBe(`100644:${git('hash-object', 'large').toString().trim()}`);
  });
});

describe('others have their turn while many files are looked at', () => {
  it.each(['snapshot', 'approval'] as const)(
    'LS-GROW-TURNS: no more than 256 files are read in one turn of the event loop: %s',
    async (kind) => {
      for (let number = 0; number < 1500; number += 1) put(`f${number}`, 'x');
      let turn = 0;
      let isOver = false;
      const tick = () => {
        turn += 1;
        if (!isOver) setImmediate(tick);
      };
      tick();
      const inTurn = new Map<number, number>();
      const contents = createContents(async (file, stats, algorithm) => {
        inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1);
        return await readHash(file, stats, algorithm);
      });
      const place = await findPlace(root);
      await (kind === 'snapshot' ? takeSnapshot(place, contents) : takeLook(place, contents));
      isOver = true;
      const reads = [...inTurn.values()];
      expect(reads.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(1500);
      // The few files of .git come on top of the last ones.
      expect(Math.max(...reads)).toBeLessThanOrEqual(256 + 32);
    },
  );
});

describe('one look for many', () => {
  it('LS-GROW-SHARED: who asks together shares a look; who asks during one gets one that begins afterwards', async () => {
    const ends: (() => void)[] = [];
    let begun = 0;
    const look = sharedLook(async () => {
      begun += 1;
      const number = begun;
      await new Promise<void>((resolve) => ends.push(resolve));
      return number;
    });
    const together = [look(), look()];
    await new Promise(setImmediate);
    expect(begun).toBe(1);
    const during = [look(), look(), look()];
    await new Promise(setImmediate);
    expect(begun).toBe(1);
    ends[0]?.();
    expect(await Promise.all(together)).toEqual([1, 1]);
    await new Promise(setImmediate);
    ends[1]?.();
    expect(await Promise.all(during)).toEqual([2, 2, 2]);
    expect(begun).toBe(2);
  });

  it('LS-GROW-SHARED: a look that fails does not keep the next one from being taken', async () => {
    let begun = 0;
    const look = sharedLook(async () => {
      begun += 1;
      if (begun === 1) throw new Error('gone');
      return begun;
    });
    await expect(look()).rejects.toThrow('gone');
    expect(await look()).toBe(2);
  });
});

describe('how often git is started', () => {
  const path = process.env.PATH ?? '';
  let log: string;
  beforeEach(() => {
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const bin = join(base, `bin-${count}`);
    log = join(bin, 'log');
    mkdirSync(bin);
    writeFileSync(log, '');
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`);
    chmodSync(join(bin, 'git'), 0o755);
    process.env.PATH = `${bin}:${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
  });
  /** How often each of git's commands was started since this was asked last. */
  const starts = () => {
    const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
    writeFileSync(log, '');
    const names = lines.map((line) => line.replace(/^(?:-c \S+ )+/, '').split(' ')[0]);
    return Object.fromEntries(
      ['status', 'ls-files', 'rev-list'].map((name) => [name, names.filter((each) => each === name).length]),
    );
  };

  it('LS-GROW-SHARED: ten read-only steps that start and end together take two looks, and a change is told to all', async () => {
    const watch = createChangeWatch(gitWorkspaces().open(root));
    const names = Array.from({ length: 10 }, (_, number) => `step${number}`);
    starts();
    const agents = await Promise.all(names.map((name) => watch.agent(name)));
    expect(starts().status).toBe(1);
    put('written');
    const ends = await Promise.all(agents.map((agent) => agent.end()));
    expect(starts().status).toBe(1);
    for (const { files } of ends) expect(files).toEqual(['written']);
  });

  it('LS-GROW-SHARED: what is written by a step that ends during the look of another is told to it', async () => {
    const watch = createChangeWatch(gitWorkspaces().open(root));
    const [first, second] = await Promise.all([watch.agent('first'), watch.agent('second')]);
    const early = first?.end();
    await new Promise(setImmediate);
    put('written');
    expect((await second?.end())?.files).toEqual(['written']);
    expect((await early)?.agents).toEqual(['first', 'second']);
  });

  it('LS-GROW-WORKTREES: the list looks into each worktree once; their names are known without a look', async () => {
    const worktrees = gitWorktrees();
    for (const name of ['one', 'two']) {
      const place = await worktrees.reserve(root, { name, branches: `lockstep/${name}`, keepFolder: true });
      if (place.kind !== 'reserved') throw new Error(place.why);
      const worktree = { path: place.path, branch: `lockstep/${name}/r`, base: place.base };
      await worktrees.ensure({ project: root, from: root, worktree, wasThere: false });
    }
    starts();
    const known = worktrees.known(root);
    expect(starts()).toEqual({ status: 0, 'ls-files': 0, 'rev-list': 0 });
    const found = await worktrees.list(root);
    expect(starts()).toEqual({ status: 2, 'ls-files': 2, 'rev-list': 2 });
    expect(found.map(({ path: place }) => place)).toEqual(known.map(({ path: place }) => place));
    expect(found).toHaveLength(2);
  });
});
