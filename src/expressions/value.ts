// value: what an expression works on. JSON stays as it is, however large: nothing is copied to read one field of it.
// An integer is a number that JSON carries exactly; a double that happens to be integral is wrapped, so that
// `5.0 / 2` is 2.5 while `5 / 2` is 2.

import type { Json, JsonObject } from '../model/json.ts';
import type { LazyMap } from './evaluation.ts';
import { foreignKind, foreignToJson } from './foreign.ts';
import { Trouble } from './trouble.ts';

export type Value =
  | null
  | boolean
  | number
  | string
  | Double
  | Foreign
  | Value[]
  | JsonObject
  | Map<Value, Value>
  | LazyMap;

/** A double with an integral value; every other double is a plain number. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A time stamp, duration, unsigned integer, bytes or type: what CEL has and JSON has not. */
export class Foreign {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A list that an expression made. It may hold values that are not JSON; a list from outside never does. */
export class Items extends Array<Value> {}

export function double(value: number): Value {
  return Number.isSafeInteger(value) ? new Double(value) : value;
}

export function isNumber(value: Value): value is number | Double {
  return typeof value === 'number' || value instanceof Double;
}

export function numberOf(value: number | Double): number {
  return typeof value === 'number' ? value : value.value;
}

/** JSON holds no functions, so an object from an agent can never pass for one. */
function isLazy(value: object): value is LazyMap {
  return (value as LazyMap).lazy === true && typeof (value as LazyMap).get === 'function';
}

export function isMap(value: Value): value is JsonObject | Map<Value, Value> | LazyMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Double) &&
    !(value instanceof Foreign)
  );
}

/** undefined: not there. Only own members count, whatever an agent called its keys. */
export function member(value: Value, key: Value): Value | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return isNumber(key) ? value[numberOf(key)] : undefined;
  if (value instanceof Map) return value.get(key instanceof Double ? key.value : key);
  if (typeof key !== 'string' || value instanceof Double || value instanceof Foreign) return undefined;
  if (isLazy(value)) return value.get(key);
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** An own field holding undefined is as absent as no field at all. */
export function keysOf(map: JsonObject | Map<Value, Value> | LazyMap): Value[] {
  if (map instanceof Map || isLazy(map)) return [...map.keys()];
  return Object.keys(map).filter((key) => map[key] !== undefined);
}

export type Kind =
  | 'null'
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'list'
  | 'map'
  | 'timestamp'
  | 'duration'
  | 'uint'
  | 'bytes'
  | 'type';

export function kindOf(value: Value): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'double';
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Double) return 'double';
  if (value instanceof Foreign) return foreignKind(value.value);
  return 'map';
}

/** For messages: "a string", "an int", "null". */
export function described(value: Value): string {
  const kind = kindOf(value);
  if (kind === 'null') return kind;
  return `${kind === 'int' || kind === 'uint' ? 'an' : 'a'} ${kind}`;
}

/** As plain JSON. What came from outside is handed back as it is, not copied. */
export function toJson(value: Value): Json {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Trouble(`the result is ${value}, which JSON has no way to write`);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Double) return value.value;
  if (value instanceof Foreign) return foreignToJson(value.value);
  if (value instanceof Items) {
    const list: Json[] = [];
    for (const item of value) list.push(toJson(item));
    return list;
  }
  if (Array.isArray(value)) return value as Json[];
  if (!(value instanceof Map) && !isLazy(value)) return value;
  const object: JsonObject = {};
  for (const key of keysOf(value)) setOwn(object, String(key), toJson(member(value, key) ?? null));
  return object;
}

/** As text: strings as they are, the rest as JSON. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  const json = toJson(value);
  return typeof json === 'string' ? json : JSON.stringify(json);
}

/** `object.__proto__ = x` would change what the object is; this only ever adds a key. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}
