import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectTrust } from './project-trust.ts';

let base: string;
let cwd: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-trust-')));
  cwd = join(base, 'project');
  mkdirSync(join(base, 'home'));
  mkdirSync(cwd);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const decided = (path: string) =>
  writeFileSync(join(base, 'home/config.toml'), `[projects."${path}"]\ntrust_level = "untrusted"\n`);
const ask = (more: { cwd?: string; settingSources?: string[]; mayWrite?: boolean } = {}) =>
  projectTrust({
    cwd,
    env: { CODEX_HOME: join(base, 'home') },
    settingSources: undefined,
    mayWrite: true,
    ...more,
  });
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd, stdio: 'ignore' });

describe('what a project brings', () => {
  it('AG-CODEX-UNTOUCHED: where its user has said nothing codex would write down that it is trusted, so it is told', () => {
    expect(ask()).toBe('trusted');
    decided(join(base, 'another'));
    expect(ask()).toBe('trusted');
  });

  it('AG-CODEX-UNTOUCHED: what its user has said stands', () => {
    decided(cwd);
    expect(ask()).toBeUndefined();
  });

  it('the word for a repository counts in its folders, and in its worktrees', () => {
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'x');
    git('worktree', 'add', '-q', '../tree');
    mkdirSync(join(cwd, 'sub'));
    decided(cwd);
    expect(ask({ cwd: join(cwd, 'sub') })).toBeUndefined();
    expect(ask({ cwd: join(base, 'tree') })).toBeUndefined();
    decided(join(base, 'tree'));
    expect(ask({ cwd: join(cwd, 'sub') })).toBe('trusted');
  });

  it('read-only, codex writes nothing down by itself', () => {
    expect(ask({ mayWrite: false })).toBeUndefined();
  });

  it.each([
    [['project'], 'trusted'],
    [['user', 'project'], 'trusted'],
    [['user'], 'untrusted'],
    [[], 'untrusted'],
  ])('setting sources %j go before all', (settingSources, expected) => {
    decided(cwd);
    expect(ask({ settingSources })).toBe(expected);
    expect(ask({ settingSources, mayWrite: false })).toBe(expected);
  });
});
