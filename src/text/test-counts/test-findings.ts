// test-findings: what of a change of tests a person would want to know → findings, with what to do.

import type { Finding } from '../findings/finding.ts';
import type { TestChange, TestCounts } from './count-tests.ts';

const MOST_NAMED = 5;
const PUT_BACK =
  'Put back what is missing, or replace it. Where a requirement itself takes it away, say which one, as what you did not fix and why: a person decides.';

interface Kind {
  of: keyof TestCounts;
  worse: 'more' | 'fewer';
  level: 'critical' | 'important';
  words: readonly [one: string, many: string];
  fix: string;
  /** As many as there are more of these are no finding. */
  unless?: keyof TestCounts;
}

const KINDS: readonly Kind[] = [
  {
    of: 'alone',
    worse: 'more',
    level: 'critical',
    words: [
      'test or suite that keeps all others from running (`only`)',
      'tests or suites that keep all others from running (`only`)',
    ],
    fix: 'Take `only` away, so that every test runs.',
  },
  { of: 'tests', worse: 'fewer', level: 'important', words: ['test', 'tests'], fix: PUT_BACK },
  { of: 'assertions', worse: 'fewer', level: 'important', words: ['assertion', 'assertions'], fix: PUT_BACK },
  {
    of: 'skipped',
    worse: 'more',
    level: 'important',
    words: ['test or suite that is skipped', 'tests or suites that are skipped'],
    fix: 'Let them run, and mend what they find.',
  },
  {
    of: 'conditional',
    worse: 'more',
    level: 'important',
    words: ['condition under which tests are skipped', 'conditions under which tests are skipped'],
    fix: 'Let the tests that were there run as before.',
    // A new test may have a condition of its own.
    unless: 'tests',
  },
  {
    of: 'failing',
    worse: 'more',
    level: 'important',
    words: ['test that is expected to fail', 'tests that are expected to fail'],
    fix: 'Mend what it finds, and let it count.',
  },
];

export function testFindings(change: TestChange): Finding[] {
  return KINDS.flatMap((kind) => {
    const { of, worse, level, words, fix, unless } = kind;
    const [was, is] = [change.before[of], change.after[of]];
    const difference = worse === 'more' ? is - was : was - is;
    const excused = unless === undefined ? 0 : Math.max(0, change.after[unless] - change.before[unless]);
    if (difference <= excused) return [];
    const where = guilty(change, kind);
    const what = `${difference} ${words[difference === 1 ? 0 : 1]}`;
    const message = `${what} ${worse} than when the run began: ${was} then, ${is} now, in all test files that changed${named(where)}`;
    return [{ level, message, fix, ...(where[0] && { files: [where[0].path] }) }];
  });
}

type Guilty = TestChange['files'][number] & { by: number };

/** Where it got worse, the most first. */
function guilty({ files }: TestChange, { of, worse }: Kind): Guilty[] {
  return files
    .map((file) => ({ ...file, by: (worse === 'more' ? 1 : -1) * (file.after[of] - file.before[of]) }))
    .filter(({ by }) => by > 0)
    .sort((left, right) => right.by - left.by);
}

function named(files: readonly Guilty[]): string {
  const shown = files
    .slice(0, MOST_NAMED)
    .map(({ path, by, deleted }) => `${path} ${by}${deleted ? ', deleted' : ''}`);
  const more = files.length > MOST_NAMED ? [`${files.length - MOST_NAMED} more files`] : [];
  return files.length === 0 ? '' : ` (${[...shown, ...more].join('; ')})`;
}
