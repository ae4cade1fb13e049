import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeptTree } from '../../model/entry.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { plainWorkspaces } from '../plain/plain-workspaces.ts';
import { gitWorkspaces } from './git-workspaces.ts';

let base: string;
let root: string;
let folder: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
const put = (path: string, text: string | Buffer, at = root) => {
  mkdirSync(dirname(join(at, path)), { recursive: true });
  writeFileSync(join(at, path), text);
};
const open = (at = root): Workspace => gitWorkspaces().open(at);
const keep = async (workspace = open()) => (await workspace.keep(folder)) as KeptTree;
const since = async (from: KeptTree, workspace = open()) => {
  const { files, patch } = await workspace.compare(folder, from, await keep(workspace));
  return { files, patch: patch && Buffer.from(patch).toString() };
};

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-kept-')));
  root = join(base, 'project');
  folder = join(base, 'runs/r1/trees');
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  put('a.txt', 'one\ntwo\n');
  put('b.txt', 'b\n');
  put('sub/c.txt', 'c\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('a kept tree', () => {
  it('SEC-APPROVE-DIFF: tells what changed since, line by line, also in files that had changes before', async () => {
    put('a.txt', 'one\ntwo\nmine, from before\n');
    put('untracked.txt', 'from before\n');
    const start = await keep();
    appendFileSync(join(root, 'a.txt'), 'added\n');
    appendFileSync(join(root, 'untracked.txt'), 'more\n');
    put('new/file with\ttab.txt', 'new\n');
    rmSync(join(root, 'b.txt'));
    chmodSync(join(root, 'sub/c.txt'), 0o755);
    symlinkSync('a.txt', join(root, 'link'));
    const { files, patch } = await since(start);
    expect(files).toEqual([
      { path: 'a.txt', added: 1, removed: 0 },
      { path: 'b.txt', added: 0, removed: 1 },
      { path: 'link', added: 1, removed: 0 },
      { path: 'new/file with\ttab.txt', added: 1, removed: 0 },
      { path: 'sub/c.txt', added: 0, removed: 0 },
      { path: 'untracked.txt', added: 1, removed: 0 },
    ]);
    expect(patch).toContain('+added\n');
    expect(patch).not.toContain('+mine');
    expect(patch).toContain('new mode 100755');
  });

  it('is the same digest for the same tree, and another one for any change: of content, of HEAD, of what git runs', async () => {
    put('.git/info/exclude', 'hidden\n');
    const first = await keep();
    expect(await keep()).toEqual(first);
    const digests = new Set([first.digest]);
    const differs = async (change: () => void) => {
      change();
      const { digest } = await keep();
      expect(digests.has(digest)).toBe(false);
      digests.add(digest);
    };
    await differs(() => put('a.txt', 'other\n'));
    await differs(() => git('commit', '-qam', 'second'));
    await differs(() => put('.gitattributes', '* -diff\n'));
    await differs(() => put('.git/info/exclude', 'hidden\nother\n'));
    await differs(() => git('config', 'core.autocrlf', 'input'));
    await differs(() => put('.git/hooks/pre-commit', '#!/bin/sh\n'));
    // Ignored files and our own are none of it.
    put('.lockstep/runs/r1/x', 'x');
    put('hidden', 'x');
    expect(digests.has((await keep()).digest)).toBe(true);
  });

  it('SEC-APPROVE-HOSTILE: no attribute, setting or replacement of the repository hides a change, and none starts a program', async () => {
    const start = await keep();
    const marker = join(base, 'ran');
    const run = `sh -c 'touch ${marker}; cat'`;
    put('.gitattributes', '* -diff filter=evil diff=evil\n');
    put('.git/info/attributes', '* -diff filter=evil diff=evil\n');
    for (const name of ['diff.evil.textconv', 'diff.evil.command', 'diff.external']) git('config', name, run);
    put('a.txt', 'one\ntwo\nevil\n');
    git('config', 'core.pager', run);
    git(
      '-c',
      'core.pager=cat',
      'replace',
      '-f',
      git('rev-parse', 'HEAD:a.txt').trim(),
      git('hash-object', '-w', '--no-filters', 'a.txt').trim(),
    );
    const { files, patch } = await since(start);
    expect(files).toContainEqual({ path: 'a.txt', added: 1, removed: 0 });
    expect(files.map(({ path }) => path)).toContain('.git/config');
    expect(patch).toContain('+evil\n');
    expect(existsSync(marker)).toBe(false);
  });

  it('writes nothing into the repository', async () => {
    const before = join(base, 'before');
    put('a.txt', 'changed\n');
    git('status');
    cpSync(join(root, '.git'), before, { recursive: true });
    const start = await keep();
    put('b.txt', 'changed\n');
    await since(start);
    expect(git('diff', '--no-index', '--stat', before, join(root, '.git'))).toBe('');
    expect(readdirSync(folder)).toContain('objects');
  });

  it('works in a folder below the top, before the first commit, and where a file became a folder', async () => {
    const below = open(join(root, 'sub'));
    const start = await keep(below);
    put('sub/c.txt', 'C\n');
    put('a.txt', 'not below\n');
    expect((await since(start, below)).files).toEqual([{ path: 'c.txt', added: 1, removed: 1 }]);

    const whole = await keep();
    rmSync(join(root, 'b.txt'));
    put('b.txt/inside', 'x\n');
    expect((await since(whole)).files).toEqual([
      { path: 'b.txt', added: 0, removed: 1 },
      { path: 'b.txt/inside', added: 1, removed: 0 },
    ]);

    root = join(base, 'empty');
    mkdirSync(root);
    git('init', '-q', '-b', 'main');
    put('x', 'x\n');
    const empty = await keep();
    put('y', 'y\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    expect((await since(empty)).files).toContainEqual({ path: 'y', added: 1, removed: 0 });
  });

  it('names what it cannot show: a large file, a repository inside with changes of its own, what git overlooks', async () => {
    put('large.bin', Buffer.alloc(9 * 1024 * 1024, 'x'));
    mkdirSync(join(root, 'inner'));
    execFileSync('git', ['init', '-q'], { cwd: join(root, 'inner') });
    put('inner/x', 'x\n');
    git('update-index', '--assume-unchanged', 'b.txt');
    const start = await keep();
    appendFileSync(join(root, 'large.bin'), 'y');
    put('inner/x', 'y\n');
    put('b.txt', 'overlooked\n');
    const { files } = await since(start);
    expect(files.map(({ path }) => path)).toEqual(['b.txt', 'inner', 'large.bin']);
    expect(files[0]).toEqual({ path: 'b.txt', added: 1, removed: 1 });
  });

  it('in a worktree, tells of that worktree alone', async () => {
    git('worktree', 'add', '-q', '-b', 'side', join(base, 'side'));
    const side = open(join(base, 'side'));
    const start = await keep(side);
    put('a.txt', 'elsewhere\n');
    expect(await keep(side)).toEqual(start);
    put('a.txt', 'here\n', join(base, 'side'));
    expect((await since(start, side)).files).toEqual([{ path: 'a.txt', added: 1, removed: 2 }]);
  });

  it('says so where what was kept was changed or removed since', async () => {
    const start = await keep();
    put('a.txt', 'x\n');
    writeFileSync(join(folder, `${start.digest}.z`), '["",[]]');
    await expect(since(start)).rejects.toThrow(/no longer in/);
    rmSync(join(folder, `${start.digest}.z`));
    await expect(since(start)).rejects.toThrow(/no longer in/);
  });

  it('a commit of what was there before changes no line, and a file that was renamed is two', async () => {
    put('a.txt', 'x\n');
    const start = await keep();
    git('commit', '-qam', 'second');
    renameSync(join(root, 'b.txt'), join(root, 'z.txt'));
    expect((await since(start)).files).toEqual([
      { path: 'a.txt' },
      { path: 'b.txt', added: 0, removed: 1 },
      { path: 'z.txt', added: 1, removed: 0 },
    ]);
  });

  it('outside git there is none', async () => {
    expect(await plainWorkspaces().open(root).keep(folder)).toBeUndefined();
  });
});

/** Replaces a file's content and has the index say that it is what HEAD has, with the times of the new file. */
function forgeIndex(path: string, text: string): void {
  const honest = git('rev-parse', `HEAD:${path}`).trim();
  put(path, text);
  git('add', path);
  const hash = git('rev-parse', `:${path}`).trim();
  const file = join(root, '.git/index');
  const index = readFileSync(file);
  const at = index.indexOf(Buffer.from(hash, 'hex'));
  Buffer.from(honest, 'hex').copy(index, at);
  createHash('sha1')
    .update(index.subarray(0, -20))
    .digest()
    .copy(index, index.length - 20);
  writeFileSync(file, index);
}

describe('SEC-APPROVE-BYTES: every byte counts, whatever git is made to believe', () => {
  const nested = (folder: string) => {
    mkdirSync(join(root, folder, '.git/objects'), { recursive: true });
    mkdirSync(join(root, folder, '.git/refs'));
  };
  const attacks: [name: string, before: () => void, after: () => void, named: string][] = [
    ['an index that says the file is unchanged', () => {}, () => forgeIndex('a.txt', 'evil\n'), 'a.txt'],
    [
      'ident',
      () => put('.gitattributes', '* ident\n'),
      () => {
        put('b.txt', 'b $Id: `touch pwned` $\n');
        git('add', 'b.txt');
      },
      'b.txt',
    ],
    [
      'another encoding',
      () => put('.gitattributes', '*.txt working-tree-encoding=UTF-7\n'),
      () => {
        put('b.txt', '+AGI-\n');
        git('add', 'b.txt');
      },
      'b.txt',
    ],
    [
      'line ends',
      () => put('.gitattributes', '* text\n'),
      () => {
        put('b.txt', 'b\r\n');
        git('add', 'b.txt');
      },
      'b.txt',
    ],
    [
      'a repository that git sees by a link',
      () => {
        nested('lib');
        symlinkSync('refs/heads/x', join(root, 'lib/.git/HEAD'));
        put('lib/x', 'x\n');
      },
      () => put('lib/x', 'evil\n'),
      'lib',
    ],
    [
      'a repository inside that ignores everything',
      () => {
        execFileSync('git', ['init', '-q', join(root, 'lib')]);
        put('lib/x', 'x\n');
      },
      () => {
        put('lib/.git/info/exclude', '*\n');
        put('lib/payload', 'evil\n');
      },
      'lib',
    ],
    [
      'a folder that the index takes for a submodule',
      () => {
        git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},lib`);
        put('lib/x', 'x\n');
      },
      () => put('lib/payload', 'evil\n'),
      'lib',
    ],
    [
      'core.ignoreCase',
      () => git('config', 'core.ignoreCase', 'true'),
      () => put('A.txt', 'evil\n'),
      'A.txt',
    ],
    [
      'core.excludesFile',
      () => git('config', 'core.excludesFile', join(base, 'ignored')),
      () => {
        writeFileSync(join(base, 'ignored'), 'payload\n');
        put('payload', 'evil\n');
      },
      '/ignored',
    ],
    [
      'core.trustCtime and the old times',
      () => {
        git('config', 'core.trustCtime', 'false');
        git('config', 'core.checkStat', 'minimal');
        git('status');
      },
      () => {
        const { atime, mtime } = statSync(join(root, 'a.txt'));
        put('a.txt', 'ONE\nTWO\n');
        utimesSync(join(root, 'a.txt'), atime, mtime);
      },
      'a.txt',
    ],
    [
      'a .gitignore that ignores itself',
      () => {},
      () => {
        put('sub/.gitignore', '*\n');
        put('sub/payload', 'evil\n');
        put('new/deep/.gitignore', '*\n');
        put('new/deep/payload', 'evil\n');
      },
      'new/deep/.gitignore,sub/.gitignore',
    ],
    [
      'a tree that replaces the one of HEAD',
      () => {},
      () => {
        const tree = git('rev-parse', 'HEAD^{tree}').trim();
        put('a.txt', 'evil\n');
        git('add', 'a.txt');
        git('replace', tree, git('write-tree').trim());
      },
      'a.txt',
    ],
  ];

  it.each(attacks)('%s', async (_, before, after, named) => {
    before();
    const start = await keep();
    expect(await keep()).toEqual(start);
    after();
    expect((await keep()).digest).not.toBe(start.digest);
    const names = (await since(start)).files.map(({ path }) => path.replace(base, ''));
    for (const name of named.split(',')) expect(names).toContain(name);
  });

  it('a file is read again when its times say so, and when it changed within the same tick', async () => {
    const file = join(root, 'a.txt');
    const digests = new Set<string>();
    for (const text of ['111\n', '222\n', '333\n']) {
      writeFileSync(file, text);
      utimesSync(file, 1, 1);
      digests.add((await keep()).digest);
    }
    expect(digests.size).toBe(3);
  });
});

describe('SEC-GIT-TREES: what lies in the folder of the run decides nothing', () => {
  it('a foreign common folder, settings, attributes and alternates are not read, and nothing is started', async () => {
    const marker = join(base, 'ran');
    const start = await keep();
    const foreign = join(base, 'foreign');
    for (const part of ['objects', 'refs']) mkdirSync(join(foreign, part), { recursive: true });
    const settings = `[core]\n\trepositoryFormatVersion = 1\n\tsshCommand = touch ${marker};\n[extensions]\n\tpartialClone = o\n[remote "o"]\n\turl = ssh://x/y\n\tpromisor = true\n`;
    writeFileSync(join(foreign, 'config'), settings);
    writeFileSync(join(folder, 'commondir'), foreign);
    writeFileSync(join(folder, 'config'), settings);
    put('info/attributes', '* -diff\n', folder);
    put('objects/info/alternates', '/nowhere\n', folder);
    put('a.txt', 'evil\n');
    const hash = git('rev-parse', 'HEAD:a.txt').trim();
    rmSync(join(root, '.git/objects', hash.slice(0, 2), hash.slice(2)));
    expect((await since(start)).files).toContainEqual(expect.objectContaining({ path: 'a.txt' }));
    expect(existsSync(marker)).toBe(false);
    expect(existsSync(join(folder, 'objects/info'))).toBe(false);
  });

  it.each(['', 'objects'])(
    'a link in the place of trees/%s is refused, and nothing is written through it',
    async (part) => {
      await keep();
      const victim = join(base, 'victim');
      for (const name of ['HEAD', 'config', 'objects/x']) put(name, 'keepme\n', victim);
      const before = execFileSync('ls', ['-lR', '--full-time', victim], { encoding: 'utf8' });
      rmSync(join(folder, part), { recursive: true });
      symlinkSync(victim, join(folder, part));
      await expect(keep()).rejects.toThrow(/was replaced/);
      expect(execFileSync('ls', ['-lR', '--full-time', victim], { encoding: 'utf8' })).toBe(before);
    },
  );

  it('SEC-SECRET-TREES: names of files are not readable there, nor is the folder for others', async () => {
    put('lk-ghp_16C7e42F292c6912E7', 'x\n');
    await keep();
    const found = spawnSync('grep', ['-rl', 'ghp_16C7e42F292c6912E7', folder], { encoding: 'utf8' });
    expect(found.stdout).toBe('');
    expect(statSync(folder).mode & 0o077).toBe(0);
  });
});
