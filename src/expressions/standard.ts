// standard: what CEL's own library does with single values (texts, conversions, time stamps, durations, bytes) is
// done by cel-js, in one shared environment without types. What goes over lists and maps is ours.

import { Environment } from '@marcbachmann/cel-js';
import { exact } from './foreign.ts';
import { Trouble } from './trouble.ts';
import { double, Foreign, Items, isMap, isNumber, numberOf, type Value } from './value.ts';

export interface Signature {
  name: string;
  /** CEL's name of the type it is called on; null for a function. */
  receiver: string | null;
  parameters: string[];
  returns: string;
}

const environment = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false });

/** Every function and method of cel-js that we have. */
export const signatures: readonly Signature[] = environment
  .getDefinitions()
  .functions.map(({ name, receiverType, params, returnType }) => ({
    name,
    receiver: receiverType,
    parameters: params.map((parameter) => parameter.type),
    returns: returnType,
  }))
  .filter((signature) => !isOptional(signature) && !isLocal(signature));

/** Optional values are left out: `default` says what absence means. */
function isOptional({ receiver, parameters }: Signature): boolean {
  return [receiver ?? '', ...parameters].some((type) =>
    /^(optional|OptionalNamespace|CelNamespace)/.test(type),
  );
}

/** So is what goes through the time zone of the machine it runs on: a run gives the same answer everywhere. */
function isLocal({ name, receiver, parameters }: Signature): boolean {
  return receiver === 'google.protobuf.Timestamp' && (parameters.length > 0 || name === 'getDayOfYear');
}

const arities = new Set(
  signatures.map((each) => arityKey(each.receiver !== null, each.name, each.parameters.length)),
);

export function isStandard(method: boolean, name: string, parameters: number): boolean {
  return arities.has(arityKey(method, name, parameters));
}

function arityKey(method: boolean, name: string, parameters: number): string {
  return `${method ? '.' : ''}${name}/${parameters}`;
}

const types: ReadonlyMap<string, Foreign> = new Map(
  ['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint'].map((name) => [
    name,
    new Foreign(environment.evaluate(name)),
  ]),
);

/** `int`, `string` and so on, which CEL has as names of values; what `type(x)` is compared with. */
export function standardType(name: string): Value | undefined {
  return types.get(name);
}

/** For a method the first of the values is what it is called on. */
export function standardCall(
  method: boolean,
  name: string,
  count: number,
): (values: readonly Value[]) => Value {
  const names = Array.from({ length: count }, (_, index) => `a${index}`);
  const source = method ? `a0.${name}(${names.slice(1).join(', ')})` : `${name}(${names.join(', ')})`;
  return (values) => perform(source, values);
}

export function standardOperator(operator: string, left: Value, right: Value): Value {
  return perform(`a0 ${operator} a1`, [left, right]);
}

type Program = (context: Record<string, unknown>) => unknown;
/** At most one for each signature and operator. */
const programs = new Map<string, Program>();

function perform(source: string, values: readonly Value[]): Value {
  let program = programs.get(source);
  if (!program) {
    program = environment.parse(source);
    programs.set(source, program);
  }
  const context: Record<string, unknown> = {};
  for (let index = 0; index < values.length; index++) context[`a${index}`] = toCel(values[index] ?? null);
  let result: unknown;
  try {
    result = program(context);
  } catch (error) {
    throw new Trouble(reasonOf(error));
  }
  return fromCel(result);
}

function reasonOf(error: unknown): string {
  const { code, summary } = error as { code?: string; summary?: string };
  if (summary === undefined) return error instanceof Error ? error.message : String(error);
  const plain = summary
    .replace(/dyn<([\w.]+)>/g, '$1')
    .replace(/google\.protobuf\.(\w+)/g, (_, name: string) => name.toLowerCase());
  const missing = /^(?:no such overload: |found no matching overload for ')(.+?)'?$/.exec(plain)?.[1];
  return code?.startsWith('no_') && missing !== undefined ? `\`${missing}\` does not exist` : plain;
}

/** Nothing there takes a list or a map: an empty one is enough for it to say so. */
function toCel(value: Value): unknown {
  if (isNumber(value))
    return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : numberOf(value);
  if (value instanceof Foreign) return value.value;
  if (Array.isArray(value)) return [];
  return isMap(value) ? {} : value;
}

function fromCel(value: unknown): Value {
  switch (typeof value) {
    case 'bigint':
      return exact(value);
    case 'number':
      return double(value);
    case 'string':
    case 'boolean':
      return value;
  }
  if (value === null) return null;
  if (Array.isArray(value)) return Items.from(value, fromCel) as Items;
  // bytes.json() is the one that makes a map, and it is JSON.
  if (Object.getPrototypeOf(value) === Object.prototype) return value as Value;
  return new Foreign(value);
}
