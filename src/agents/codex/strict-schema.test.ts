import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { strictSchema } from './strict-schema.ts';

const text: JsonObject = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});

describe('what strict mode takes', () => {
  it('closes objects at every depth, and leaves out what only comments', () => {
    const schema = object(
      { list: { type: 'array', items: object({ a: { ...text, default: 'x' } }) } },
      { $schema: 'https://json-schema.org/draft/2020-12/schema' },
    );
    const closed = (properties: JsonObject) => object(properties, { additionalProperties: false });
    expect(strictSchema(schema)).toEqual(closed({ list: { type: 'array', items: closed({ a: text }) } }));
  });

  it.each<[string, JsonObject]>([
    ['an optional property', { type: 'object', properties: { a: text } }],
    ['an open object', object({ a: text }, { additionalProperties: true })],
    ['a map', object({ a: { type: 'object' } })],
    ['a list', { type: 'array', items: text }],
    ['a word it does not know', object({ a: { type: 'object', oneOf: [text] } })],
    ['one of several at the top', { ...object({}), anyOf: [object({})] }],
    [
      'an optional property inside a choice',
      object({ a: { anyOf: [{ type: 'object', properties: { b: text } }] } }),
    ],
    ['no schema', object({ a: true })],
  ])('cannot say: %s', (_, schema) => expect(strictSchema(schema)).toBeUndefined());
});
