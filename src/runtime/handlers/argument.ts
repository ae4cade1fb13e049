// argument: reading `with` once its templates are filled in. Names and types were checked at load where they were
// written out; what a template gave is only known now.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { Breakdown, UNPERFORMABLE } from '../perform/outcome.ts';

export function textArgument(given: JsonObject, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(name, 'a text', value);
}

export function listArgument(given: JsonObject, name: string): string[] {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return [value];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value as string[];
  throw wrong(name, 'a text or a list of texts', value);
}

export function mapArgument(given: JsonObject, name: string): JsonObject {
  const value = given[name];
  if (isObject(value)) return value;
  throw wrong(name, 'a map', value);
}

export function wrong(name: string, expected: string, value: Json | undefined): Breakdown {
  const got = value === undefined ? 'it is missing' : `it is ${JSON.stringify(value).slice(0, 80)}`;
  return new Breakdown(
    { class: 'error', message: `\`with.${name}\` must be ${expected}; ${got}` },
    UNPERFORMABLE,
  );
}
