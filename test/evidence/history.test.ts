// How often honest work would be asked something: over the history of this repository, by what can be told without running
// anything. Changed expectations need runs, and an implementer names them; they are not in this number.

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { definitionChanges } from '../../src/evidence/definitions.ts';
import { projectRoot } from '../scratch.ts';

const git = (...args: string[]) =>
  execFileSync('git', args, {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const MOST = 150;
/** Up to here, so that the number stays the same: what came later may be about tests themselves. */
const UNTIL = '1d64684';
const isShallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
const commits = git('log', '--no-merges', '--format=%H', `-n${MOST}`, UNTIL, '--', 'src').trim().split('\n');

function tree(commit: string) {
  const files = new Set(git('ls-tree', '-r', '--name-only', commit).split('\n'));
  return { text: (path: string) => (files.has(path) ? git('show', `${commit}:${path}`) : undefined) };
}

function asked(commit: string): string[] {
  const changed = git('diff', '--no-renames', '--name-only', `${commit}~1`, commit)
    .split('\n')
    .filter(Boolean);
  return definitionChanges(tree(`${commit}~1`), tree(commit), changed, 'npm test').map(
    ({ file, setting = '' }) => `${file} ${setting}`.trim(),
  );
}

it('EV-TESTS-TARGET: at most 1 in 50 changes of this repository asks about what defines its tests', ({
  skip,
}) => {
  if (isShallow || commits.length < 50) skip('needs the history of the repository');
  const asking = commits
    .map((commit) => ({ commit, asks: asked(commit) }))
    .filter(({ asks }) => asks.length > 0);
  const told = asking.map(({ commit, asks }) => `${commit.slice(0, 8)} ${asks.join('; ')}`);
  process.stdout.write(`${[`${asking.length} of ${commits.length} changes ask:`, ...told].join('\n  ')}\n`);
  expect(told.length, told.join('\n')).toBeLessThanOrEqual(commits.length / 50);
}, 120_000);
