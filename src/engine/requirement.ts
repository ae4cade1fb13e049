// requirement: `done.require`: what must stand at an RFC 6901 pointer into the output, by JSON's own equality and types.

import type { Json } from '../model/json.ts';
import type { Check, JsonType } from '../model/workflow.ts';

type Requirement = Extract<Check, { kind: 'require' }>;

/** Why the output is not what is required, or undefined. */
export function unmet(output: Json, requirement: Requirement): string | undefined {
  const { pointer, exists, equals, type } = requirement;
  const found = at(output, pointer);
  const where = pointer === '' ? 'the output' : `\`${pointer}\``;
  if (!exists) return found === undefined ? undefined : `${where} must not be there, and is ${shown(found)}`;
  if (found === undefined) return `${where} is not there`;
  if (type !== undefined && typeOf(found) !== type)
    return `${where} must be of type ${type}, and is ${typeOf(found)}: ${shown(found)}`;
  if (equals !== undefined && !equal(found, equals))
    return `${where} must be ${shown(equals)}, and is ${shown(found)}`;
  return undefined;
}

/** Undefined: nothing stands there. */
function at(output: Json, pointer: string): Json | undefined {
  let value: Json | undefined = output;
  // What follows the first `/`; the empty pointer is the whole.
  for (const written of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const key = written.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
    else value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

/** Strict: no type is taken for another, and the order of keys does not matter. */
function equal(one: Json, other: Json): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => equal(item, other[index] as Json))
    );
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equal(one[key] as Json, other[key] as Json))
  );
}

const SHOWN = 80;

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
