import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { test } from '../../expressions/expressions.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { said, stepsOf } from './fixtures/sample-translation.ts';

const cel = (condition: JsonObject): string =>
  stepsOf(`  - { id: a, prompt: x, runCondition: ${JSON.stringify(condition)} }`)[0]?.if as string;

/** Whether a condition holds in this context. */
function holds(condition: JsonObject, context: Record<string, Json> = {}): boolean {
  const result = test(cel(condition), {
    lookup: (root) => (root === 'vars' ? context : root === 'inputs' ? {} : undefined),
    fact: () => undefined,
  });
  if (result.kind !== 'value') throw new Error(`${cel(condition)}: ${JSON.stringify(result)}`);
  return result.value === true;
}

const x = (test: JsonObject): JsonObject => ({ var: 'x', ...test });

describe('RAIL-CONDITIONS: conditions', () => {
  it.each([
    [x({ equals: 'Large' }), 'Large', true],
    [x({ equals: 'Large' }), ' large ', true],
    [x({ equals: 'Large' }), 'Larger', false],
    [x({ equals: 3 }), '3', true],
    [x({ equals: '3' }), 3, true],
    [x({ equals: null }), null, true],
    [x({ equals: true }), 'TRUE', true],
    [x({ equals: true }), 'yes', true],
    [x({ equals: true }), 1, true],
    [x({ equals: true }), 'no', false],
    [x({ equals: false }), 'No', true],
    [x({ equals: false }), 0, true],
    [x({ equals: false }), null, false],
    [x({ not_equals: 'Small' }), 'Large', true],
    [x({ not_equals: 'Small' }), 'small', false],
    [x({ not_equals: true }), 'yes', false],
    [x({ not_equals: [] }), [], false],
    [x({ not_equals: [] }), [1], true],
    [x({ gt: 3 }), 4, true],
    [x({ gt: 3 }), '4', true],
    [x({ gt: 3 }), 3, false],
    [x({ gte: 3 }), 3, true],
    [x({ lt: 3 }), 2.5, true],
    [x({ lte: '3' }), 3, true],
    [x({ gt: 3 }), 'many', false],
    [x({ gt: 1, lt: 5 }), 3, true],
    [x({ gt: 1, lt: 5 }), 7, false],
    [x({ in: ['QUICK', 'STANDARD'] }), 'quick', true],
    [x({ in: ['QUICK', 'STANDARD'] }), 'THOROUGH', false],
    [x({ in: [true, 2] }), 'yes', true],
    [x({ in: [] }), 'a', false],
    [x({ contains: 'Auth' }), 'the auth module', true],
    [x({ contains: 'ui' }), ['API', 'UI'], true],
    [x({ contains: 'ui' }), ['API'], false],
    [x({ startsWith: 'feat' }), 'Feature', true],
    [x({ endsWith: '.TS' }), 'a.ts ', true],
    [x({ startsWith: 'a' }), 7, false],
    [x({ matches: '^v\\d+' }), 'v12', true],
    [x({ matches: '^v\\d+' }), 'w12', false],
    [x({}), 'anything', true],
    [x({}), '', false],
    [x({}), 0, false],
  ] as [JsonObject, Json, boolean][])('%j of %j: %s', (condition, value, expected) => {
    expect(holds(condition, { x: value }), cel(condition)).toBe(expected);
  });

  it('of what is not set: null, and nothing is an error', () => {
    for (const test of [
      { equals: 'a' },
      { gt: 1 },
      { in: ['a'] },
      { contains: 'a' },
      { startsWith: 'a' },
      { endsWith: 'a' },
      { matches: 'a' },
      { equals: false },
      {},
    ] as JsonObject[])
      expect(holds(x(test)), JSON.stringify(test)).toBe(false);
    expect(holds(x({ not_equals: 'Small' }))).toBe(true);
    expect(holds(x({ equals: null }))).toBe(true);
  });

  it('are joined by and, or and not, with the brackets that they need', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name): JsonObject => ({ var: name, equals: name })) as [
      JsonObject,
      JsonObject,
      JsonObject,
    ];
    expect(cel({ and: [a, { or: [b, c] }] })).toBe(
      'same(vars.a, "a") && (same(vars.b, "b") || same(vars.c, "c"))',
    );
    expect(cel({ and: [a, { and: [b, c] }] })).toBe(
      'same(vars.a, "a") && same(vars.b, "b") && same(vars.c, "c")',
    );
    expect(cel({ not: { or: [a, b] } })).toBe('!(same(vars.a, "a") || same(vars.b, "b"))');
    expect(cel({ not: { not: a } })).toBe('same(vars.a, "a")');
    expect([holds({ and: [] }), holds({ or: [] })]).toEqual([true, false]);
  });

  it('mean what they say, however deep', () => {
    const leaf = fc.constantFrom('a', 'b', 'c').map((name): JsonObject => ({ var: name, equals: true }));
    const tree = fc.letrec<{ condition: JsonObject }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record({ not: tie('condition') }),
        fc.record({ and: fc.array(tie('condition'), { maxLength: 3 }) }),
        fc.record({ or: fc.array(tie('condition'), { maxLength: 3 }) }),
      ),
    })).condition;
    const truth = (node: JsonObject, context: Record<string, boolean>): boolean => {
      if ('not' in node) return !truth(node.not as JsonObject, context);
      if ('and' in node) return (node.and as JsonObject[]).every((each) => truth(each, context));
      if ('or' in node) return (node.or as JsonObject[]).some((each) => truth(each, context));
      return context[node.var as string] ?? false;
    };
    const context = fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.boolean() });
    fc.assert(fc.property(tree, context, (one, given) => holds(one, given) === truth(one, given)));
  });

  it('a key is one key, dots and all', () => {
    expect(cel({ var: 'review.status', equals: 'ok' })).toBe('same(vars["review.status"], "ok")');
    expect(holds({ var: 'review.status', equals: 'ok' }, { 'review.status': 'OK' })).toBe(true);
  });

  it('that say nothing, or two things at once, are errors', () => {
    const problems = said(
      [
        'id: w',
        'steps:',
        '  - { id: a, prompt: x, runCondition: { equals: 1 } }',
        '  - { id: b, prompt: x, runCondition: { var: x, and: [] } }',
        '  - { id: c, prompt: x, runCondition: { var: x, equls: 1 } }',
      ].join('\n'),
    );
    expect(problems).toEqual([
      expect.stringMatching(/^condition-syntax 3:/),
      expect.stringMatching(/^condition-syntax 4:/),
      expect.stringMatching(/^unknown-field 5:/),
    ]);
  });
});
