import { describe, expect, it } from 'vitest';
import { countsOf, passedByNumbers, readResults } from './read-results.ts';

const ids = (results: ReturnType<typeof readResults>) => results.map(({ id, status }) => `${status} ${id}`);

describe('EV-TESTS-RUNNERS: what runners say of each test, as recorded', () => {
  it('jest, with a file that could not be loaded', () => {
    const text = JSON.stringify({
      testResults: [
        {
          name: '/room/app/sum.test.js',
          status: 'failed',
          assertionResults: [
            {
              ancestorTitles: ['sums'],
              title: 'adds',
              fullName: 'sums adds',
              status: 'passed',
              numPassingAsserts: 2,
            },
            { ancestorTitles: [], title: 'zero', fullName: 'zero', status: 'failed', numPassingAsserts: 0 },
            { ancestorTitles: [], title: 'later', fullName: 'later', status: 'todo', numPassingAsserts: 0 },
          ],
        },
        {
          name: '/room/app/broken.test.js',
          status: 'failed',
          message: 'Cannot find module',
          assertionResults: [],
        },
      ],
    });
    const results = readResults([{ name: '1-2.jest.json', text }], '', '/room/app');
    expect(ids(results)).toEqual([
      'pass sum.test.js > sums > adds',
      'fail sum.test.js > zero',
      'skip sum.test.js > later',
      'fail broken.test.js > (the file)',
    ]);
    expect(results[0]?.asserts).toBe(2);
    expect(countsOf(results)).toEqual({ passed: 1, failed: 2, skipped: 1 });
  });

  it('mocha', () => {
    const test = (fullTitle: string) => ({ title: fullTitle, fullTitle, file: '/room/test/sum.js', err: {} });
    const text = JSON.stringify({
      tests: [test('sums adds'), test('sums zero'), test('sums later')],
      pending: [test('sums later')],
      failures: [test('sums zero')],
      passes: [test('sums adds')],
    });
    expect(ids(readResults([{ name: '1.mocha.json', text }], '', '/room'))).toEqual([
      'pass test/sum.js > sums adds',
      'fail test/sum.js > sums zero',
      'skip test/sum.js > sums later',
    ]);
  });

  it('go test -json, with a package that does not build', () => {
    const output = [
      '{"Time":"2026-01-01T00:00:00Z","Action":"run","Package":"example.org/sums","Test":"TestAdd"}',
      '{"Action":"output","Package":"example.org/sums","Test":"TestAdd","Output":"--- PASS: TestAdd (0.00s)\\n"}',
      '{"Action":"pass","Package":"example.org/sums","Test":"TestAdd","Elapsed":0}',
      '{"Action":"skip","Package":"example.org/sums","Test":"TestLater","Elapsed":0}',
      '{"Action":"fail","Package":"example.org/broken","Elapsed":0}',
      'FAIL',
    ].join('\n');
    expect(ids(readResults([], output, '/room'))).toEqual([
      'pass example.org/sums > TestAdd',
      'skip example.org/sums > TestLater',
      'fail example.org/broken > (the file)',
    ]);
  });

  it('cargo, whose tests are text; and names that come twice are told apart', () => {
    const output =
      'running 3 tests\ntest tests::adds ... ok\ntest tests::zero ... FAILED\ntest tests::panics - should panic ... ok\n\nrunning 1 test\ntest tests::adds ... ignored\n';
    expect(ids(readResults([], output, '/room'))).toEqual([
      'pass tests::adds',
      'fail tests::zero',
      'pass tests::panics',
      'skip tests::adds (2)',
    ]);
  });

  it('what is no result is none', () => {
    expect(readResults([{ name: 'x.lines', text: '{"file":1}\nnonsense\n' }], 'ok', '/room')).toEqual([]);
    expect([
      passedByNumbers('Ran 12 tests in 0.1s\nOK'),
      passedByNumbers('5 passed, 1 failed'),
      passedByNumbers('fine'),
    ]).toEqual([12, 5, undefined]);
  });
});
