// commit: which state of the project was measured, and how many changes have come since. What git says is asked here, by
// the bench and by the ledger; whether that is too many is the ledger's to say (test/ledger.ts).

import { spawnSync } from 'node:child_process';

/** What the bench measures, and what it measures it with. Tests and results change no number. */
const MEASURED = [
  'src',
  'builtin',
  'bench',
  'examples/demo',
  'scripts/build.js',
  'scripts/launcher.cjs',
  'package-lock.json',
  ':!*.test.ts',
  ':!bench/results.json',
];

/** `changed`: what was measured was not committed, so the commit does not say what it was. */
export function measuredCommit(cwd = '.') {
  const commit = git(cwd, 'rev-parse', 'HEAD');
  if (commit === undefined) return {};
  const changed = git(cwd, 'status', '--porcelain', '--', ...MEASURED) !== '';
  return { commit, ...(changed && { changed }) };
}

/** `{ commits }`: so many since then that touch what is measured; `{ unknown }`: why this copy of the project cannot tell. */
export function ageOf(commit, cwd = '.') {
  const isShallow = git(cwd, 'rev-parse', '--is-shallow-repository');
  if (isShallow === undefined) return { unknown: 'this is no git repository' };
  const short = commit.slice(0, 12);
  const isThere = git(cwd, 'merge-base', '--is-ancestor', commit, 'HEAD') !== undefined;
  if (!isThere && isShallow === 'true')
    return { unknown: `this clone is shallow and its history does not reach ${short}` };
  const count = git(cwd, 'rev-list', '--count', `${commit}..HEAD`, '--', ...MEASURED);
  return count === undefined ? { missing: true } : { commits: Number(count) };
}

function git(cwd, ...argv) {
  const { status, stdout } = spawnSync('git', argv, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
