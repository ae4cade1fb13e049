// type-relations: which types go together. `any` goes with everything: what is not known is not wrong.

import type { Type } from './type.ts';

export const ANY: Type = { kind: 'any' };
export const BOOL: Type = { kind: 'bool' };
export const INT: Type = { kind: 'int' };
export const NUMBER: Type = { kind: 'number' };
export const STRING: Type = { kind: 'string' };
export const NULL: Type = { kind: 'null' };

export function isNumeric(type: Type): boolean {
  return type.kind === 'int' || type.kind === 'number';
}

function isMapping(type: Type): boolean {
  return type.kind === 'map' || type.kind === 'object';
}

/** Whether values of both can ever be equal. Null is what a value of any type may turn out to be. */
export function comparable(a: Type, b: Type): boolean {
  if (a.kind === 'any' || b.kind === 'any' || a.kind === 'null' || b.kind === 'null') return true;
  return a.kind === b.kind || (isNumeric(a) && isNumeric(b)) || (isMapping(a) && isMapping(b));
}

/** Deep types are compared only so far: past it the answer is "not the same", which means any. */
const DEEPEST = 12;

/** One type for a value that is of either. */
export function joined(a: Type, b: Type, depth = 0): Type {
  if (a === b) return a;
  if (isNumeric(a) && isNumeric(b)) return a.kind === b.kind ? a : NUMBER;
  if (depth > DEEPEST || a.kind !== b.kind) return ANY;
  switch (a.kind) {
    case 'list':
    case 'map':
      return { kind: a.kind, of: joined(a.of, (b as typeof a).of, depth + 1) };
    case 'object':
      return joinedObjects(a, b as typeof a, depth);
    default:
      return a;
  }
}

function joinedObjects(a: Type & { kind: 'object' }, b: Type & { kind: 'object' }, depth: number): Type {
  const keys = Object.keys(a.fields);
  if (keys.length !== Object.keys(b.fields).length) return ANY;
  const fields: [string, Type][] = [];
  for (const key of keys) {
    const left = own(a.fields, key);
    const right = own(b.fields, key);
    if (!left || !right) return ANY;
    fields.push([key, joined(left, right, depth + 1)]);
  }
  return { kind: 'object', fields: Object.fromEntries(fields), ...((a.open || b.open) && { open: true }) };
}

/** `record.constructor` is not a field of it. */
export function own<T>(record: Record<string, T> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** For messages: "a string", "a list", "true or false". */
export function describedType(type: Type): string {
  switch (type.kind) {
    case 'any':
      return 'a value';
    case 'int':
      return 'an int';
    case 'null':
      return 'null';
    case 'object':
      return 'a map';
    default:
      return `a ${type.kind}`;
  }
}
