// listed-schema: what a tool gives, as it is listed. A client's context pays for every word of the list, and what a model reads is
// the text of an answer. So the list has the fields of an answer and of the objects directly in it, with their types, and no
// words; docs/guide-drive.md has the words. Whatever fits the whole schema fits this one.

import { isObject, type Json, type JsonObject, objectOf } from '../model/json.ts';

/** How far fields are listed: those of the answer, and those of objects in it; not those of the items of lists. */
const DEEPEST = 2;

export function listedOutput(schema: JsonObject): JsonObject {
  const { refused: _, ...properties } = objectOf(schema.properties);
  return {
    type: 'object',
    properties: { ...fieldsOf(properties, 1), refused: { type: 'object' } },
    ...(schema.anyOf !== undefined && { anyOf: schema.anyOf }),
  };
}

function fieldsOf(properties: JsonObject, depth: number): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, shapeOf(objectOf(schema), depth)]),
  );
}

function shapeOf(schema: JsonObject, depth: number): JsonObject {
  const { type, enum: choices, properties, items, anyOf } = schema;
  if (Array.isArray(anyOf)) return orNull(anyOf, depth);
  return {
    ...(type !== undefined && { type }),
    ...(choices !== undefined && { enum: choices }),
    ...(isObject(properties) && depth < DEEPEST && { properties: fieldsOf(properties, depth + 1) }),
    ...(isObject(items) && { items: shapeOf(items, DEEPEST) }),
  };
}

/** As schema.ts has it: something, or null. */
function orNull(anyOf: Json[], depth: number): JsonObject {
  const shape = shapeOf(objectOf(anyOf[0]), depth);
  return shape.type === undefined ? shape : { ...shape, type: [shape.type, 'null'] };
}
