import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../model/fault.ts';
import type { Reservation } from '../../ports/worktrees.ts';
import { projectRoot } from '../project-root.ts';
import { workspaces } from '../workspaces.ts';
import { gitWorktrees } from './git-worktrees.ts';

// A path with a space, throughout.
const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep work trees-')));
const worktrees = gitWorktrees();
const environment = {
  PATH: process.env.PATH ?? '',
  HOME: base,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Anna',
  GIT_AUTHOR_EMAIL: 'anna@example.org',
  GIT_COMMITTER_NAME: 'Anna',
  GIT_COMMITTER_EMAIL: 'anna@example.org',
};
function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env: environment, encoding: 'utf8', stdio: 'pipe' }).trim();
}
function put(folder: string, path: string, content = path): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
function commit(folder: string, message = 'work'): string {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  return git(folder, 'rev-parse', 'HEAD');
}

let template: string;
beforeAll(() => {
  template = join(base, 'template');
  mkdirSync(template);
  git(template, 'init', '-q', '-b', 'main');
  put(template, 'file', 'one');
  put(template, '.gitignore', 'ignored\n');
  commit(template, 'one');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
let project: string;
beforeEach(() => {
  count += 1;
  project = join(base, `project ${count}`);
  execFileSync('cp', ['-r', template, project]);
});

const wanted = { name: 'spec', branches: 'lockstep/spec', keepFolder: true };
async function reserved(folder = project, more: Partial<typeof wanted> = {}) {
  const reservation = await worktrees.reserve(folder, { ...wanted, ...more });
  if (reservation.kind !== 'reserved') throw new Error(reservation.why);
  return reservation;
}
const branch = 'lockstep/spec/r1';
async function made(wasThere = false) {
  const { path, base: from } = await reserved();
  return await worktrees.ensure({
    project,
    from: project,
    worktree: { path, branch, base: from },
    wasThere,
  });
}
async function faultOf(action: () => unknown): Promise<Fault> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a place for a worktree', () => {
  it('LS-WT-PLACE: is below .worktrees/, starts from what is checked out, and shows nowhere', async () => {
    const { path, base: from, inside, warnings } = await reserved();
    expect(path).toBe(join(project, '.worktrees/spec'));
    expect([from, inside, warnings]).toEqual([git(project, 'rev-parse', 'HEAD'), '', []]);
    put(path, 'something');
    expect(git(project, 'status', '--porcelain')).toBe('');
    const workspace = workspaces().open(project);
    expect(await workspace.changed('**')).toEqual([]);
    expect(workspace.glob('**/*')).toEqual(['file']);
    expect(workspace.glob('**/.*/**')).toEqual([]);
  });

  it('LS-WT-PLACE: started inside a worktree of the project, it starts from what is checked out there and says so', async () => {
    const first = (await made()).worktree;
    put(first.path, 'deep/work', 'done');
    const tip = commit(first.path);
    const reserveFrom = async (standing: string, keepFolder = true) => {
      const reservation = await gitWorktrees({ standing }).reserve(project, { ...wanted, keepFolder });
      if (reservation.kind !== 'reserved') throw new Error(reservation.why);
      return [reservation.base, reservation.warnings];
    };
    const told = expect.stringContaining(`starts from branch ${branch} of the worktree ${first.path}`);
    expect(await reserveFrom(join(first.path, 'deep'))).toEqual([tip, [told]]);
    put(first.path, 'left');
    expect(await reserveFrom(first.path)).toEqual([
      tip,
      [told, expect.stringMatching(/not in the worktree.*: left$/)],
    ]);
    const head = git(project, 'rev-parse', 'HEAD');
    expect(head).not.toBe(tip);
    // Nowhere else: in the project, in the folder of worktrees, for passes of a run that works in the project.
    for (const place of [project, join(project, '.worktrees'), base])
      expect(await reserveFrom(place)).toEqual([head, []]);
    expect(await reserveFrom(first.path, false)).toEqual([head, []]);
  });

  it('WT2: one that is taken has a number, also where git remembers it or passes have its name', async () => {
    const places = [await reserved(), await reserved(), await reserved()];
    expect(places.map(({ path }) => path.split('/').at(-1))).toEqual(['spec', 'spec-2', 'spec-3']);
    places[1]?.release();
    expect((await reserved()).path).toBe(join(project, '.worktrees/spec-2'));
    const { path, base: from } = await reserved();
    await worktrees.ensure({
      project,
      from: project,
      worktree: { path, branch, base: from },
      wasThere: false,
    });
    rmSync(path, { recursive: true });
    expect((await reserved()).path).toBe(join(project, '.worktrees/spec-5'));
    mkdirSync(join(project, '.worktrees/other-execute-0'));
    expect((await reserved(project, { name: 'other' })).path).toBe(join(project, '.worktrees/other-2'));
  });

  it.each<[string, () => string, RegExp]>([
    ['no repository', () => join(base, 'none'), /is not in a git repository/],
    ['no commit yet', () => join(base, 'unborn'), /has no commit yet/],
  ])('LS-WT-NONE: %s: works in place, and says why', async (_, folder, why) => {
    mkdirSync(folder());
    if (folder().endsWith('unborn')) git(folder(), 'init', '-q');
    const reservation: Reservation = await worktrees.reserve(folder(), wanted);
    expect(reservation).toEqual({ kind: 'in-place', why: expect.stringMatching(why) });
    expect(existsSync(join(folder(), '.worktrees'))).toBe(false);
  });

  it('LS-WT-NONE: no git: works in place, and says why', async () => {
    const path = process.env.PATH;
    process.env.PATH = base;
    try {
      expect(await worktrees.reserve(project, wanted)).toMatchObject({
        why: expect.stringContaining('git is not installed'),
      });
    } finally {
      process.env.PATH = path;
    }
  });

  it('LS-WT-DIRTY: what is not committed is named, five at most; what is ignored or ours is not', async () => {
    put(project, 'file', 'two');
    for (const name of ['a', 'b', 'größe', 'with space', 'z']) put(project, name);
    put(project, 'ignored');
    put(project, '.lockstep/workflows/w.yaml');
    const { warnings } = await reserved();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('not committed');
    expect(warnings[0]).toMatch(/: file, a, b, größe, with space and 1 more$/);
  });

  it('LS-WT-DETACHED: HEAD may be detached: the branch starts from that commit', async () => {
    const first = git(project, 'rev-parse', 'HEAD');
    commit(project, 'two');
    git(project, 'checkout', '-q', '--detach', first);
    const { worktree } = await made();
    expect(worktree.base).toBe(first);
    expect(git(worktree.path, 'log', '--format=%s')).toBe('one');
    expect(git(worktree.path, 'branch', '--show-current')).toBe(branch);
  });

  it.each([
    ['itself', (bare: string) => bare],
    [
      'a folder whose .git points at it',
      (bare: string) => {
        const around = `${bare} around`;
        mkdirSync(around);
        writeFileSync(join(around, '.git'), `gitdir: ${bare}\n`);
        return around;
      },
    ],
  ])('LS-WT-BARE: a bare repository has worktrees too, from %s', async (_, folderOf) => {
    const bare = join(base, `bare ${count}.git`);
    git(base, 'clone', '-q', '--bare', project, bare);
    const folder = folderOf(bare);
    const { path, base: from, project: top } = await reserved(folder);
    expect([top, path]).toEqual([folder, join(folder, '.worktrees/spec')]);
    const { how } = await worktrees.ensure({
      project: top,
      from: folder,
      worktree: { path, branch, base: from },
      wasThere: false,
    });
    expect(how).toBe('made');
    expect(readFileSync(join(path, 'file'), 'utf8')).toBe('one');
    expect(projectRoot(path)).toBe(folder);
    expect((await worktrees.list(top)).map((each) => each.branch)).toEqual([branch]);
  });

  it('a folder below the top works in the same folder of the worktree', async () => {
    put(project, 'packages/app/file');
    commit(project);
    const { path, inside, project: top } = await reserved(join(project, 'packages/app'));
    expect([top, path, inside]).toEqual([project, join(project, '.worktrees/spec'), 'packages/app']);
  });

  it.each(['lockstep', 'lockstep/spec'])(
    'LS-WT-BRANCH-TAKEN: a branch %s leaves no room, and nothing is made',
    async (taken) => {
      git(project, 'branch', taken);
      const fault = await faultOf(() => reserved());
      expect(fault.code).toBe('worktree-refused');
      expect(fault.message).toContain(`"${taken}"`);
      expect(existsSync(join(project, '.worktrees'))).toBe(false);
      expect((await reserved(project, { branches: 'runs/spec' })).path).toBe(
        join(project, '.worktrees/spec'),
      );
    },
  );

  it('S4: a .worktrees that leads elsewhere is refused', async () => {
    mkdirSync(join(base, `elsewhere ${count}`));
    symlinkSync(join(base, `elsewhere ${count}`), join(project, '.worktrees'));
    expect((await faultOf(() => reserved())).code).toBe('worktree-refused');
    expect(readdirSync(join(base, `elsewhere ${count}`))).toEqual([]);
  });

  it('a .worktrees that is a file is refused, and stays', async () => {
    put(project, '.worktrees', 'mine');
    const fault = await faultOf(() => reserved());
    expect([fault.code, fault.exitCode]).toEqual(['worktree-refused', 2]);
    expect(fault.message).toContain('is no folder');
    expect(readFileSync(join(project, '.worktrees'), 'utf8')).toBe('mine');
  });
});

describe('being there', () => {
  it('is on its branch, from its base, and no hook was run', async () => {
    put(project, '.git/hooks/post-checkout', '#!/bin/sh\ntouch "$OLDPWD/hooked" hooked\n');
    chmodSync(join(project, '.git/hooks/post-checkout'), 0o755);
    const { worktree, how, warnings } = await made();
    expect([how, warnings, worktree.branch]).toEqual(['made', [], branch]);
    expect(git(worktree.path, 'branch', '--show-current')).toBe(branch);
    expect(git(worktree.path, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(worktree.path, 'hooked'))).toBe(false);
    expect(git(project, 'branch', '--show-current')).toBe('main');
  });

  it('without a base it starts from what is checked out where it is asked for', async () => {
    const outer = (await made()).worktree;
    put(outer.path, 'outer');
    const tip = commit(outer.path);
    const place = { path: `${outer.path}-all-0`, branch: `${branch}-all-0` };
    const { worktree } = await worktrees.ensure({
      project,
      from: outer.path,
      worktree: place,
      wasThere: false,
    });
    expect(worktree.base).toBe(tip);
    expect(existsSync(join(place.path, 'outer'))).toBe(true);
  });

  it('WT3: asked again it is found, with all that was done in it', async () => {
    const { worktree } = await made();
    put(worktree.path, 'untracked');
    commit(worktree.path, 'two');
    put(worktree.path, 'dirty');
    for (const wasThere of [true, false]) {
      const again = await worktrees.ensure({ project, from: project, worktree, wasThere });
      expect(again).toEqual({ worktree, how: 'found', warnings: [] });
    }
    expect(readdirSync(worktree.path).sort()).toEqual(['.git', '.gitignore', 'dirty', 'file', 'untracked']);
  });

  it.each<[string, (path: string) => void]>([
    ['before git began', () => {}],
    ['when only the branch was there', () => git(project, 'branch', branch)],
    [
      'while files were checked out',
      (path) => {
        git(project, 'worktree', 'add', '-q', '--no-checkout', '-b', branch, path);
        git(project, 'worktree', 'lock', '--reason', 'initializing', path);
        put(path, 'file', 'half');
      },
    ],
    [
      'while the folder was not there yet',
      (path) => {
        git(project, 'worktree', 'add', '-q', '-b', branch, path);
        git(project, 'worktree', 'lock', '--reason', 'initializing', path);
        rmSync(path, { recursive: true });
      },
    ],
  ])('WT3: killed %s, it is made', async (_, leave) => {
    const { path, base: from } = await reserved();
    leave(path);
    const worktree = { path, branch, base: from };
    const { how } = await worktrees.ensure({ project, from: project, worktree, wasThere: false });
    expect(how).toBe('made');
    expect(readFileSync(join(path, 'file'), 'utf8')).toBe('one');
    expect(git(path, 'status', '--porcelain')).toBe('');
    expect(git(project, 'worktree', 'list', '--porcelain')).not.toContain('locked');
  });

  it('LS-WT-PUT-BACK: one that somebody removed comes back with its commits', async () => {
    const { worktree } = await made();
    put(worktree.path, 'work');
    commit(worktree.path, 'two');
    for (const remove of [
      () => rmSync(worktree.path, { recursive: true }),
      () => git(project, 'worktree', 'remove', worktree.path),
    ]) {
      remove();
      const again = await worktrees.ensure({ project, from: project, worktree, wasThere: true });
      expect(again.how).toBe('put-back');
      expect(existsSync(join(worktree.path, 'work'))).toBe(true);
    }
  });

  it('LS-WT-LOST: without its branch it cannot be put back', async () => {
    const { worktree } = await made();
    git(project, 'worktree', 'remove', worktree.path);
    git(project, 'branch', '-q', '-D', branch);
    const again = worktrees.ensure({ project, from: project, worktree, wasThere: true });
    await expect(again).rejects.toMatchObject({
      code: 'worktree-lost',
      message: expect.stringContaining(branch),
    });
  });

  it('what lies in its place, or has its branch, is left alone', async () => {
    const { path, base: from } = await reserved();
    const worktree = { path, branch, base: from };
    const ensure = () => worktrees.ensure({ project, from: project, worktree, wasThere: false });
    put(path, 'mine');
    await expect(ensure()).rejects.toMatchObject({
      code: 'worktree-failed',
      message: expect.stringContaining(path),
    });
    expect(existsSync(join(path, 'mine'))).toBe(true);
    rmSync(path, { recursive: true });
    git(project, 'worktree', 'add', '-q', '-b', 'other', path);
    await expect(ensure()).rejects.toMatchObject({
      code: 'worktree-failed',
      message: expect.stringContaining('other'),
    });
    git(project, 'worktree', 'remove', path);
    git(project, 'checkout', '-q', '-b', branch);
    await expect(ensure()).rejects.toMatchObject({
      code: 'worktree-failed',
      message: expect.stringContaining('checked out in'),
    });
  });

  it('many at once are made one after the other', async () => {
    const all = Array.from({ length: 6 }, (_, index) => ({
      path: join(project, `.worktrees/spec-all-${index}`),
      branch: `${branch}-all-${index}`,
    }));
    const prepared = await Promise.all(
      all.map((worktree) => worktrees.ensure({ project, from: project, worktree, wasThere: false })),
    );
    expect(prepared.map(({ how }) => how)).toEqual(Array(6).fill('made'));
  });
});

describe('submodules', () => {
  function withSubmodule(): string {
    const library = join(base, `library ${count}`);
    execFileSync('cp', ['-r', template, library]);
    git(project, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub module');
    commit(project, 'with a submodule');
    return library;
  }

  it('LS-WT-SUBMODULES: those that are checked out are there as well, without what they came from', async () => {
    const library = withSubmodule();
    renameSync(library, `${library} gone`);
    const { worktree, warnings } = await made();
    expect(warnings).toEqual([]);
    const module = join(worktree.path, 'sub module');
    expect(readFileSync(join(module, 'file'), 'utf8')).toBe('one');
    expect(git(module, 'config', 'remote.origin.url')).toBe(library);
    expect(git(worktree.path, 'status', '--porcelain')).toBe('');
    expect(git(project, 'status', '--porcelain')).toBe('');
  });

  it('LS-WT-SUBMODULES: one that is not checked out is left so; one that cannot be had is named', async () => {
    withSubmodule();
    const module = join(project, 'sub module');
    put(module, 'file', 'two');
    const tip = commit(module, 'two');
    commit(project, 'a newer one');
    git(module, 'reset', '-q', '--hard', 'HEAD~1');
    git(module, 'reflog', 'expire', '--expire=now', '--all');
    git(module, 'prune', '--expire=now');
    expect(() => git(module, 'cat-file', '-e', tip)).toThrow();
    const first = await made();
    expect(first.warnings).toEqual([expect.stringContaining('sub module')]);
    git(project, 'submodule', '--quiet', 'deinit', '-f', 'sub module');
    const { path, base: from } = await reserved();
    const worktree = { path, branch: `${branch}-2`, base: from };
    const second = await worktrees.ensure({ project, from: project, worktree, wasThere: false });
    expect(second.warnings).toEqual([]);
    expect(readdirSync(join(path, 'sub module'))).toEqual([]);
  });
});

describe('looking after them', () => {
  it('LS-WT-LIST: lists those below .worktrees/: branch, changes, and commits that nothing else has', async () => {
    const { worktree } = await made();
    git(project, 'worktree', 'add', '-q', '-b', 'mine', join(base, `mine ${count}`));
    const plain = { path: worktree.path, branch, isGone: false, dirty: [], ahead: 0 };
    expect(await worktrees.list(project)).toEqual([plain]);
    put(worktree.path, 'größe');
    commit(worktree.path);
    put(worktree.path, 'dirty');
    expect(await worktrees.list(project)).toEqual([{ ...plain, dirty: ['dirty'], ahead: 1 }]);
    rmSync(worktree.path, { recursive: true });
    expect(await worktrees.list(project)).toEqual([{ ...plain, isGone: true, ahead: 1 }]);
    git(project, 'merge', '-q', branch);
    expect((await worktrees.list(project))[0]?.ahead).toBe(0);
  });

  it('LS-WT-REMOVE: not with changes that are not committed; its branch stays', async () => {
    const { worktree } = await made();
    const remove = (force: boolean, withBranch = false) =>
      worktrees.remove(project, [worktree.path], { force, branch: withBranch });
    put(worktree.path, 'dirty');
    expect(await faultOf(() => remove(false))).toMatchObject({
      code: 'worktree-unsaved',
      message: expect.stringContaining('dirty'),
    });
    expect(existsSync(join(worktree.path, 'dirty'))).toBe(true);
    commit(worktree.path);
    await remove(false);
    expect(existsSync(worktree.path)).toBe(false);
    expect(git(project, 'log', '-1', '--format=%s', branch)).toBe('work');
    expect(await worktrees.list(project)).toEqual([]);
  });

  it('LS-WT-REMOVE: with its branch not while that has commits of its own; forced it goes', async () => {
    const { worktree } = await made();
    put(worktree.path, 'work');
    commit(worktree.path);
    const remove = (force: boolean) => worktrees.remove(project, [worktree.path], { force, branch: true });
    expect((await faultOf(() => remove(false))).message).toContain('1 commit');
    git(project, 'tag', 'kept', branch);
    await remove(false);
    expect(git(project, 'branch', '--list', branch)).toBe('');
    const next = await worktrees.ensure({
      project,
      from: project,
      worktree: { ...worktree, branch: `${branch}-2` },
      wasThere: false,
    });
    put(next.worktree.path, 'dirty');
    git(project, 'worktree', 'lock', '--reason', 'on a stick', worktree.path);
    expect((await faultOf(() => remove(false))).message).toMatch(/on a stick.*dirty/);
    await remove(true);
    expect(git(project, 'branch', '--list', 'lockstep/*')).toBe('');
  });

  it('LS-WT-REMOVE: of several all or none; one that is gone is forgotten; what is none is named', async () => {
    const first = (await made()).worktree;
    const { path, base: from } = await reserved();
    const second = { path, branch: `${branch}-2`, base: from };
    await worktrees.ensure({ project, from: project, worktree: second, wasThere: false });
    put(second.path, 'dirty');
    const both = () => worktrees.remove(project, [first.path, second.path], { force: false, branch: false });
    expect((await faultOf(both)).code).toBe('worktree-unsaved');
    expect(existsSync(first.path)).toBe(true);
    rmSync(second.path, { recursive: true });
    await both();
    expect(await worktrees.list(project)).toEqual([]);
    expect((await faultOf(both)).code).toBe('worktree-unknown');
  });
});

describe('the project of a worktree', () => {
  it('LS-WT-PROJECT: standing in one of ours, or below it, it is the checkout it was made for', async () => {
    const { worktree } = await made();
    put(worktree.path, 'below/file');
    expect(projectRoot(join(worktree.path, 'below'))).toBe(project);
    const mine = join(base, `mine ${count}`);
    git(project, 'worktree', 'add', '-q', '-b', 'mine', mine);
    expect(projectRoot(mine)).toBe(mine);
    // Somebody else's repository that only happens to lie there.
    const stranger = join(project, '.worktrees/stranger');
    execFileSync('cp', ['-r', template, stranger]);
    expect(projectRoot(stranger)).toBe(stranger);
  });
});
