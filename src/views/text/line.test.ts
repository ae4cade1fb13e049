import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitLine, type Line, lineText, lineWidth, paintLine, piece, renderLines, wrapLine } from './line.ts';

const anyLine: fc.Arbitrary<Line> = fc.array(
  fc
    .tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('good', 'bad', 'dim', 'none'))
    .map(([text, style]) => piece(text, style as 'good')),
  { maxLength: 5 },
);

describe('lines', () => {
  it('are cut across pieces, with one ellipsis for all that is left out', () => {
    const line = [piece('one ', 'good'), piece('two '), piece('three')];
    expect(lineText(fitLine(line, 13))).toBe('one two three');
    expect(lineText(fitLine(line, 12))).toBe('one two thr…');
    expect(lineText(fitLine(line, 8))).toBe('one two…');
    expect(lineText(fitLine(line, 4))).toBe('one…');
    expect(lineText(fitLine(line, 4, '...'))).toBe('o...');
  });

  it('are coloured after they were cut, so a colour never counts and never leaks', () => {
    const painted = paintLine(fitLine([piece('abcdef', 'bad'), piece('gh')], 4), true);
    expect(painted).toBe('\x1b[31mabc…\x1b[0m');
    expect(paintLine([piece('a', 'bad'), piece(' ')], false)).toBe('a');
  });

  it('cannot be made to hold an escape code by a piece of text', () => {
    expect(paintLine([piece('\x1b[2Jx\n')], true)).toBe('x ');
  });

  it('never exceed the width they were fitted to', () => {
    fc.assert(
      fc.property(anyLine, fc.nat(60), (line, columns) => {
        expect(lineWidth(fitLine(line, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('wrap between words, keep their styles, and lose no letter', () => {
    const wrapped = wrapLine(
      [piece('✗ ', 'bad'), piece('verify/test'), piece('  failed after 3.2 s: exit code 1', 'dim')],
      24,
      '    ',
    );
    expect(wrapped.map(lineText)).toEqual(['✗ verify/test  failed', '    after 3.2 s: exit', '    code 1']);
    expect(wrapped[1]?.at(-1)?.style).toBe('dim');
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 12, max: 40 }), (line, columns) => {
        const lines = wrapLine(line, columns, '    ');
        for (const one of lines) expect(lineWidth(one)).toBeLessThanOrEqual(columns);
        expect(lines.map(lineText).join('').replaceAll(' ', '')).toBe(lineText(line).replaceAll(' ', ''));
      }),
    );
  });

  it('render with the ellipsis of the look', () => {
    expect(renderLines([[piece('abcdefgh')]], { width: 6, color: false, unicode: false })).toBe('abc...');
  });
});
