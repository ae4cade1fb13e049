// strict-schema: codex asks its model for the schema in strict mode, which takes a part of JSON Schema only: objects are
// closed, and every property is required. A schema beyond that would be refused by the API.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';

const KNOWN = new Set(
  'type properties required additionalProperties items enum const anyOf $ref $defs definitions description title minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems pattern format'.split(
    ' ',
  ),
);
/** Say nothing about what fits. */
const ANNOTATIONS = new Set('$schema $id $comment default examples deprecated readOnly writeOnly'.split(' '));
const DEEPEST = 10;

/** The same, closed where it was open: what fits it fits the one given too. Undefined: strict mode cannot say it. */
export function strictSchema(schema: JsonObject): JsonObject | undefined {
  if (schema.type !== 'object' || schema.anyOf !== undefined) return undefined;
  return strict(schema, 0);
}

function strict(schema: Json | undefined, depth: number): JsonObject | undefined {
  if (!isObject(schema) || depth > DEEPEST) return undefined;
  const result: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    if (!KNOWN.has(keyword)) return undefined;
    const inside = within(keyword, value, depth);
    if (inside === undefined) return undefined;
    result[keyword] = inside;
  }
  const describesObject = schema.type === 'object' || schema.properties !== undefined;
  return describesObject ? closed(result) : result;
}

function within(keyword: string, value: Json, depth: number): Json | undefined {
  switch (keyword) {
    case 'items':
      return strict(value, depth + 1);
    case 'anyOf': {
      if (!Array.isArray(value)) return undefined;
      const parts = value.map((part) => strict(part, depth + 1));
      return parts.includes(undefined) ? undefined : (parts as Json[]);
    }
    case 'properties':
    case '$defs':
    case 'definitions': {
      if (!isObject(value)) return undefined;
      const parts = Object.entries(value).map(([name, part]) => [name, strict(part, depth + 1)] as const);
      return parts.some(([, part]) => part === undefined)
        ? undefined
        : Object.fromEntries(parts as [string, Json][]);
    }
    default:
      return value;
  }
}

function closed(schema: JsonObject): JsonObject | undefined {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  if (isOpen || Object.keys(properties).some((name) => !required.includes(name))) return undefined;
  // A map of anything has no strict form: closed it would take nothing.
  if (schema.properties === undefined) return undefined;
  return { ...schema, additionalProperties: false };
}
