// schema-example: a small value that fits a JSON Schema, to show what an answer looks like. Of a schema that says more than
// this knows it is a beginning; the checks say what is still missing.

import { isObject, type Json, type JsonObject } from '../model/json.ts';

const DEEPEST = 8;
const LONGEST_TEXT = 200;

export function exampleOf(schema: Json | undefined, depth = 0): Json {
  if (!isObject(schema) || depth > DEEPEST) return 'text';
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  if (schema.default !== undefined) return schema.default;
  for (const branch of [schema.anyOf, schema.oneOf, schema.allOf])
    if (Array.isArray(branch))
      return exampleOf({ ...without(schema), ...(branch[0] as JsonObject) }, depth + 1);
  const [type] = Array.isArray(schema.type) ? schema.type : [schema.type];
  switch (type ?? (isObject(schema.properties) ? 'object' : 'string')) {
    case 'object':
      return objectExample(schema, depth);
    case 'array': {
      const least = typeof schema.minItems === 'number' ? schema.minItems : 0;
      return Array.from({ length: Math.min(least, 10) }, () => exampleOf(schema.items, depth + 1));
    }
    case 'integer':
    case 'number':
      return numberExample(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default: {
      const least = typeof schema.minLength === 'number' ? Math.min(schema.minLength, LONGEST_TEXT) : 0;
      return 'text'.padEnd(least, '.');
    }
  }
}

function objectExample({ properties, required }: JsonObject, depth: number): Json {
  const inside = isObject(properties) ? properties : {};
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, exampleOf(inside[name], depth + 1)]));
}

function numberExample({ minimum, exclusiveMinimum, maximum }: JsonObject): number {
  if (typeof minimum === 'number') return minimum;
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum) + 1;
  return typeof maximum === 'number' && maximum < 1 ? maximum : 1;
}

function without({ anyOf: _, oneOf: __, allOf: ___, ...rest }: JsonObject): JsonObject {
  return rest;
}
