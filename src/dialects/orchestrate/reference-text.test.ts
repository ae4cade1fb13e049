import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasReference, partsOf, unescaped } from './reference-text.ts';

/** Text as it is, references in angle brackets. */
function shown(source: string): string {
  return partsOf(source)
    .map((part) => (part.kind === 'text' ? part.text : `<${part.name}>`))
    .join('');
}

describe('a foreign text, taken apart', () => {
  const table: [source: string, expected: string][] = [
    ['', ''],
    ['plain', 'plain'],
    ['${a}', '<a>'],
    ['x${a.b}y${c}', 'x<a.b>y<c>'],
    ['${ a.b }', '<a.b>'],
    ['${steps.My Step.output}', '<steps.My Step.output>'],
    // Escapes come first, from the left.
    ['$$', '$'],
    ['$${a}', '${a}'],
    ['$$${a}', '$<a>'],
    ['$$$${a}', '$${a}'],
    ['cost: 5$$', 'cost: 5$'],
    // What starts nothing stands for itself.
    ['$', '$'],
    ['a$', 'a$'],
    ['$HOME $(date) $1', '$HOME $(date) $1'],
    ['${never closed', '${never closed'],
    ['a } b', 'a } b'],
    ['${}', '<>'],
    // The first brace closes.
    ['${a${b}}', '<a${b>}'],
  ];
  it.each(table)('%j', (source, expected) => expect(shown(source)).toBe(expected));

  it('says where every part stands', () => {
    expect(partsOf('a$$b${c}d').map(({ start, end }) => [start, end])).toEqual([
      [0, 4],
      [4, 8],
      [8, 9],
    ]);
  });

  it('its parts cover any text, in order, without a gap', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '.', ' ') }), (source) => {
        let end = 0;
        for (const part of partsOf(source)) {
          expect(part.start).toBe(end);
          end = part.end;
        }
        expect(end).toBe(source.length);
      }),
    );
  });

  it('a text without references is what it is once its escapes are read', () => {
    expect(unescaped('5 $$ for $${x}')).toBe('5 $ for ${x}');
    expect(hasReference('5 $$ for $${x}')).toBe(false);
    expect(hasReference('for ${x}')).toBe(true);
  });

  it('doubling every dollar gives any text back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a') }), (text) => {
        expect(unescaped(text.replaceAll('$', '$$$$'))).toBe(text);
        expect(hasReference(text.replaceAll('$', '$$$$'))).toBe(false);
      }),
    );
  });
});
