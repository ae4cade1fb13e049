import { RE2JS } from 're2js';
import { describe, expect, it, vi } from 'vitest';
import type { Json, JsonObject } from '../model/json.ts';
import { violations } from './schema.ts';

const check = (schema: JsonObject, value: Json) => violations('review', schema, value);

describe('violations', () => {
  it('says what does not fit, with where it is', async () => {
    const schema: JsonObject = {
      type: 'object',
      required: ['title', 'confidence'],
      additionalProperties: false,
      properties: {
        title: { type: 'string', minLength: 3 },
        confidence: { enum: ['low', 'high'] },
        version: { const: 2 },
        issues: { type: 'array', items: { type: ['integer', 'null'] }, maxItems: 1 },
      },
    };
    expect(await check(schema, { confidence: 'medium', version: 1, issues: ['a', 2], extra: 1 })).toEqual([
      'the answer must have the property "title"',
      'the answer must not have the property "extra"',
      '/confidence must be one of "low", "high"',
      '/version must be 2',
      '/issues must not have more than 1 items',
      '/issues/0 must be a whole number or null',
    ]);
    expect(await check(schema, { title: 'abc', confidence: 'low' })).toEqual([]);
    expect(await check(schema, 'text')).toEqual(['the answer must be an object']);
  });

  it('reports twenty and counts the rest', async () => {
    const found = await check(
      { items: { type: 'string' } },
      Array.from({ length: 50 }, (_, index) => index),
    );
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toBe('and 30 more that do not fit');
  });

  it('reports the first problem only of an answer so large that all would fill the memory', async () => {
    const found = await check(
      { items: { type: 'string' } },
      Array.from({ length: 200_000 }, (_, index) => index),
    );
    expect(found).toEqual(['/0 must be a string']);
  });

  it('names alternatives once', async () => {
    const schema: JsonObject = { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'integer' }] };
    expect(await check(schema, null)).toContain(
      'the answer must fit one of the alternatives the schema gives',
    );
    expect(await check(schema, 1)).toEqual([
      'the answer must fit only one of the alternatives the schema gives',
    ]);
    expect(await check(schema, 1.5)).toEqual([]);
  });

  it('has a sentence for every keyword that people use', async () => {
    const conditional = JSON.parse('{"if": true, "then": {"type": "string"}}') as JsonObject;
    const table: [JsonObject, Json, string][] = [
      [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'the answer must have the property "b"'],
      [{ properties: { a: false } }, { a: 1 }, '/a must not be there'],
      [{ unevaluatedProperties: false }, { a: 1 }, 'the answer must not have the property "a"'],
      [{ anyOf: [{ const: 1 }] }, 2, 'the answer must fit one of the alternatives the schema gives'],
      [conditional, 1, 'the answer must be a string'],
      [{ minimum: 3 }, 1, 'the answer must be >= 3'],
      [{ uniqueItems: true }, [1, 1], 'the answer must not have the same item twice (items 0 and 1)'],
      [{ not: {} }, 1, 'the answer must not be what the schema excludes'],
      [
        { enum: Array.from({ length: 25 }, (_, index) => index) },
        'x',
        'the answer must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 (and 5 more)',
      ],
    ];
    for (const [schema, value, sentence] of table) expect(await check(schema, value)).toContain(sentence);
    expect(await check(conditional, 1)).toHaveLength(1);
  });

  it('looks only at properties of the value itself', async () => {
    expect(await check({ required: ['constructor'] }, {})).toEqual([
      'the answer must have the property "constructor"',
    ]);
    const hostile = JSON.parse('{"__proto__": {"title": 1}}') as Json;
    expect(await check({ required: ['title'] }, hostile)).toHaveLength(1);
  });
});

describe('schemas that users bring', () => {
  it.each([
    ['http://json-schema.org/draft-04/schema#', { items: [{ type: 'string' }] }],
    ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
    ['https://json-schema.org/draft/2019-09/schema', { items: [{ type: 'string' }] }],
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }],
  ] as const)('of %s work', async ($schema, schema) => {
    expect(await check({ $schema, ...schema } as unknown as JsonObject, [1])).toEqual([
      '/0 must be a string',
    ]);
  });

  it('without `$schema` are read as what they use', async () => {
    expect(await check({ items: [{ type: 'string' }] }, [1])).toHaveLength(1);
    expect(await check({ prefixItems: [{ type: 'string' }] }, [1])).toHaveLength(1);
    expect(await check({ $defs: { a: { type: 'string' } }, items: { $ref: '#/$defs/a' } }, [1])).toHaveLength(
      1,
    );
  });

  it('may use formats, known and unknown, and keywords nobody knows', async () => {
    const schema: JsonObject = {
      properties: { day: { format: 'date' }, shape: { format: 'hexagon' } },
      'x-note': 'hello',
    };
    expect(await check(schema, { day: 'soon', shape: 'round' })).toEqual(['/day must match format "date"']);
  });

  it('cannot make a pattern take longer than the text is long', async () => {
    expect(await check({ pattern: '^(a+)+$' }, `${'a'.repeat(100_000)}b`)).toEqual([
      'the answer must match pattern "^(a+)+$"',
    ]);
    expect(await check({ pattern: '^\\d{2}\\u00e9$' }, '12é')).toEqual([]);
  });

  it('may have several patterns, each its own', async () => {
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
    expect(await check(schema, { a: 'a', b: 'b' })).toEqual([]);
    expect(await check(schema, { a: 'b', b: 'a' })).toHaveLength(2);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['a type that does not exist', { type: 'strnig' }, /cannot be used/],
    ['a reference to nowhere', { $ref: '#/$defs/missing' }, /cannot be used.*missing/],
    ['a reference to the network', { $ref: 'https://example.com/x.json' }, /cannot be used.*example\.com/],
    ['a pattern with look-ahead', { pattern: '(?=a)' }, /cannot be used/],
    ['a reference to itself', { $ref: '#' }, /cannot be used/],
  ])('with %s fail the step with class error and their name', async (_, schema, message) => {
    await expect(check(schema, 'x')).rejects.toMatchObject({
      failure: { class: 'error', message: expect.stringMatching(message) },
    });
    await expect(check(schema, 'x')).rejects.toThrow('`review`');
  });

  it('cannot answer later', async () => {
    expect(await check({ $async: true, type: 'string' }, 1)).toEqual(['the answer must be a string']);
  });
});

it('a schema that 500 steps check at once is compiled once', async () => {
  const compiling = vi.spyOn(RE2JS, 'compile');
  try {
    const schema: JsonObject = {
      type: 'object',
      properties: { id: { type: 'string', pattern: '^only-here-[0-9]+$' } },
    };
    const copies = Array.from({ length: 500 }, (_, n) => (n % 2 === 0 ? schema : structuredClone(schema)));
    const all = await Promise.all(
      copies.map((copy, n) => check(copy, { id: n === 7 ? 'no' : `only-here-${n}` })),
    );
    expect(all.filter((found) => found.length > 0)).toHaveLength(1);
    expect(all[7]).toHaveLength(1);
    expect(compiling.mock.calls.filter(([pattern]) => String(pattern).includes('only-here'))).toHaveLength(1);
  } finally {
    compiling.mockRestore();
  }
});
