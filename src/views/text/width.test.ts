import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plain } from './plain.ts';
import { displayWidth, padEnd, padStart, truncate, wrap } from './width.ts';

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['日本語', 6],
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['✓ ● ○ …', 7],
    ['👍', 2],
    ['❤️', 2],
    ['🇩🇪', 2],
    // Terminals that do not join them show three emoji: the larger figure counts.
    ['👩‍👩‍👧', 6],
    ['', 0],
  ])('%s takes %i columns', (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(fc.constantFrom('日', 'a', '👍🏽', 'e\u0301', ' ', '👩‍👧', 'ｗ', '❤️'), { maxLength: 30 })
    .map((parts) => parts.join('')),
);

describe('truncate', () => {
  it.each([
    ['hello world', 8, 'hello w…'],
    ['hello world', 11, 'hello world'],
    ['hello  world', 7, 'hello…'],
    ['日本語テキスト', 6, '日本…'],
    ['日本語テキスト', 7, '日本語…'],
    ['👩‍👩‍👧 family', 4, '…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('%j in %i columns is %j', (text, columns, expected) => {
    expect(truncate(text, columns)).toBe(expected);
  });

  it('never gives more columns than asked for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(50), fc.constantFrom('…', '...'), (text, columns, ellipsis) => {
        expect(displayWidth(truncate(plain(text), columns, ellipsis))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe('wrap', () => {
  it('breaks between words and cuts what is longer than a line', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
    expect(wrap('日本語テキスト', 5)).toEqual(['日本', '語テ', 'キス', 'ト']);
    expect(wrap('', 10)).toEqual([]);
  });

  it('loses no letter and exceeds no width', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 6, max: 40 }), (text, columns) => {
        const clean = plain(text);
        const lines = wrap(clean, columns);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(clean.replaceAll(' ', ''));
      }),
    );
  });
});

describe('padding', () => {
  it('fills to columns, not to characters', () => {
    expect(padEnd('日本', 6)).toBe('日本  ');
    expect(padStart('日本', 6)).toBe('  日本');
    expect(padEnd('long enough', 4)).toBe('long enough');
  });
});
