// What changes in a repository while something runs, told from its files. Real git.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectBranch, watchRepository } from './repository-watch.ts';

let base: string;
let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
  }).trim();
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'lockstep-watch-')));
  root = join(base, 'project');
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'one');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('SEC-GIT-RECORD: watching a repository', () => {
  it('a reference that is written in place, without git, is found', () => {
    git('branch', 'other');
    const first = git('rev-parse', 'HEAD');
    git('commit', '-q', '--allow-empty', '-m', 'two');
    const second = git('rev-parse', 'HEAD');
    const file = join(root, '.git/refs/heads/other');
    utimesSync(file, 1, 1);
    const changes = watchRepository(root, 'quick');
    writeFileSync(file, `${second}\n`);
    expect(changes?.()).toEqual({
      references: [`refs/heads/other: ${first.slice(0, 12)} → ${second.slice(0, 12)}`],
    });
  });

  it('a hook that is made to run, alternates, and a repository that is gone', () => {
    writeFileSync(join(root, '.git/hooks/pre-commit'), '#!/bin/sh\n', { mode: 0o644 });
    const first = watchRepository(root, 'thorough');
    chmodSync(join(root, '.git/hooks/pre-commit'), 0o755);
    writeFileSync(join(root, '.git/objects/info/alternates'), '/elsewhere\n');
    expect(first?.()?.settings).toEqual([
      '.git/hooks/pre-commit was changed',
      '.git/objects/info/alternates is new',
    ]);
    const second = watchRepository(root, 'thorough');
    rmSync(join(root, '.git'), { recursive: true });
    expect(second?.()).toEqual({ settings: ['.git is gone, or no repository any more'] });
  });

  it('RW1: branches that others work on at the same time, or that Lockstep makes, are not reported', () => {
    git('worktree', 'add', '-q', '-b', 'theirs', join(base, 'theirs'));
    const mine = watchRepository(root, 'thorough');
    const theirs = watchRepository(join(base, 'theirs'), 'thorough');
    git('-C', join(base, 'theirs'), 'commit', '-q', '--allow-empty', '-m', 'two');
    git('commit', '-q', '--allow-empty', '-m', 'three');
    expectBranch('made');
    git('branch', 'made');
    expect([mine?.(), theirs?.()]).toEqual([undefined, undefined]);
    const later = watchRepository(root, 'thorough');
    git('-C', join(base, 'theirs'), 'commit', '-q', '--allow-empty', '-m', 'four');
    expect(later?.()?.references).toEqual([expect.stringContaining('refs/heads/theirs: ')]);
  });

  const reported = (change: () => void, care: 'quick' | 'thorough' = 'quick') => {
    const changes = watchRepository(root, care);
    change();
    return changes?.();
  };

  it('what is changed between two steps is told with the next one, and only once', () => {
    reported(() => {});
    git('config', 'core.editor', 'evil');
    expect(reported(() => {})?.settings).toEqual(['.git/config: core.editor is "evil" (it was not set)']);
    expect(reported(() => {})).toBeUndefined();
  });

  it('what steps and Lockstep did between two steps of another checkout is not', () => {
    const side = join(base, 'side');
    git('worktree', 'add', '-q', '-b', 'side', side);
    reported(() => {});
    const theirs = watchRepository(side, 'thorough');
    git('-C', side, 'commit', '-q', '--allow-empty', '-m', 'two');
    expect(theirs?.()).toBeUndefined();
    expectBranch('made');
    git('worktree', 'add', '-q', '-b', 'made', join(base, 'made'));
    expect(reported(() => {})).toBeUndefined();
  });

  it('HEAD of another checkout, which a step in a worktree moves', () => {
    git('branch', 'other');
    const side = join(base, 'side');
    git('worktree', 'add', '-q', '-b', 'side', side);
    const changes = watchRepository(side, 'quick');
    git('checkout', '-q', 'other');
    expect(changes?.()?.references).toEqual([
      `HEAD of another checkout (${root}/.git/HEAD): refs/heads/main → refs/heads/other`,
    ]);
  });

  it('hooks behind links, in folders below and elsewhere in .git; included settings; what is sparse', () => {
    for (const name of ['aaa', 'bbb']) writeFileSync(join(base, name), '#!/bin/sh\n');
    const link = join(root, '.git/hooks/post-merge');
    symlinkSync(join(base, 'aaa'), link);
    lutimesSync(link, 1, 1);
    mkdirSync(join(root, '.git/hooks/_'));
    mkdirSync(join(root, '.git/myhooks'));
    writeFileSync(join(root, '.git/hooks/_/pre-push'), '');
    writeFileSync(join(root, '.git/extra.cfg'), '[core]\n\teditor = vi\n');
    git('config', 'core.hooksPath', '.git/myhooks');
    git('config', 'include.path', 'extra.cfg');
    const told = reported(() => {
      rmSync(link);
      symlinkSync(join(base, 'bbb'), link);
      lutimesSync(link, 1, 1);
      writeFileSync(join(root, '.git/hooks/_/pre-push'), 'evil');
      writeFileSync(join(root, '.git/myhooks/pre-commit'), 'evil');
      writeFileSync(join(root, '.git/extra.cfg'), '[core]\n\teditor = evil\n');
      writeFileSync(join(root, '.git/info/sparse-checkout'), '/x\n');
    });
    expect(told?.settings?.sort()).toEqual([
      '.git/hooks/_/pre-push was changed',
      '.git/hooks/post-merge was changed',
      '.git/info/sparse-checkout is new',
      '.git/myhooks/pre-commit is new',
      'extra.cfg: core.editor is "evil" (it was "vi")',
    ]);
    expect(reported(() => writeFileSync(join(base, 'bbb'), 'evil'))?.settings).toEqual([
      '.git/hooks/post-merge was changed',
    ]);
  });

  it('settings and hooks of the last of many submodules, where it has to be quick', () => {
    for (let number = 10; number < 40; number += 1) {
      mkdirSync(join(root, `.git/modules/m${number}/hooks`), { recursive: true });
      writeFileSync(join(root, `.git/modules/m${number}/HEAD`), 'ref: refs/heads/main\n');
    }
    expect(reported(() => writeFileSync(join(root, '.git/modules/m39/hooks/pre-commit'), 'evil'))).toEqual({
      settings: ['.git/modules/m39/hooks/pre-commit is new'],
    });
  });

  it('outside a repository there is nothing to watch', () => {
    expect(watchRepository(base, 'quick')).toBeUndefined();
  });
});
