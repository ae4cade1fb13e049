import { describe, expect, it } from 'vitest';
import { differences, textProblems } from './compare-value.ts';

describe('differences', () => {
  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2, d: 3 }], e: null } }],
    [null, null],
    [[], []],
    ['x', 'x'],
  ])('a map may hold more than is expected: %j in %j', (expected, actual) => {
    expect(differences(expected, actual)).toEqual([]);
  });

  it('LS-TEST-DIFF: names every place that differs', () => {
    expect(
      differences(
        { a: { b: 1, c: [1, 2], d: { e: 'x' } }, f: true, g: [1] },
        { a: { b: 2, c: [1], d: null }, g: [{}] },
      ),
    ).toEqual([
      'a.b: expected 1, was 2',
      'a.c: expected 2 items, there are 1: [1]',
      'a.d: expected {"e":"x"}, was null',
      'f: expected true, there is none',
      'g[0]: expected 1, was {}',
    ]);
  });

  it('is not taken in by what every object inherits', () => {
    expect(differences({ constructor: 1 }, {})).toEqual(['constructor: expected 1, there is none']);
  });
});

describe('textProblems', () => {
  const text = 'one\ntwo\nthree\n';
  it('says which line differs', () => {
    expect(textProblems({ equals: 'one\nTWO\nthree\n', contains: [], lacks: [] }, text)).toEqual([
      'line 2 differs:',
      '  - TWO',
      '  + two',
    ]);
    expect(textProblems({ equals: 'one\ntwo', contains: [], lacks: [] }, text)).toEqual([
      'line 3 differs:',
      '  - (nothing more)',
      '  + three',
    ]);
  });

  it('says what is missing, with what there is, and what should not be there', () => {
    expect(textProblems({ contains: ['two', 'four'], lacks: ['three', 'five'] }, text)).toEqual([
      'it does not contain "four"',
      '  | one',
      '  | two',
      '  | three',
      'it contains "three", and must not',
    ]);
  });

  it('is content with what is there', () => {
    expect(textProblems({ equals: text, contains: ['two'], lacks: ['four'] }, text)).toEqual([]);
  });
});
