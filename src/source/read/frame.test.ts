import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sourceFrame } from './frame.ts';
import { sourceText } from './source.ts';

function frame(text: string, start: number, end: number): string {
  return sourceFrame(text, sourceText('f', text).span(start, end));
}

describe('sourceFrame', () => {
  it('shows the line, the one above it and the place', () => {
    expect(frame('a: 1\nb: two\nc: 3\n', 8, 11)).toBe('1 | a: 1\n2 | b: two\n  |    ^^^');
  });

  it('leaves out a blank line above, and marks one column at least', () => {
    expect(frame('\nb: two', 4, 4)).toBe('2 | b: two\n  |    ^');
  });

  it('lines numbers up', () => {
    expect(frame(`${'x\n'.repeat(9)}y`, 18, 19)).toBe(' 9 | x\n10 | y\n   | ^');
  });

  it('underlines to the end of the line where the place goes on', () => {
    expect(frame('abc\ndef', 1, 6)).toBe('1 | abc\n  |  ^^');
  });

  it('keeps tabs before the place, so that both lines shift alike', () => {
    expect(frame('\tkey', 1, 4)).toBe('1 | \tkey\n  | \t^^^');
  });

  it('cuts a long line around the place', () => {
    const text = `${'a'.repeat(300)}HERE${'b'.repeat(300)}`;
    const [line = '', mark = ''] = frame(text, 300, 304).split('\n');
    expect(line.length).toBeLessThan(140);
    expect(line.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1)).toBe('HERE');
  });

  it('shows no control character, and no carriage return', () => {
    expect(frame('a\u001b[31mb\r\n', 0, 1)).toBe('1 | a\uFFFD[31mb\n  | ^');
  });

  it('marks the same text that the span is of, wherever it is', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n'), maxLength: 400 });
    fc.assert(
      fc.property(text, fc.nat(400), fc.nat(5), (given, at, length) => {
        const start = Math.min(at, given.length);
        const lines = frame(given, start, start + length).split('\n');
        const [line = '', mark = ''] = lines.slice(-2);
        const span = sourceText('f', given).span(start, start + length);
        const shown = line.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1);
        const meant = (given.split('\n')[span.line - 1] ?? '').replace(/\r$/, '').slice(span.column - 1);
        expect(meant.startsWith(shown.replace(/…$/, ''))).toBe(true);
      }),
    );
  });
});
