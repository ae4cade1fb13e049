import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
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
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { workspaceContract } from '../../ports/workspace.contract.ts';
import { gitWorkspaces } from './git-workspaces.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-git-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const workspaces = gitWorkspaces();
const person = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org', '-c', 'commit.gpgsign=false'];
const environment = {
  PATH: process.env.PATH ?? '',
  HOME: base,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: 'file',
};

function git(root: string, ...args: string[]): string {
  return execFileSync('git', [...person, ...args], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** What `git init` makes, as far as git needs it: starting git two hundred times takes most of a test run. */
function initialise(folder: string): void {
  for (const path of ['objects', 'refs', 'hooks']) mkdirSync(join(folder, '.git', path), { recursive: true });
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/config'), '[core]\n\trepositoryformatversion = 0\n');
}

let count = 0;
let root: string;
const put = (path: string, content = path) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const commit = (message = 'work') => {
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '--allow-empty', '-m', message);
};
const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

beforeEach(() => {
  count += 1;
  root = join(base, `repository-${count}`);
  mkdirSync(root);
  initialise(root);
});

describe('a git workspace', () => {
  workspaceContract(workspaces, initialise);
});

describe('branch', () => {
  it('is the one checked out, also before the first commit and in a folder below', () => {
    mkdirSync(join(root, 'below'));
    expect(workspaces.open(root).branch).toBe('main');
    put('a');
    commit();
    const below = workspaces.open(join(root, 'below'));
    git(root, 'checkout', '-q', '-b', 'feature/größe');
    expect(below.branch).toBe('feature/größe');
  });

  it('is empty where HEAD is detached, and its own in a linked work tree', () => {
    put('a');
    commit();
    git(root, 'worktree', 'add', '-q', '-b', 'other', join(base, `linked-${count}`));
    git(root, 'checkout', '-q', '--detach');
    expect(workspaces.open(root).branch).toBe('');
    expect(workspaces.open(join(base, `linked-${count}`)).branch).toBe('other');
  });
});

describe('changed', () => {
  it('lists what was committed, staged, edited, deleted, renamed and untracked since the mark, not what is ignored', async () => {
    for (const path of [
      'committed',
      'staged',
      'edited',
      'deleted',
      'old-name',
      'untouched',
      'mode',
      'undone',
    ])
      put(path);
    put('.gitignore', 'ignored\n');
    commit();
    const workspace = workspaces.open(root, workspaces.mark(root));
    put('committed', 'x');
    put('added/and/committed');
    commit();
    put('staged', 'x');
    git(root, 'add', 'staged');
    put('edited', 'x');
    rmSync(join(root, 'deleted'));
    git(root, 'mv', 'old-name', 'new-name');
    chmodSync(join(root, 'mode'), 0o755);
    put('undone', 'x');
    put('undone', 'undone');
    put('untracked/file');
    put('ignored');
    const expected = [
      'added/and/committed',
      'committed',
      'deleted',
      'edited',
      'mode',
      'new-name',
      'old-name',
      'staged',
      'untracked/file',
    ];
    expect(await workspace.changed('**')).toEqual(expected);
    expect(await workspace.changed('*ed')).toEqual(['committed', 'deleted', 'edited', 'staged']);
    expect(await workspace.uncommitted('**'), 'what was committed since is').toEqual(
      expected.filter((path) => !path.endsWith('committed')),
    );
    expect(await workspace.uncommitted('*ed')).toEqual(['deleted', 'edited', 'staged']);
  });

  it('commits since the start, oldest first, in any letters; none before the first one', () => {
    expect(workspaces.open(root).commits()).toEqual([]);
    commit('before');
    const workspace = workspaces.open(root);
    expect(workspace.commits()).toEqual([]);
    commit('one: Käse | "x"\n\nA body.');
    commit('two');
    const made = workspace.commits();
    expect(made.map(({ subject }) => subject)).toEqual(['one: Käse | "x"', 'two']);
    expect(made[1]?.id).toBe(git(root, 'rev-parse', 'HEAD').trim());
  });

  it('before the first commit all commits are new', () => {
    const workspace = workspaces.open(root, workspaces.mark(root));
    commit('first');
    expect(workspace.commits().map(({ subject }) => subject)).toEqual(['first']);
  });

  it('SEC-CUT-COMMITS: every commit is counted, and the first is the first, however many there are', () => {
    git(root, 'commit', '-q', '--allow-empty', '-m', 'start');
    const workspace = workspaces.open(root);
    const one = (number: number) =>
      `commit refs/heads/many\ncommitter a <a@b> ${1_700_000_000 + number} +0000\ndata <<E\nc${number}\nE\n${number === 1 ? `from ${git(root, 'rev-parse', 'HEAD').trim()}\n` : ''}\n`;
    const stream = Array.from({ length: 1201 }, (_, index) => one(index + 1)).join('');
    execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: stream });
    git(root, 'reset', '-q', '--soft', 'many');
    const subjects = workspace.commits().map(({ subject }) => subject);
    expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([1201, 'c1', 'c1201']);
  });

  it('what was committed and then put back does not differ from the start', async () => {
    put('a', 'one');
    commit();
    const workspace = workspaces.open(root);
    put('a', 'two');
    commit();
    put('a', 'one');
    expect(await workspace.changed('**')).toEqual([]);
  });

  it('before the first commit everything differs, and still does after it', async () => {
    put('a');
    const mark = workspaces.mark(root);
    expect(await workspaces.open(root, mark).changed('**')).toEqual(['a']);
    commit();
    expect(await workspaces.open(root, mark).changed('**')).toEqual(['a']);
    expect(await workspaces.open(root).changed('**')).toEqual([]);
  });

  const odd = [
    'with space',
    'quo"te',
    "apo'strophe",
    'new\nline',
    'tab\there',
    'größe',
    '\u{1f600}',
    '\uffee',
    '-dash',
    ' lead',
    'trail ',
    'back\\slash',
    'a:b',
    '*',
    '1 A. N... 100644',
    '? x',
    '# branch.oid ff',
  ];

  it('names of every kind come through as they are, in byte order', async () => {
    for (const [index, name] of odd.entries()) if (index % 2) put(name);
    commit();
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    for (const name of odd) put(name, 'new');
    const expected = [...odd].sort(bytes);
    expect(await workspace.changed('**')).toEqual(expected);
    expect(await workspace.changedSince(print)).toEqual(expected);
  });

  it('of what changed since a moment, a pattern picks', async () => {
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    for (const name of ['a.ts', 'src/b.ts', 'c.md']) put(name);
    expect(await workspace.changedSince(print, '**/*.ts')).toEqual(['a.ts', 'src/b.ts']);
    expect(await workspace.changedSince(print, '*.sql')).toEqual([]);
  });

  it('hidden files count: a change is a change', async () => {
    const workspace = workspaces.open(root);
    put('.github/workflows/ci.yml');
    put('.env');
    expect(await workspace.changed('**')).toEqual(['.env', '.github/workflows/ci.yml']);
  });

  it('in a folder below the top: only what is in it, relative to it', async () => {
    put('outside');
    put('sub/inside');
    put('sub/later');
    commit();
    const workspace = workspaces.open(join(root, 'sub'));
    const print = (await workspace.fingerprint()) ?? '';
    put('outside', 'x');
    put('new-outside');
    put('sub/inside', 'x');
    put('sub/new');
    commit();
    put('sub/later', 'x');
    expect(await workspace.changed('**')).toEqual(['inside', 'later', 'new']);
    expect(await workspace.changedSince(print)).toEqual(['inside', 'later', 'new']);
  });

  it('records of runs and issues never show, ignored or not', async () => {
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    put('.lockstep/runs/20261115T101500Z-a3f8c2/journal.jsonl');
    put('.lockstep/issues/0001-a-task.md');
    put('.lockstep-123-4.tmp');
    put('.lockstep/workflows/mine.yaml');
    expect(await workspace.changed('**')).toEqual(['.lockstep/workflows/mine.yaml']);
    expect(await workspace.changedSince(print)).toEqual(['.lockstep/workflows/mine.yaml']);
  });

  it('a submodule and a repository inside count as one path, also when only something in them changed', async () => {
    const library = join(base, `library-${count}`);
    mkdirSync(library);
    git(library, 'init', '-q');
    writeFileSync(join(library, 'file'), 'one');
    git(library, 'add', '.');
    git(library, 'commit', '-q', '-m', 'library');
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub module');
    mkdirSync(join(root, 'nested'));
    git(join(root, 'nested'), 'init', '-q');
    writeFileSync(join(root, 'nested/file'), 'one');
    git(root, 'add', '.gitmodules', 'sub module');
    git(root, 'commit', '-q', '-m', 'with a submodule');
    const workspace = workspaces.open(root);
    expect(await workspace.changed('**')).toEqual(['nested']);
    const clean = (await workspace.fingerprint()) ?? '';
    put('sub module/file', 'two');
    put('nested/file', 'two');
    const dirty = (await workspace.fingerprint()) ?? '';
    expect(await workspace.changed('**')).toEqual(['nested', 'sub module']);
    expect(await workspace.changedSince(clean)).toEqual(['nested', 'sub module']);
    expect(await workspace.changedSince(dirty)).toEqual([]);
    put('sub module/file', 'three');
    expect(await workspace.changedSince(dirty)).toEqual(['sub module']);
    put('sub module/file', 'one');
    expect(await workspace.changedSince(clean)).toEqual(['nested']);
  });

  it('S4: a pattern that leaves the workspace is refused', async () => {
    await expect(workspaces.open(root).changed('../*')).rejects.toThrow(
      expect.objectContaining({ code: 'path-outside' }),
    );
  });
});

describe('fingerprint', () => {
  it('tells a change of a file that was dirty or untracked before from one that was not made', async () => {
    for (const path of ['tracked', 'dirty', 'staged', 'clean']) put(path, 'one');
    commit();
    put('dirty', 'two');
    put('staged', 'two');
    git(root, 'add', 'staged');
    put('untracked', 'two');
    put('untracked-too', 'two');
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    expect(await workspace.changedSince(print)).toEqual([]);
    put('dirty', 'six');
    put('untracked', 'six');
    put('staged', 'six');
    put('clean', 'six');
    expect(await workspace.changedSince(print)).toEqual(['clean', 'dirty', 'staged', 'untracked']);
    put('dirty', 'one');
    put('staged', 'two');
    put('clean', 'one');
    rmSync(join(root, 'untracked'));
    expect(await workspace.changedSince(print)).toEqual(['dirty', 'untracked']);
  });

  it('the same content with the same size and time is found by its content', async () => {
    put('a', 'one');
    commit();
    put('a', 'two');
    utimesSync(join(root, 'a'), 1, 1);
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    put('a', 'six');
    utimesSync(join(root, 'a'), 1, 1);
    expect(await workspace.changedSince(print)).toEqual(['a']);
  });

  it('staging alone is no change; a commit is, of the files it has', async () => {
    put('a', 'one');
    put('b', 'one');
    commit();
    put('a', 'two');
    put('new');
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    git(root, 'add', '-A');
    expect(await workspace.changedSince(print)).toEqual([]);
    commit();
    expect(await workspace.changedSince(print)).toEqual(['a', 'new']);
    git(root, 'reset', '-q', '--soft', 'HEAD~1');
    expect(await workspace.changedSince(print)).toEqual([]);
  });

  it('a file that was taken out of the index and is still there has not changed', async () => {
    put('a', 'one');
    commit();
    git(root, 'rm', '-q', '--cached', 'a');
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    git(root, 'add', 'a');
    expect(await workspace.changedSince(print)).toEqual([]);
    const clean = (await workspace.fingerprint()) ?? '';
    git(root, 'rm', '-q', '--cached', 'a');
    expect(await workspace.changedSince(clean)).toEqual([]);
    put('a', 'two');
    expect(await workspace.changedSince(clean)).toEqual(['a']);
  });

  it('a file that was clean before and is clean again, in another commit, has changed', async () => {
    put('a', 'one');
    put('b', 'one');
    commit();
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    put('a', 'two');
    commit();
    expect(await workspace.changedSince(print)).toEqual(['a']);
  });

  it('modes, symlinks, a file that became a folder, and the first commit count', async () => {
    put('script');
    put('becomes-folder');
    symlinkSync('one', join(root, 'link'));
    const workspace = workspaces.open(root);
    const start = (await workspace.fingerprint()) ?? '';
    commit();
    expect(await workspace.changedSince(start)).toEqual(['becomes-folder', 'link', 'script']);
    const print = (await workspace.fingerprint()) ?? '';
    chmodSync(join(root, 'script'), 0o755);
    rmSync(join(root, 'link'));
    symlinkSync('two', join(root, 'link'));
    rmSync(join(root, 'becomes-folder'));
    put('becomes-folder/inner');
    expect(await workspace.changedSince(print)).toEqual([
      'becomes-folder',
      'becomes-folder/inner',
      'link',
      'script',
    ]);
  });

  it('a conflict is looked at like any change', async () => {
    put('a', 'base');
    commit();
    git(root, 'checkout', '-q', '-b', 'theirs');
    put('a', 'theirs');
    commit();
    git(root, 'checkout', '-q', 'main');
    put('a', 'ours');
    commit();
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    expect(() => git(root, 'merge', 'theirs')).toThrow();
    const conflicted = (await workspace.fingerprint()) ?? '';
    expect(await workspace.changedSince(print)).toEqual(['a']);
    expect(await workspace.changedSince(conflicted)).toEqual([]);
    put('a', 'solved');
    expect(await workspace.changedSince(conflicted)).toEqual(['a']);
  });

  it('can be read by another process later: it needs nothing but the repository', async () => {
    put('a');
    commit();
    put('a', 'dirty');
    const print = (await workspaces.open(root).fingerprint()) ?? '';
    commit();
    put('b');
    expect(await gitWorkspaces().open(root).changedSince(print)).toEqual(['a', 'b']);
  });

  it('finds exactly the files that were written, whatever was done before', async () => {
    const names = ['a', 'b', 'c d', 'deep/e', '__proto__', 'constructor'];
    const action = fc.record({
      name: fc.constantFrom(...names),
      content: fc.constantFrom('1', '2', '3', undefined),
      next: fc.constantFrom('nothing', 'stage', 'nothing', 'commit'),
    });
    const apply = ({ name, content, next }: { name: string; content: string | undefined; next: string }) => {
      if (content === undefined) rmSync(join(root, name), { force: true });
      else put(name, content);
      if (next === 'stage') git(root, 'add', '-A');
      if (next === 'commit') commit();
    };
    const contents = () =>
      names.map((name) =>
        existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : undefined,
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 6 }),
        fc.array(action, { maxLength: 4 }),
        async (before, after) => {
          for (const one of before) apply(one);
          const workspace = workspaces.open(root);
          const print = (await workspace.fingerprint()) ?? '';
          const then = contents();
          for (const one of after) apply({ ...one, next: one.next === 'commit' ? 'nothing' : one.next });
          const now = contents();
          expect(await workspace.changedSince(print)).toEqual(
            names.filter((_, index) => then[index] !== now[index]).sort(bytes),
          );
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('what git is told to overlook', () => {
  const hook = (path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
  };
  const flag = (option: string, content = 't') => {
    git(root, 'update-index', option, 't');
    put('t', content);
  };
  const tricks: [name: string, play: () => void, changed: string[]][] = [
    ['--assume-unchanged alone', () => flag('--assume-unchanged'), ['t']],
    ['--assume-unchanged and an edit', () => flag('--assume-unchanged', 'evil'), ['t']],
    ['--skip-worktree alone', () => flag('--skip-worktree'), ['t']],
    ['--skip-worktree and an edit', () => flag('--skip-worktree', 'evil'), ['t']],
    ['an edit of a file that was flagged before', () => put('assumed', 'evil'), ['assumed']],
    ['an edit of a file that was skipped before', () => put('skipped', 'evil'), ['skipped']],
    ['a skipped file removed', () => rmSync(join(root, 'skipped')), ['skipped']],
    ['a flag taken away', () => git(root, 'update-index', '--no-assume-unchanged', 'same'), ['same']],
    [
      'a flag for another',
      () => {
        git(root, 'update-index', '--no-assume-unchanged', 'assumed');
        git(root, 'update-index', '--skip-worktree', 'assumed');
      },
      ['assumed'],
    ],
    [
      'info/exclude',
      () => {
        put('.git/info/exclude', 'new\n');
        put('new');
      },
      // What was not ignored when this process first looked is not hidden by it.
      ['.git/info/exclude', 'new'],
    ],
    [
      'core.fileMode',
      () => {
        git(root, 'config', 'core.fileMode', 'false');
        chmodSync(join(root, 't'), 0o755);
      },
      ['.git/config'],
    ],
    [
      'a clean filter',
      () => {
        git(root, 'config', 'filter.x.clean', 'printf t');
        put('.git/info/attributes', 't filter=x\n');
        put('t', 'e');
      },
      ['.git/config', '.git/info/attributes', 't'],
    ],
    ['a hook', () => hook(join(root, '.git/hooks/pre-commit')), ['.git/hooks/pre-commit']],
    ['a hook made executable', () => chmodSync(join(root, '.git/hooks/old'), 0o755), ['.git/hooks/old']],
    ['core.hooksPath', () => git(root, 'config', 'core.hooksPath', '/tmp/hooks'), ['.git/config']],
  ];
  it.each(tricks)('N3: %s is found', async (_, play, changed) => {
    for (const path of ['t', 'assumed', 'same', 'skipped']) put(path);
    commit();
    git(root, 'update-index', '--assume-unchanged', 'assumed', 'same');
    git(root, 'update-index', '--skip-worktree', 'skipped');
    put('assumed', 'mine');
    put('skipped', 'mine');
    writeFileSync(join(root, '.git/hooks/old'), '', { mode: 0o644 });
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    expect(await workspace.changedSince(print)).toEqual([]);
    play();
    expect(await workspace.changedSince(print)).toEqual(changed);
  });

  it('what git does by itself is no change: refreshing the index, packing, collecting', async () => {
    put('t');
    commit();
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    utimesSync(join(root, 't'), 1, 1);
    git(root, 'status');
    git(root, 'branch', 'other');
    git(root, 'gc', '-q');
    git(root, 'pack-refs', '--all');
    expect(await workspace.changedSince(print)).toEqual([]);
  });

  it('N3: in a folder below and in a linked work tree, where the repository lies elsewhere', async () => {
    put('sub/t');
    commit();
    git(root, 'config', 'extensions.worktreeConfig', 'true');
    const linked = `${root}-linked`;
    git(root, 'worktree', 'add', '-q', linked);
    const workspace = workspaces.open(join(linked, 'sub'));
    const print = (await workspace.fingerprint()) ?? '';
    git(linked, 'config', '--worktree', 'core.fileMode', 'false');
    git(linked, 'update-index', '--skip-worktree', 'sub/t');
    hook(join(root, '.git/hooks/pre-commit'));
    expect(await workspace.changedSince(print)).toEqual([
      '.git/config.worktree',
      '.git/hooks/pre-commit',
      't',
    ]);
  });

  it('N3: in a submodule, also one that is clean', async () => {
    const inner = `${root}-inner`;
    mkdirSync(inner);
    initialise(inner);
    writeFileSync(join(inner, 't'), 't');
    git(inner, 'add', 't');
    git(inner, 'commit', '-q', '-m', 'inner');
    git(root, 'submodule', '--quiet', 'add', inner, 'libs/inner');
    commit();
    const workspace = workspaces.open(root);
    const inside = workspaces.open(join(root, 'libs/inner'));
    const print = (await workspace.fingerprint()) ?? '';
    const printInside = (await inside.fingerprint()) ?? '';
    git(join(root, 'libs/inner'), 'update-index', '--assume-unchanged', 't');
    put('libs/inner/t', 'evil');
    git(join(root, 'libs/inner'), 'config', 'core.fileMode', 'false');
    expect(await workspace.changedSince(print)).toEqual(['.git/modules/libs/inner/config', 'libs/inner/t']);
    expect(await inside.changedSince(printInside)).toEqual(['.git/config', 't']);
    const later = (await workspace.fingerprint()) ?? '';
    git(root, 'update-index', '--assume-unchanged', 'libs/inner');
    expect(await workspace.changedSince(later)).toEqual(['libs/inner']);
    const hidden = (await workspace.fingerprint()) ?? '';
    expect(await workspace.changedSince(hidden)).toEqual([]);
    put('libs/inner/new');
    expect(await workspace.changedSince(hidden)).toEqual(['libs/inner']);
  });
});

describe('W3: the repository is only read', () => {
  it('nothing in .git is touched, and no hook or monitor runs', async () => {
    put('a');
    commit();
    for (const hook of ['post-index-change', 'pre-commit', 'fsmonitor-watchman', 'reference-transaction']) {
      writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch '${root}/.git/hook-ran'\n`);
      chmodSync(join(root, '.git/hooks', hook), 0o755);
    }
    git(root, 'config', 'core.fsmonitor', '.git/hooks/fsmonitor-watchman');
    put('a', 'dirty');
    put('untracked');
    const files = () =>
      (readdirSync(join(root, '.git'), { recursive: true }) as string[]).sort().map((path) => {
        const { ino, size, mtimeMs, ctimeMs } = statSync(join(root, '.git', path));
        return [path, ino, size, mtimeMs, ctimeMs];
      });
    // Same content, another time: what makes git want to refresh its index.
    utimesSync(join(root, 'a'), 1, 1);
    const before = files();
    const workspace = workspaces.open(root, workspaces.mark(root));
    expect(await workspace.changed('**')).toEqual(['a', 'untracked']);
    const print = (await workspace.fingerprint()) ?? '';
    expect(await workspace.changedSince(print)).toEqual([]);
    expect(files()).toEqual(before);
  });

  it('variables that point at another repository, as in a hook, are not followed', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      GIT_DIR: '/nowhere',
      GIT_WORK_TREE: '/nowhere',
      GIT_INDEX_FILE: '/nowhere/index',
      GIT_PREFIX: 'x/',
    });
    try {
      put('a');
      expect(await workspaces.open(root).changed('**')).toEqual(['a']);
      expect(process.env.GIT_DIR).toBe('/nowhere');
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  it('settings of the user that change the output change nothing here', async () => {
    git(root, 'config', 'diff.noprefix', 'true');
    git(root, 'config', 'status.relativePaths', 'true');
    git(root, 'config', 'status.showUntrackedFiles', 'no');
    git(root, 'config', 'core.quotepath', 'true');
    git(root, 'config', 'diff.renames', 'copies');
    git(root, 'config', 'diff.external', 'false');
    git(root, 'config', 'color.ui', 'always');
    put('sub/größe');
    commit();
    const workspace = workspaces.open(join(root, 'sub'));
    const print = (await workspace.fingerprint()) ?? '';
    renameSync(join(root, 'sub/größe'), join(root, 'sub/weite'));
    expect(await workspace.changed('**')).toEqual(['größe', 'weite']);
    expect(await workspace.changedSince(print)).toEqual(['größe', 'weite']);
  });
});

describe('what can go wrong', () => {
  it('a repository of another user: says how to trust it', ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only the superuser can give a folder away');
    put('a');
    commit();
    chownSync(root, 12345, 12345);
    chownSync(join(root, '.git'), 12345, 12345);
    expect(() => workspaces.mark(root)).toThrow(
      expect.objectContaining({
        code: 'git-refused',
        message: expect.stringContaining('belongs to another user'),
        hint: `If you trust it: git config --global --add safe.directory ${root}`,
      }),
    );
  });

  it('a mark that is not in the repository any more is said to be so', async () => {
    put('a');
    commit();
    await expect(workspaces.open(root, 'ab'.repeat(20)).changed('**')).rejects.toThrow(
      expect.objectContaining({
        code: 'git-failed',
        hint: expect.stringContaining('The commit the run began at'),
      }),
    );
    expect(() => workspaces.open(root, '--output=/tmp/x')).toThrow(
      expect.objectContaining({ code: 'git-failed' }),
    );
  });

  it('a repository that went away, and a workspace that went away', async () => {
    put('a');
    const workspace = workspaces.open(root);
    const print = (await workspace.fingerprint()) ?? '';
    rmSync(join(root, '.git'), { recursive: true });
    expect(workspace.branch).toBe('');
    for (const ask of [
      () => workspace.changed('**'),
      () => workspace.fingerprint(),
      () => workspace.changedSince(print),
    ])
      await expect(ask()).rejects.toThrow(expect.objectContaining({ code: 'not-a-git-repository' }));
    rmSync(root, { recursive: true });
    for (const ask of [
      () => workspace.changed('**'),
      () => workspace.fingerprint(),
      () => workspace.changedSince(print),
    ])
      await expect(ask()).rejects.toThrow(expect.objectContaining({ code: 'workspace-gone' }));
  });

  it('a repository that names its objects with sha256 works the same', async () => {
    rmSync(join(root, '.git'), { recursive: true });
    git(root, 'init', '-q', '-b', 'main', '--object-format=sha256');
    put('a', 'one');
    put('b', 'one');
    commit();
    put('a', 'two');
    git(root, 'add', 'a');
    const workspace = workspaces.open(root, workspaces.mark(root));
    const print = (await workspace.fingerprint()) ?? '';
    put('b', 'two');
    git(root, 'add', 'b');
    put('b', 'one');
    expect(await workspace.changed('**')).toEqual(['a']);
    expect(await workspace.changedSince(print)).toEqual([]);
  });
});
