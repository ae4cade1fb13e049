import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pushFence, remotesOf } from './push-fence.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fence-'));
  execFileSync('git', ['init', '-q', '-b', 'main', root]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const set = (key: string, value: string) => execFileSync('git', ['-C', root, 'config', '--add', key, value]);

/** What git with the fence makes of an address for pushing. */
function pushesTo(remote: string): string {
  const settings = pushFence(root);
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    GIT_CONFIG_COUNT: String(settings.length),
  };
  settings.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  const told = execFileSync('git', ['-C', root, 'remote', 'get-url', '--push', '--all', remote], { env });
  return told.toString().trim();
}

it.each([
  'https://example.org/a.git',
  'ssh://git@example.org/a.git',
  'git@example.org:a.git',
  '/srv/a.git',
  'file:///srv/a.git',
  '../a.git',
])('%s is not pushed to', (url) => {
  set('remote.origin.url', url);
  expect(pushesTo('origin')).toBe(`lockstep::${url}`);
});

it('nor is an address that is only for pushing; one for both is still fetched from', () => {
  set('remote.origin.url', '/srv/a.git');
  set('remote.origin.pushurl', '/srv/b.git');
  expect(pushesTo('origin')).toBe('lockstep::/srv/b.git');
  set('remote.same.url', '/srv/c.git');
  set('remote.same.pushurl', '/srv/c.git');
  expect(pushFence(root).map(([key]) => key)).not.toContain('url.lockstep::/srv/c.git.insteadOf');
});

it('a repository that a test makes for itself is pushed to', () => {
  set('remote.origin.url', '/srv/a.git');
  const other = join(root, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'x'), '');
  set('remote.tmp.url', 'https://example.org/a.git');
  expect(remotesOf(root).map(({ name }) => name)).toEqual(['origin', 'tmp']);
  set('remote.scratch.pushurl', join(other, 'r.git'));
  expect(pushFence(root).map(([, url]) => url)).not.toContain(join(other, 'r.git'));
});
