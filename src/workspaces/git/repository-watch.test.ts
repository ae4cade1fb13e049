// What changes in a repository while something runs, told from its files. Real git.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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

  it('outside a repository there is nothing to watch', () => {
    expect(watchRepository(base, 'quick')).toBeUndefined();
  });
});
