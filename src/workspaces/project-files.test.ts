import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFiles } from './project-files.ts';
import { workspaces } from './workspaces.ts';

describe('projectFiles', () => {
  const base = mkdtempSync(join(tmpdir(), 'lockstep-project-files-'));
  const root = join(base, 'project');
  beforeAll(() => {
    mkdirSync(join(root, 'Makefile'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '\uFEFF{}');
    writeFileSync(join(base, 'outside.toml'), 'secret');
    symlinkSync('../outside.toml', join(root, 'pyproject.toml'));
    writeFileSync(join(root, 'yarn.lock'), '');
    truncateSync(join(root, 'yarn.lock'), 5 * 1024 * 1024);
    execFileSync('mkfifo', [join(root, 'go.mod')]);
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it.each([
    ['a file', 'package.json', true, '{}'],
    ['nothing', 'Cargo.toml', false, undefined],
    ['a folder', 'Makefile', false, undefined],
    ['a link that leads outside (S4)', 'pyproject.toml', false, undefined],
    ['a file that is too large to be meant', 'yarn.lock', true, undefined],
    ['a pipe, which nobody waits for', 'go.mod', false, undefined],
  ])('%s', (_, name, has, text) => {
    const files = projectFiles(workspaces().open(root));
    expect([files.has(name), files.text(name)]).toEqual([has, text]);
  });
});
