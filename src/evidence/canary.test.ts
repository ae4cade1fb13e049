import { describe, expect, it } from 'vitest';
import { withCanary } from './canary.ts';
import { withTestsOf } from './rust-tests.ts';

const added = (path: string, text: string) => withCanary(path, text, 1)?.slice(text.length).trim();

describe('EV-TESTS-CANARY: a failing test in the words of the file', () => {
  it.each([
    [
      'a.test.js',
      "import { test as check } from 'node:test';\nimport { equal } from 'node:assert';\n",
      "check('lockstep canary'",
      'equal(1, 2',
    ],
    [
      'a.test.js',
      "import test from 'node:test';\nimport assert from 'node:assert/strict';\n",
      "test('lockstep canary'",
      'assert.strictEqual(1, 2',
    ],
    [
      'a.test.cjs',
      "const { it } = require('node:test');\nconst assert = require('assert');\n",
      "it('lockstep canary'",
      'assert.strictEqual(1, 2',
    ],
    [
      'a.test.ts',
      "import { expect, it } from 'vitest';\nit('x', () => { expect(1).toBe(1); });\n",
      "it('lockstep canary'",
      'expect(1).toBe(2)',
    ],
    [
      'a.spec.js',
      "describe('x', () => { it('y', () => {}); });\n",
      "it('lockstep canary'",
      'throw new Error',
    ],
    ['test_a.py', 'def test_a():\n    assert True\n', 'def test_lockstep_canary():', 'assert 1 == 2'],
    ['a_test.go', 'package a\n\nimport "testing"\n', 'func TestLockstepCanary1(t *testing.T)', 't.Fatal('],
    ['src/lib.rs', '#[test]\nfn a() {}\n', 'mod lockstep_canary_1', 'assert_eq!(1, 2'],
    ['test/a.sh', 'true\n', '', ''],
  ])('%s', (path, text, name, assertion) => {
    const whole = withCanary(path, text, 1) ?? '';
    expect(whole).toContain(name);
    expect(whole).toContain(assertion);
    expect(whole.length).toBeGreaterThan(text.length);
  });

  it('comes before what does not come back, and none is made up for what is not known', () => {
    const text =
      "import unittest\n\nclass A(unittest.TestCase):\n    pass\n\nif __name__ == '__main__':\n    unittest.main()\n";
    const whole = withCanary('test_a.py', text, 1) ?? '';
    expect(whole.indexOf('LockstepCanaryTest')).toBeLessThan(whole.indexOf('unittest.main()'));
    expect(added('a_test.go', 'package a\n')).toBeUndefined();
    expect(withCanary('test/data.bin', '', 1)).toBeUndefined();
  });

  it("base's unit tests are put into today's Rust source, braces in texts and comments aside", () => {
    const tests = (body: string) =>
      `#[cfg(test)]\nmod tests {\n    // }\n    #[test]\n    fn a() { ${body} }\n}`;
    const merged = withTestsOf(
      `fn old() {}\n\n${tests('assert_eq!(f(), "{")')}\n`,
      `fn new() {}\n\n${tests('')}\n\nfn more() {}\n`,
    );
    expect(merged).toContain('fn new() {}');
    expect(merged).toContain('fn more() {}');
    expect(merged).toContain('assert_eq!(f(), "{")');
    expect(merged).not.toContain('fn old');
    expect(merged.match(/mod tests/g)).toHaveLength(1);
  });
});
