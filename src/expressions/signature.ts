// signature: what can be called, with what, and what comes of it; for checking before anything runs.

import { type Signature, signatures as standard } from './standard.ts';
import type { Type } from './type.ts';
import { ANY, BOOL, INT, NULL, NUMBER, STRING } from './type-relations.ts';

/** Ours, in CEL's own notation. `dyn`: anything. */
const ours: Signature[] = [
  { name: 'files', receiver: null, parameters: ['string'], returns: 'list<string>' },
  { name: 'changed', receiver: null, parameters: ['string'], returns: 'list<string>' },
  { name: 'uncommitted', receiver: null, parameters: ['string'], returns: 'list<string>' },
  { name: 'default', receiver: null, parameters: ['dyn', 'dyn'], returns: 'dyn' },
  { name: 'called', receiver: null, parameters: ['dyn', 'string'], returns: 'dyn' },
  { name: 'truthy', receiver: null, parameters: ['dyn'], returns: 'bool' },
  { name: 'entries', receiver: null, parameters: ['dyn'], returns: 'dyn' },
  { name: 'same', receiver: null, parameters: ['dyn', 'dyn'], returns: 'bool' },
  { name: 'mentions', receiver: null, parameters: ['dyn', 'dyn'], returns: 'bool' },
  { name: 'includes', receiver: null, parameters: ['list<dyn>', 'dyn'], returns: 'bool' },
  { name: 'includes', receiver: null, parameters: ['map<dyn, dyn>', 'dyn'], returns: 'bool' },
  { name: 'includes', receiver: null, parameters: ['string', 'string'], returns: 'bool' },
  { name: 'circle', receiver: null, parameters: ['list<dyn>'], returns: 'list<string>' },
  { name: 'reviews', receiver: null, parameters: ['dyn'], returns: 'dyn' },
  { name: 'parse_json', receiver: null, parameters: ['string'], returns: 'dyn' },
  { name: 'text', receiver: null, parameters: ['dyn'], returns: 'string' },
  { name: 'number', receiver: null, parameters: ['dyn'], returns: 'double' },
  { name: 'absent', receiver: null, parameters: ['string'], returns: 'dyn' },
  { name: 'user_says', receiver: null, parameters: ['string'], returns: 'bool' },
  { name: 'command_runs', receiver: null, parameters: ['string'], returns: 'bool' },
];

/** Those with arguments that are not values are looked at where they are found: has, all, map and their like, bind. */
const all = [...ours, ...standard].filter(({ parameters }) => !parameters.includes('ast'));

export const functionNames = [
  ...new Set([...all.filter(({ receiver }) => receiver === null).map(({ name }) => name), 'has']),
];
export const methodNames = [
  ...new Set([
    ...all.filter(({ receiver }) => receiver !== null).map(({ name }) => name),
    'all',
    'exists',
    'exists_one',
    'filter',
    'map',
  ]),
];

export function signaturesOf(method: boolean, name: string): Signature[] {
  return all.filter((each) => each.name === name && (each.receiver !== null) === method);
}

/** Whether a value of this type can be given where CEL wants the other. What is not known can. */
export function accepts(wanted: string, given: Type): boolean {
  if (given.kind === 'any') return true;
  switch (wanted.replace(/<.*/, '')) {
    case 'dyn':
      return true;
    case 'int':
    case 'double':
      return given.kind === 'int' || given.kind === 'number';
    case 'list':
      return given.kind === 'list';
    case 'map':
      return given.kind === 'map' || given.kind === 'object';
    default:
      return given.kind === wanted;
  }
}

export function typeNamed(name: string): Type {
  switch (name) {
    case 'string':
      return STRING;
    case 'bool':
      return BOOL;
    case 'int':
      return INT;
    case 'double':
      return NUMBER;
    case 'null':
      return NULL;
    case 'list<string>':
      return { kind: 'list', of: STRING };
    case 'map<dyn, dyn>':
      return { kind: 'map', of: ANY };
    default:
      return ANY;
  }
}

/** What people reach for who know other languages, and what it is here. */
const elsewhere: Record<string, string> = {
  length: 'size(x)',
  len: 'size(x)',
  count: 'size(x)',
  includes: 'includes(x, y)',
  contains: 'x.contains(y), or includes(x, y) for lists and maps',
  get: 'default(x.field, y)',
  keys: 'x.map(key, key)',
  some: 'x.exists(item, …)',
  any: 'x.exists(item, …)',
  every: 'x.all(item, …)',
  find: 'x.filter(item, …)[0]',
  lower: 'x.lowerAscii()',
  toLowerCase: 'x.lowerAscii()',
  upper: 'x.upperAscii()',
  toUpperCase: 'x.upperAscii()',
  strip: 'x.trim()',
  slice: 'x.substring(from, to)',
  match: 'x.matches(pattern)',
  test: 'x.matches(pattern)',
  search: 'x.matches(pattern)',
  str: 'string(x)',
  toString: 'string(x)',
  Number: 'int(x) or double(x)',
  float: 'double(x)',
  parseInt: 'int(x)',
  exists: 'has(x.field), or x.exists(item, …) for lists',
  defined: 'has(x.field)',
  coalesce: 'default(x, y)',
  file_exists: 'size(files("…")) > 0',
  startsWith: 'x.startsWith(y)',
  endsWith: 'x.endsWith(y)',
  fromJSON: 'parse_json(x)',
  parseJSON: 'parse_json(x)',
  hashFiles: 'files("…"), or a command',
};

/** Conditions of other tools, and what stands for them here. */
const conditions: Record<string, string> = {
  always:
    'A step runs when the one before it is done; leave `always()` out, and give the steps before it `on_fail: continue`. What is done after a step whatever came of it is its `exit`.',
  success: 'Leave it out: a step runs only if nothing before it has failed.',
  succeeded: 'Leave it out: a step runs only if nothing before it has failed.',
  failure:
    'Give the step that may fail `on_fail: continue`, and write `steps.build.status == "failed"`, with its id.',
  failed:
    'Give the step that may fail `on_fail: continue`, and write `steps.build.status == "failed"`, with its id.',
  cancelled: 'Leave it out: nothing runs any more in a run that is cancelled.',
};

/** What a call means that other tools have in their conditions. */
export function conditionElsewhere(name: string): string | undefined {
  return Object.hasOwn(conditions, name) ? conditions[name] : undefined;
}

export function knownElsewhere(name: string): string | undefined {
  return Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
}
