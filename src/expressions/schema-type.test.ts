import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import { compileTypeOfSchema, type Type } from './expressions.ts';

const any: Type = { kind: 'any' };
const string: Type = { kind: 'string' };
const int: Type = { kind: 'int' };

describe('compileTypeOfSchema', () => {
  it.each<[JsonObject, Type]>([
    [{}, any],
    [{ type: 'string' }, string],
    [{ type: 'integer' }, int],
    [{ type: 'number' }, { kind: 'number' }],
    [{ type: 'boolean' }, { kind: 'bool' }],
    [{ type: 'null' }, { kind: 'null' }],
    [{ type: 'made-up' }, any],
    [{ type: ['string', 'null'] }, string],
    [{ type: ['integer', 'number'] }, { kind: 'number' }],
    [{ type: ['string', 'integer'] }, any],
    [{ type: 'array' }, { kind: 'list', of: any }],
    [
      { type: 'array', items: { type: 'string' } },
      { kind: 'list', of: string },
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'string' } },
      { kind: 'list', of: any },
    ],
    [{ type: 'object' }, { kind: 'map', of: any }],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { kind: 'map', of: string },
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } } },
      { kind: 'object', fields: { a: string } },
    ],
    [{ properties: { a: { type: 'string' } } }, { kind: 'object', fields: { a: string } }],
    [
      { type: 'object', properties: { a: true }, additionalProperties: false },
      { kind: 'object', fields: { a: any } },
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
      { kind: 'map', of: any },
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, patternProperties: { '^x-': {} } },
      { kind: 'map', of: any },
    ],
    [{ type: 'object', properties: { a: { type: 'string' } }, allOf: [{}] }, any],
    [{ enum: ['a', 'b'] }, string],
    [{ enum: ['a', null] }, string],
    [{ enum: [1, 2.5] }, { kind: 'number' }],
    [{ enum: ['a', 1] }, any],
    [{ const: 3 }, int],
    [{ const: null }, { kind: 'null' }],
    [{ const: [1] }, any],
    [{ anyOf: [{ type: 'string' }, { const: 'x' }] }, string],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, any],
    [
      {
        oneOf: [
          { type: 'object', properties: { a: {} } },
          { type: 'object', properties: { b: {} } },
        ],
      },
      any,
    ],
    [{ oneOf: [{ type: 'null' }, { type: 'integer' }] }, int],
    [{ allOf: [{ type: 'string' }] }, string],
    [{ $ref: '#/$defs/x', $defs: { x: { type: 'integer' } } }, int],
    [{ $ref: '#/definitions/a~1b', definitions: { 'a/b': { type: 'integer' } } }, int],
    [{ $ref: '#/$defs/none' }, any],
    [{ $ref: 'https://example.com/schema' }, any],
    [{ $ref: '#/%' }, any],
    [{ $ref: 7 }, any],
  ])('%j', (schema, expected) => {
    expect(compileTypeOfSchema(schema)).toEqual(expected);
  });

  it('X6: ends for schemas that go round', () => {
    const tree: JsonObject = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
        },
      },
    };
    expect(compileTypeOfSchema(tree)).toMatchObject({
      kind: 'object',
      fields: { name: string, children: { kind: 'list', of: { kind: 'object' } } },
    });
    expect(compileTypeOfSchema({ $ref: '#' })).toEqual(any);
    const doubling: JsonObject = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, { $ref: '#' }])),
    };
    expect(compileTypeOfSchema(doubling).kind).toBe('object');
  });

  it('X4: takes any property name as data', () => {
    const type = compileTypeOfSchema(
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}',
      ) as JsonObject,
    );
    expect(type.kind === 'object' && Object.entries(type.fields)).toEqual([
      ['__proto__', string],
      ['constructor', int],
    ]);
    expect(compileTypeOfSchema({ $ref: '#/constructor' })).toEqual(any);
  });

  it('X1: answers for any JSON object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('type', 'properties', 'items', 'enum', 'anyOf', '$ref', 'const', 'allOf'),
          fc.jsonValue(),
        ),
        (schema) => typeof compileTypeOfSchema(schema as JsonObject).kind === 'string',
      ),
    );
  });
});
