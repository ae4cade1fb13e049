// schema-type: JSON Schema → what an expression may read from a value that fits it. What the schema leaves open, or
// says in ways that do not come down to one shape, is `any`.

import { isObject, type Json, type JsonObject } from '../model/json.ts';
import type { Type } from './type.ts';
import { ANY, BOOL, INT, joined, NULL, NUMBER, own, STRING } from './type-relations.ts';

/** A schema may describe trees of any depth; past this it is `any`. */
const DEEPEST = 12;
/** Parts looked at in all, so that definitions that double with every level end. */
const MOST_PARTS = 20_000;

/** What may add fields that `properties` does not name. */
const COMBINING = [
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  '$ref',
  '$dynamicRef',
  'patternProperties',
  'dependentSchemas',
];

export function compileTypeOfSchema(schema: JsonObject): Type {
  return typeOf(schema, { root: schema, depth: 0, budget: { left: MOST_PARTS } });
}

interface Place {
  root: JsonObject;
  depth: number;
  budget: { left: number };
}

function typeOf(schema: Json | undefined, place: Place): Type {
  if (!isObject(schema) || place.depth > DEEPEST || place.budget.left-- <= 0) return ANY;
  const inner = { ...place, depth: place.depth + 1 };
  const reference = own(schema, '$ref');
  if (reference !== undefined)
    return typeof reference === 'string' ? typeOf(definition(reference, place.root), inner) : ANY;
  const alternatives = own(schema, 'anyOf') ?? own(schema, 'oneOf');
  if (Array.isArray(alternatives)) return either(alternatives.map((each) => typeOf(each, inner)));
  const allOf = own(schema, 'allOf');
  if (Array.isArray(allOf))
    return allOf.length === 1 && own(schema, 'properties') === undefined ? typeOf(allOf[0], inner) : ANY;
  if (Object.hasOwn(schema, 'const')) return typeOfValues([own(schema, 'const') ?? null]);
  const values = own(schema, 'enum');
  if (Array.isArray(values)) return typeOfValues(values);
  return typeOfKeyword(schema, inner);
}

/** `#`, `#/$defs/x`, `#/definitions/x`, or any other way down from the root. */
function definition(reference: string, root: JsonObject): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: Json | undefined = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = unescaped(part);
    at = isObject(at) && key !== undefined ? own(at, key) : undefined;
  }
  return at;
}

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}

/** Null beside one other type is that type: a value may always turn out not to be there. */
function either(types: Type[]): Type {
  const [first = ANY, ...others] = types.some((type) => type.kind !== 'null')
    ? types.filter((type) => type.kind !== 'null')
    : types;
  return others.reduce((all, each) => joined(all, each), first);
}

function typeOfValues(values: Json[]): Type {
  return either(values.map(typeOfValue));
}

function typeOfValue(value: Json): Type {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'boolean':
      return BOOL;
    case 'number':
      return Number.isSafeInteger(value) ? INT : NUMBER;
    default:
      return value === null ? NULL : ANY;
  }
}

function typeOfKeyword(schema: JsonObject, place: Place): Type {
  const type = own(schema, 'type');
  if (Array.isArray(type)) return either(type.map((each) => typeNamed(each, schema, place)));
  if (type !== undefined) return typeNamed(type, schema, place);
  return own(schema, 'properties') === undefined ? ANY : objectType(schema, place);
}

function typeNamed(name: Json, schema: JsonObject, place: Place): Type {
  switch (name) {
    case 'string':
      return STRING;
    case 'boolean':
      return BOOL;
    case 'integer':
      return INT;
    case 'number':
      return NUMBER;
    case 'null':
      return NULL;
    case 'array':
      return {
        kind: 'list',
        of: own(schema, 'prefixItems') === undefined ? typeOf(own(schema, 'items'), place) : ANY,
      };
    case 'object':
      return objectType(schema, place);
    default:
      return ANY;
  }
}

/** Closed unless it says otherwise: a field that a schema does not name is a mistake far more often than a wish. */
function objectType(schema: JsonObject, place: Place): Type {
  const properties = own(schema, 'properties');
  const additional = own(schema, 'additionalProperties');
  if (!isObject(properties))
    return { kind: 'map', of: isObject(additional) ? typeOf(additional, place) : ANY };
  if (
    additional === true ||
    isObject(additional) ||
    COMBINING.some((keyword) => Object.hasOwn(schema, keyword))
  ) {
    return { kind: 'map', of: ANY };
  }
  return {
    kind: 'object',
    fields: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, typeOf(each, place)])),
  };
}
