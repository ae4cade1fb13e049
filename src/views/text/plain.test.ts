import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/support/tries.ts';
import { plain, plainLines, tail } from './plain.ts';

describe('plain', () => {
  it.each([
    ['colours', '\x1b[31mred\x1b[0m', 'red'],
    ['cursor moves and clearing', 'a\x1b[2J\x1b[10;3Hb\x1b[1Ac', 'abc'],
    ['an unfinished code at the end', 'end\x1b[', 'end'],
    ['a lone escape', 'a\x1bcb\x1b', 'ab'],
    ['a window title', 'a\x1b]0;evil\x07b', 'ab'],
    ['a hyperlink', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['an unfinished string command', 'a\x1b]52;c;AAAA', 'a'],
    ['eight-bit codes', 'a\x9b31mb\x9d0;t\x9cc', 'abc'],
    ['line breaks and tabs', 'a\r\nb\tc\u2028d', 'a b c d'],
    ['bells and backspaces', 'a\x07\x08\x7fb', 'ab'],
    ['direction overrides', 'safe\u202egpj.exe\u202c', 'safegpj.exe'],
    ['zero-width spaces and byte order marks', 'a\u200b\ufeffb', 'ab'],
    ['heaped marks', `e${'\u0301'.repeat(20)}!`, 'e\u0301\u0301\u0301!'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['emoji joined and selected', '👩‍👧 ❤️', '👩‍👧 ❤️'],
    ['plain text', 'Add login (#12)', 'Add login (#12)'],
  ])('makes %s harmless', (_what, text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it('never leaves a control character, whatever comes in', () => {
    const codes = fc.constantFrom('\x1b', '[', ']', '0', ';', 'm', '\x07', '\x9b', '\n', '\u202e', '\u0301');
    const character = fc.oneof(
      codes,
      fc.nat(0xffff).map((code) => String.fromCharCode(code)),
    );
    const nasty = fc.array(character, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(nasty, (text) => {
        expect(plain(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
        expect(plain(plain(text))).toBe(plain(text));
      }),
      { numRuns: tries(500, 100) },
    );
  });

  it('looks at a bounded part of a huge text, in bounded time', () => {
    expect(plain(`\x1b]${'x'.repeat(5_000_000)}`).length).toBeLessThan(5000);
    expect(plain('\x1b['.repeat(2_000_000))).toBe('… (and 3,995,904 more characters)');
    expect(plain('x'.repeat(4096))).toBe('x'.repeat(4096));
  });
});

describe('plainLines and tail', () => {
  it('splits at any line ending and drops blank lines at the end', () => {
    expect(plainLines('a\r\nb\rc\n\x1b[1md\n\n')).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    ['', []],
    ['\n\n', []],
    ['one', ['one']],
    ['1\n2\n3\n4\n', ['3', '4']],
    ['3\r\n4\r\n', ['3', '4']],
    ['\n4', ['', '4']],
  ])('gives the last two lines of %j', (text, expected) => {
    expect(tail(text, 2)).toEqual(expected);
  });
});
