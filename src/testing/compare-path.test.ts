import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANYTHING, partingOf, showParting } from './compare-path.ts';

const steps = (text: string): string[] => (text === '' ? [] : text.split(' '));

describe('partingOf', () => {
  it.each([
    ['a b c', 'a b c'],
    ['', ''],
    ['…', ''],
    ['…', 'a b c'],
    ['a … c', 'a c'],
    ['a … c', 'a b b c'],
    ['… b … b', 'a b c b'],
    ['… b', 'b b b'],
    ['a … …', 'a'],
  ])('%s agrees with %s', (expected, actual) => {
    expect(partingOf(steps(expected), steps(actual))).toBeUndefined();
  });

  it.each([
    ['a b c', 'a x c', 1, 1],
    ['a b', 'a b c', 2, 2],
    ['a b c', 'a b', 2, 2],
    ['', 'a', 0, 0],
    ['a … d', 'a b c', 2, 3],
    ['a b … z', 'a x', 1, 1],
  ])('%s parts from %s', (expected, actual, at, reached) => {
    expect(partingOf(steps(expected), steps(actual))).toEqual({ expected: at, actual: reached });
  });

  it('agrees with whatever is made by leaving steps out for a `…`', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
    fc.assert(
      fc.property(list, fc.nat(8), fc.nat(8), (actual, from, count) => {
        const at = Math.min(from, actual.length);
        const expected = [...actual.slice(0, at), ANYTHING, ...actual.slice(at + count)];
        expect(partingOf(expected, actual)).toBeUndefined();
      }),
    );
  });

  it('without a `…` agrees with itself alone', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 });
    fc.assert(
      fc.property(list, list, (expected, actual) => {
        const same = JSON.stringify(expected) === JSON.stringify(actual);
        expect(partingOf(expected, actual) === undefined).toBe(same);
      }),
    );
  });
});

describe('showParting', () => {
  it('LS-TEST-DIFF: shows a little of what agreed, then both sides', () => {
    const expected = steps('a b c d fix verify');
    const actual = steps('a b c d verify');
    const parting = partingOf(expected, actual);
    expect(parting && showParting(expected, actual, parting)).toEqual([
      '    … 1 steps as expected',
      '    b',
      '    c',
      '    d',
      '  - fix',
      '  - verify',
      '  + verify',
    ]);
    expect(showParting(['a'], [], { expected: 0, actual: 0 })).toEqual(['  - a', '  + (nothing more)']);
  });
});
