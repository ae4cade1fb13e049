import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ageOf, measuredCommit } from '../bench/commit.js';
import { withTable } from '../bench/readme.js';
import { checkAge, OLDEST_BENCH, whyAgeUnknown } from './ledger.ts';
import { projectRoot } from './scratch.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

describe('the age of results', () => {
  it.each([
    ['no commit', {}, { missing: true as const }, 'does not say which commit'],
    ['changes that were not committed', { commit, changed: true }, { commits: 0 }, 'with changes that'],
    ['a commit that is not in the history', { commit }, { missing: true as const }, 'not in the history'],
    ['too many commits since', { commit }, { commits: OLDEST_BENCH + 1 }, `${OLDEST_BENCH + 1} commits old`],
  ])('%s is a problem', (_, source, age, message) => {
    expect(checkAge(source, age)?.message).toContain(message);
  });

  it('a few commits are none, and neither is a clone that cannot tell, which says why', () => {
    expect(checkAge({ commit }, { commits: OLDEST_BENCH })).toBeUndefined();
    expect(checkAge({ commit }, { unknown: 'it is shallow' })).toBeUndefined();
    expect(whyAgeUnknown({ unknown: 'it is shallow' })).toContain('it is shallow');
    expect(whyAgeUnknown({ commits: 1 })).toBeUndefined();
  });

  it('counts the commits that touch what is measured, in a whole clone and in a shallow one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockstep-bench-age-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const origin = join(folder, 'origin');
    const git = (cwd: string, ...argv: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...argv], {
        cwd,
        encoding: 'utf8',
      }).trim();
    const change = (path: string) => {
      writeFileSync(join(origin, path), `${Math.random()}`);
      git(origin, 'add', '-A');
      git(origin, 'commit', '-qm', path);
      return git(origin, 'rev-parse', 'HEAD');
    };
    mkdirSync(join(origin, 'src'), { recursive: true });
    mkdirSync(join(origin, 'docs'));
    mkdirSync(join(origin, 'bench'));
    git(origin, 'init', '-q');
    const first = change('src/a.ts');
    expect(measuredCommit(origin)).toEqual({ commit: first });
    for (const path of ['src/a.ts', 'docs/a.md', 'bench/results.json', 'src/a.test.ts', 'bench/run.js'])
      change(path);
    expect(ageOf(first, origin)).toEqual({ commits: 2 });
    expect(ageOf(commit, origin)).toEqual({ missing: true });
    writeFileSync(join(origin, 'src/a.ts'), 'changed');
    expect(measuredCommit(origin)).toMatchObject({ changed: true });

    git(folder, 'clone', '-q', '--depth', '1', `file://${origin}`, 'shallow');
    expect(ageOf(first, join(folder, 'shallow'))).toEqual({ unknown: expect.stringContaining('shallow') });
    git(folder, 'clone', '-q', `file://${origin}`, 'whole');
    expect(ageOf(first, join(folder, 'whole'))).toEqual({ commits: 2 });
  });
});

describe('the table in README.md', () => {
  it('is the one that the bench made of bench/results.json', () => {
    const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
    const results = JSON.parse(readFileSync(join(projectRoot, 'bench/results.json'), 'utf8'));
    expect(withTable(readme, results)).toBe(readme);
    const [row] = results.rows;
    expect(withTable(readme, { ...results, rows: [{ ...row, ratio: 0.111, pass: false }] })).toContain(
      '| 0.11 **fails** |',
    );
  });
});
