import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern } from './expressions.ts';

function found(source: string, text: string): boolean {
  const pattern = linearPattern(source);
  if (pattern.kind === 'error') throw new Error(pattern.message);
  return pattern.test(text);
}

describe('linearPattern', () => {
  it('is true where the pattern is found anywhere', () => {
    expect(found('b+', 'abbc')).toBe(true);
    expect(found('^b', 'ab')).toBe(false);
    expect(found('(?i)^ABC$', 'abc')).toBe(true);
    expect(found('^.$', '😀')).toBe(true);
    expect(found('', 'x')).toBe(true);
  });

  it.each([
    '(',
    '[z-a]',
    'a{1001}',
    String.raw`(a)\1`,
    '(?=a)',
    '((a{100}){100}){100}',
    '('.repeat(4_000),
    'a'.repeat(5_001),
  ])('%s is no pattern', (source) => {
    expect(linearPattern(source)).toMatchObject({ kind: 'error', message: expect.stringMatching(/pattern/) });
  });

  it('X6: takes time linear in the text', () => {
    const before = performance.now();
    for (const source of ['^(a+)+$', '(x+x+)+y', '^(a|aa)+$', '(a*)*b', '(.*a){20}$'])
      found(source, `${'a'.repeat(50_000)}b`);
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('X1: answers for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (source, text) => {
        const pattern = linearPattern(source);
        return pattern.kind === 'error' || typeof pattern.test(text) === 'boolean';
      }),
    );
  });
});
