import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../expressions/expressions.ts';
import type { Json } from '../model/json.ts';
import { parseDuration } from '../source/grammar/measure.ts';
import { nameProblem } from '../source/grammar/name.ts';
import { slug } from '../source/grammar/slug.ts';
import { braceParts, celText, celValue, durationText, FreeNames, member } from './native-text.ts';

const nowhere = { lookup: () => undefined, fact: () => undefined };

describe('CEL literals', () => {
  it('give any value back as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Json;
        expect(evaluate(celValue(plain), nowhere)).toEqual({ kind: 'value', value: plain });
      }),
    );
  });

  it.each([0, -1, 1.5, 1e21, 1e300, 2 ** 53, 2 ** 64, -(2 ** 70)])('%d', (value) => {
    expect(evaluate(celValue(value), nowhere)).toEqual({ kind: 'value', value });
  });

  it('a text is never cut short, whatever stands in it', () => {
    for (const text of ['"', '\\', '\n\r\t\b\f', '}}', "'", '\u2028', '😀', '${x}'])
      expect(evaluate(celText(text), nowhere)).toEqual({ kind: 'value', value: text });
  });

  it('a field is read by its name, or in brackets', () => {
    expect(member('a', 'b')).toBe('a.b');
    expect(member('a', 'b-c')).toBe('a["b-c"]');
    expect(member('a', 'in')).toBe('a["in"]');
    expect(member('a', '0')).toBe('a["0"]');
  });
});

describe('braces', () => {
  const table: [text: string, before: boolean, expected: string][] = [
    ['{"a": 1}', true, '{"a": 1}'],
    ['{{ x }}', false, '<{{> x }}'],
    ['{%if%}', false, '<{%>if%}'],
    ['{{{%', false, '<{{{%>'],
    ['a{', true, 'a<{>'],
    ['a{', false, 'a{'],
    ['{ {', true, '{ <{>'],
  ];
  it.each(table)('%j before an expression: %j', (text, before, expected) => {
    const shown = braceParts(text, before).map((part) => (part.opens ? `<${part.text}>` : part.text));
    expect(shown.join('')).toBe(expected);
  });
});

describe('durations', () => {
  it.each([
    [1500, '1500ms'],
    [1000, '1s'],
    [300_000, '5m'],
    [0, '0s'],
    [0.0001, '1ms'],
    [250.4, '250ms'],
  ])('%d ms', (milliseconds, expected) => expect(durationText(milliseconds)).toBe(expected));

  it('are read back as what they were, to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (milliseconds) => {
        expect(parseDuration(durationText(milliseconds))).toBe(milliseconds);
      }),
    );
  });
});

describe('names', () => {
  it.each([
    ['Build', 'Build'],
    ['build-it_2', 'build-it_2'],
    ['_setup', '_setup'],
    ['Run all tests!', 'Run_all_tests'],
    ['Ärger', 'Arger'],
    ['日本', 'step'],
    ['--', 'step'],
    ['', 'step'],
    ['__proto__', 'step'],
  ])('%j', (name, expected) => expect(slug(name, 'step')).toBe(expected));

  it('a slug is a name in our language', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(nameProblem(slug(text, 'step').replace(/^end$/, 'x'), 'id')).toBeUndefined();
      }),
    );
  });

  it('every wish gets a name of its own', () => {
    const names = new FreeNames(['end']);
    expect(['a', 'a', 'a_2', 'a', 'end'].map((wish) => names.take(wish))).toEqual([
      'a',
      'a_2',
      'a_2_2',
      'a_3',
      'end_2',
    ]);
  });
});
