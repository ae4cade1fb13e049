import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectRoot } from './project-root.ts';
import { workspaces } from './workspaces.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-workspaces-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const folder = (path: string) => {
  mkdirSync(join(base, path), { recursive: true });
  return join(base, path);
};
const repository = (path: string) => {
  execFileSync('git', ['init', '-q', folder(path)]);
  return join(base, path);
};

describe('which kind', () => {
  it('a folder in a work tree, at its top or below, is a git one', async () => {
    const root = repository('kind');
    writeFileSync(join(folder('kind/below'), 'file'), '');
    expect(workspaces().mark(root)).toMatch(/^[0-9a-f]{40}$/);
    expect(await workspaces().open(root).changed('**')).toEqual(['below/file']);
    expect(await workspaces().open(join(root, 'below')).changed('**')).toEqual(['file']);
  });

  it('any other is plain, and so is one where .git is something else', async () => {
    const plain = folder('plain');
    writeFileSync(join(folder('odd'), '.git'), 'not what it seems');
    folder('odder/.git');
    for (const root of [plain, folder('odd'), folder('odder')]) {
      expect(workspaces().mark(root)).toBeUndefined();
      await expect(workspaces().open(root).changed('**')).rejects.toThrow(/is not in a git repository/);
    }
  });

  it('where git is not installed every folder is plain, and says why', async () => {
    const root = repository('no-git');
    const before = process.env.PATH;
    process.env.PATH = base;
    try {
      const workspace = workspaces().open(root);
      expect(workspaces().mark(root)).toBeUndefined();
      expect(workspace.glob('*')).toEqual([]);
      await expect(workspace.changed('**')).rejects.toThrow(/git is not installed/);
    } finally {
      process.env.PATH = before;
    }
  });
});

describe('projectRoot', () => {
  it('is the git root, before any .lockstep on the way', () => {
    const root = repository('project');
    folder('project/packages/one/.lockstep');
    expect(projectRoot(folder('project/packages/one/src'))).toBe(root);
  });

  it('is the nearest folder with .lockstep outside git', () => {
    folder('outer/.lockstep');
    folder('outer/inner/.lockstep');
    expect(projectRoot(folder('outer/inner/deep/er'))).toBe(join(base, 'outer/inner'));
    expect(projectRoot(folder('outer/other'))).toBe(join(base, 'outer'));
  });

  it('is where one stands if there is neither; the .lockstep of the home folder is no project', () => {
    const home = folder('home');
    folder('home/.lockstep');
    expect(projectRoot(folder('home/work/here'), home)).toBe(join(base, 'home/work/here'));
    expect(projectRoot(home, home)).toBe(home);
  });
});
