// check-value: what of a value does not fit a schema of schema.ts. One problem a place, with what was expected, what came,
// and a correction that passes: `Set /a/b to "c".`, `Leave out /d.` or `Shorten /e to 100.`

import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { closest } from '../text/closest-name.ts';

export interface Problem {
  /** RFC 6901: where in the value. */
  pointer: string;
  expected: string;
  came: string;
  fix: string;
}

/** More than this many tell nothing new. */
const MOST = 10;
const LONGEST_SHOWN = 80;

/** In the order of the value. */
export function problemsOf(schema: JsonObject, value: unknown): Problem[] {
  const found: Problem[] = [];
  look(schema, value, '', found);
  return found.slice(0, MOST);
}

export function problemText({ pointer, expected, came }: Problem): string {
  return `${pointer === '' ? 'the arguments' : pointer}: expected ${expected}, came ${came}`;
}

function look(schema: JsonObject, value: unknown, pointer: string, found: Problem[]): void {
  if (Array.isArray(schema.anyOf)) {
    const [first, ...others] = schema.anyOf as JsonObject[];
    const fits = others.some((one) => problemsOf(one, value).length === 0);
    if (!fits && first) look(first, value, pointer, found);
    return;
  }
  if (!isOfType(schema.type, value)) found.push(replaced(schema, pointer, shown(value)));
  else if (typeof value === 'string') lookAtText(schema, value, pointer, found);
  else if (typeof value === 'number') lookAtNumber(schema, value, pointer, found);
  else if (Array.isArray(value)) lookAtList(schema, value, pointer, found);
  else if (isObject(value)) lookAtObject(schema, value, pointer, found);
}

function lookAtText(schema: JsonObject, value: string, pointer: string, found: Problem[]): void {
  const { enum: choices, maxLength } = schema;
  if (Array.isArray(choices) && !choices.includes(value)) {
    const near = closest(value, choices.map(String));
    found.push(replaced(schema, pointer, shown(value), near));
  } else if (typeof maxLength === 'number' && value.length > maxLength)
    found.push(shortened(pointer, maxLength, `${value.length} characters`, 'characters'));
}

function lookAtNumber(schema: JsonObject, value: number, pointer: string, found: Problem[]): void {
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' && value < minimum) found.push(replaced(schema, pointer, String(value)));
  else if (typeof maximum === 'number' && value > maximum)
    found.push(replaced(schema, pointer, String(value), maximum));
}

function lookAtList(schema: JsonObject, value: Json[], pointer: string, found: Problem[]): void {
  const { items, maxItems } = schema;
  if (typeof maxItems === 'number' && value.length > maxItems)
    found.push(shortened(pointer, maxItems, `${value.length} items`, 'items'));
  if (!isObject(items)) return;
  for (const [index, item] of value.entries()) {
    if (found.length >= MOST) return;
    look(items, item, `${pointer}/${index}`, found);
  }
}

function lookAtObject(schema: JsonObject, value: JsonObject, pointer: string, found: Problem[]): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const name of Array.isArray(schema.required) ? schema.required.map(String) : [])
    if (!Object.hasOwn(value, name))
      found.push(replaced(properties[name] as JsonObject, placeIn(pointer, name), 'nothing'));
  for (const [name, inner] of Object.entries(value)) {
    const place = placeIn(pointer, name);
    if (Object.hasOwn(properties, name)) look(properties[name] as JsonObject, inner, place, found);
    else if (schema.additionalProperties === false)
      found.push({
        ...{ pointer: place, came: 'a name that is not known' },
        expected: `no other names than ${Object.keys(properties).join(', ')}`,
        fix: `Leave out ${said(place)}.`,
      });
  }
}

function replaced(schema: JsonObject, pointer: string, came: string, by?: Json): Problem {
  const example = JSON.stringify(by ?? exampleOf(schema));
  return { pointer, expected: wanted(schema), came, fix: `Set ${said(pointer)} to ${example}.` };
}

function shortened(pointer: string, most: number, came: string, unit: string): Problem {
  return { pointer, expected: `at most ${most} ${unit}`, came, fix: `Shorten ${said(pointer)} to ${most}.` };
}

/** A pointer in a sentence: in quotes where it would not be told from the words around it. */
export function said(pointer: string): string {
  return /^[\w/~$-]+$/.test(pointer) ? pointer : JSON.stringify(pointer);
}

function isOfType(type: Json | undefined, value: unknown): boolean {
  switch (type) {
    case undefined:
      return true;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function exampleOf(schema: JsonObject): Json {
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as JsonObject);
  const { enum: choices, minimum, properties, required } = schema;
  if (Array.isArray(choices)) return choices[0] ?? '';
  switch (schema.type) {
    case 'integer':
      return minimum ?? 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object': {
      const names = Array.isArray(required) ? required.map(String) : [];
      const inside = isObject(properties) ? properties : {};
      return Object.fromEntries(names.map((name) => [name, exampleOf(inside[name] as JsonObject)]));
    }
    default:
      return 'text';
  }
}

function wanted(schema: JsonObject): string {
  if (Array.isArray(schema.anyOf)) return wanted(schema.anyOf[0] as JsonObject);
  const { enum: choices, minimum, maximum } = schema;
  if (Array.isArray(choices)) return `one of ${choices.map((one) => JSON.stringify(one)).join(', ')}`;
  switch (schema.type) {
    case 'string':
      return 'a text';
    case 'integer': {
      const from = minimum === undefined ? '' : ` from ${minimum}`;
      return `a whole number${from}${maximum === undefined ? '' : ` to ${maximum}`}`;
    }
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    default:
      return 'a value';
  }
}

function placeIn(pointer: string, name: string): string {
  return `${pointer}/${name.slice(0, LONGEST_SHOWN).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text;
}
