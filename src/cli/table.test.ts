import fc from 'fast-check';
import { expect, it } from 'vitest';
import { displayWidth } from '../views/text/width.ts';
import { table } from './table.ts';

it('puts cells under their titles, and leaves no spaces at the end of a line', () => {
  expect(
    table(
      ['A', 'NAME', ''],
      [
        ['one', 'x', ''],
        ['2', 'longer', 'last'],
      ],
    ),
  ).toBe('A    NAME\none  x\n2    longer  last\n');
});

it('cuts the last column where the terminal ends, and nothing where there is none', () => {
  const long = 'x'.repeat(200);
  expect(table(['A', 'B'], [['a', long]], 20).split('\n')[1]).toBe(`a  ${'x'.repeat(16)}…`);
  expect(table(['A', 'B'], [['a', long]]).split('\n')[1]).toBe(`a  ${long}`);
});

it('no line is wider than the terminal, unless the columns before the last need it', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/\s/g, '_'));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { minLength: 1 }),
      fc.integer({ min: 60, max: 120 }),
      (rows, width) => {
        for (const line of table(['A', 'B'], rows, width).split('\n'))
          expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, 74));
      },
    ),
  );
});
