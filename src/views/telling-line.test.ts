import { describe, expect, it } from 'vitest';
import { headline, reasonsHeadline, tellingLine } from './telling-line.ts';

/** What each prints where one test of several fails, or a file is wrong; shortened. */
const PRINTED: [who: string, output: string, telling: string][] = [
  [
    'node --test, TAP',
    'TAP version 13\n# Subtest: adds\nok 1 - adds\nnot ok 2 - later # TODO\n# Subtest: takes away\nnot ok 3 - takes away\n  error: 1 !== 2\n1..3\n# fail 1',
    'not ok 3 - takes away',
  ],
  ['node --test, spec', '✔ adds (0.5ms)\n✖ takes away (1.1ms)\nℹ tests 2\nℹ fail 1', '✖ takes away (1.1ms)'],
  [
    'vitest',
    ' ❯ src/a.test.ts (2 tests | 1 failed) 5ms\n   × takes away 3ms\n\n FAIL  src/a.test.ts > sums > takes away\nAssertionError: expected 1 to be 2\n Tests  1 failed | 1 passed (2)',
    'FAIL  src/a.test.ts > sums > takes away',
  ],
  [
    'jest',
    'FAIL src/a.test.js\n  sums\n    ✓ adds (2 ms)\n    ✕ takes away (3 ms)\n\n  ● sums › takes away\n\n    expect(received).toBe(expected)\nTests: 1 failed, 1 passed, 2 total',
    '● sums › takes away',
  ],
  ['mocha', '  sums\n    ✔ adds\n    1) takes away\n\n  1 passing\n  1 failing', '1) takes away'],
  [
    'pytest',
    'F.\n=== FAILURES ===\n___ test_minus ___\nE   assert 1 == 2\nFAILED tests/test_sum.py::test_minus - assert 1 == 2\n1 failed, 1 passed',
    'FAILED tests/test_sum.py::test_minus - assert 1 == 2',
  ],
  [
    'go test',
    '=== RUN TestMinus\n    sum_test.go:9: want 2\n--- FAIL: TestMinus (0.00s)\nFAIL\nexit status 1',
    '--- FAIL: TestMinus (0.00s)',
  ],
  [
    'cargo test',
    'running 2 tests\ntest adds ... ok\ntest minus ... FAILED\n\nfailures:',
    'test minus ... FAILED',
  ],
  ['bun test', 'a.test.ts:\n(pass) adds\n(fail) takes away [1ms]\n 1 fail', '(fail) takes away [1ms]'],
  ['tsc', 'src/a.ts(3,7): error TS2322: Type x\nFound 1 error.', 'src/a.ts(3,7): error TS2322: Type x'],
  ['gcc', 'a.c: In function main:\na.c:3:5: error: x undeclared', 'a.c:3:5: error: x undeclared'],
  [
    'cargo build',
    'warning: unused\nerror[E0308]: mismatched types\n --> src/a.rs',
    'error[E0308]: mismatched types',
  ],
  ['python', 'Traceback (most recent call last):\n  File "a.py"\nValueError: bad', 'ValueError: bad'],
  ['make', 'cc a.c\nmake: *** [all] Error 1', 'make: *** [all] Error 1'],
  ['something else', 'looked at 3 files\nREADME.md has no heading\n', 'README.md has no heading'],
];

describe('the line that says most', () => {
  it.each(PRINTED)('UX-TELLING: %s', (_, output, telling) => {
    expect(tellingLine(output.split('\n'))).toBe(telling);
  });

  it('UX-TELLING: that nothing failed tells nothing', () => {
    expect(tellingLine(['0 failed', 'fail 0', 'no heading'])).toBe('no heading');
    expect(tellingLine(['', ' '])).toBeUndefined();
  });

  it('UX-TELLING: a headline has the first line and that one', () => {
    expect(headline('`npm test` ended with exit code 1\nok 1 - a\nnot ok 2 - b\n# fail 1')).toBe(
      '`npm test` ended with exit code 1: not ok 2 - b',
    );
    expect(headline('only this')).toBe('only this');
    expect(reasonsHeadline(['first\nmore', 'second', 'third'])).toBe('first: more (and 2 more reasons)');
  });
});
