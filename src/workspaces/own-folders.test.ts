import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../model/fault.ts';
import { workspaces } from './workspaces.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-own-')));
  root = join(base, 'project');
  mkdirSync(root);
  git(root, 'init', '-q', '-b', 'main', `--separate-git-dir=${join(base, 'store')}`);
  git(root, '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'start');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function git(cwd: string, ...words: string[]) {
  execFileSync('git', words, { cwd, stdio: 'ignore' });
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (error) {
    return error instanceof Fault ? error.code : String(error);
  }
}

describe('SEC-CALLS-STEPS: F4: a step writes neither .git nor the runs', () => {
  const open = (run?: string) => workspaces().open(root, undefined, run);
  const everyWay = (path: string, run?: string) => {
    const workspace = open(run);
    writeFileSync(join(root, 'movable'), '');
    return [
      codeOf(() => workspace.write(path, 'x')),
      codeOf(() => workspace.sink(path).end()),
      codeOf(() => workspace.move('movable', path)),
    ];
  };
  const refused = ['path-protected', 'path-protected', 'path-protected'];

  it.each([
    '.git',
    '.git/config',
    'sub/.git/hooks/x',
    '.GIT/config',
    '.lockstep/runs/x',
    'a/.lockstep/runs/x/y',
  ])('%s', (path) => {
    expect(everyWay(path)).toEqual(refused);
  });

  it('through a link, to what is not there yet too', () => {
    mkdirSync(join(root, '.lockstep/runs'), { recursive: true });
    symlinkSync('.lockstep', join(root, 'link'));
    symlinkSync('.lockstep/runs/new', join(root, 'later'));
    expect(everyWay('link/runs/x')).toEqual(refused);
    expect(everyWay('later')).toEqual(refused);
    expect(everyWay('link/other')[0]).toBe('done');
  });

  it('a folder of runs that lies elsewhere in the workspace, and a hard link to what is in it', () => {
    const run = join(root, 'state/run-1');
    mkdirSync(run, { recursive: true });
    writeFileSync(join(run, 'journal.jsonl'), '');
    linkSync(join(run, 'journal.jsonl'), join(root, 'innocent'));
    expect(everyWay('state/run-1/journal.jsonl', run)).toEqual(refused);
    expect(everyWay('state/other', run)).toEqual(refused);
    expect(codeOf(() => open(run).sink('innocent'))).toBe('path-protected');
    expect(codeOf(() => open(run).move('state', 'moved'))).toBe('path-protected');
    expect(everyWay('fine', run)[0]).toBe('done');
  });

  it('runs that lie around the workspace take nothing else of it', () => {
    const run = join(base, 'run-1');
    mkdirSync(run);
    expect(everyWay('fine', run)[0]).toBe('done');
  });

  it('a hard link to the configuration of git, whose folder lies elsewhere', () => {
    linkSync(join(base, 'store/config'), join(root, 'harmless.txt'));
    expect(codeOf(() => open().sink('harmless.txt'))).toBe('path-protected');
    expect(open().locate(join(base, 'store/config')).inside).toBe('git');
    expect(open().locate(join(base, 'store/new/file')).inside).toBe('git');
  });

  it('moving `.git` or `.lockstep` away is writing it', () => {
    mkdirSync(join(root, '.lockstep/runs/run-1'), { recursive: true });
    const workspace = open(join(root, '.lockstep/runs/run-1'));
    expect(codeOf(() => workspace.move('.git', 'x'))).toBe('path-protected');
    expect(codeOf(() => workspace.move('.lockstep', 'x'))).toBe('path-protected');
  });

  it('in a worktree: its `.git` file, and the repository that it belongs to', () => {
    const tree = join(base, 'tree');
    git(root, 'worktree', 'add', '-q', tree);
    const workspace = workspaces().open(tree);
    expect(codeOf(() => workspace.write('.git', 'gitdir: /tmp'))).toBe('path-protected');
    expect(workspace.locate(join(base, 'store/config')).inside).toBe('git');
    expect(workspace.locate('src/a').inside).toBeUndefined();
  });
});
