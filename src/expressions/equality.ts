// equality: `==` as CEL has it over JSON, and `same`, which is lenient.

import { inexactNumber } from '../text/exact-number.ts';
import { type Run, spend } from './code.ts';
import { standardOperator } from './standard.ts';
import { Trouble } from './trouble.ts';
import { Foreign, isMap, isNumber, keysOf, member, numberOf, type Value } from './value.ts';

const DEEPEST = 1_000;

/** Values of different kinds are never equal; an integer and a double are, when they are the same number. */
export function equal(a: Value, b: Value, run: Run): boolean {
  return compare(a, b, strictly, run, 0);
}

/** Case, surrounding space, and number or boolean against its text do not matter; absent is null. Never a trouble. */
export function same(a: Value | undefined, b: Value | undefined, run: Run): boolean {
  return compare(a ?? null, b ?? null, leniently, run, 0);
}

type Scalars = (a: Value, b: Value) => boolean;

function strictly(a: Value, b: Value): boolean {
  return isNumber(a) && isNumber(b) && numberOf(a) === numberOf(b);
}

function leniently(a: Value, b: Value): boolean {
  const left = plain(a);
  const right = plain(b);
  if (left === right) return true;
  if (typeof left === 'string' && typeof right !== 'string') return readsAs(left, right);
  return typeof right === 'string' && readsAs(right, left);
}

function plain(value: Value): Value {
  if (typeof value === 'string') return value.trim().toLowerCase();
  return isNumber(value) ? numberOf(value) : value;
}

function readsAs(text: string, value: Value): boolean {
  if (typeof value === 'boolean') return text === String(value);
  if (typeof value !== 'number' || text === '' || Number(text) !== value) return false;
  // Two different whole numbers beyond 2^53 are the same double.
  return inexactNumber(text, value) === undefined;
}

function compare(a: Value, b: Value, scalars: Scalars, run: Run, depth: number): boolean {
  spend(run, typeof a === 'string' ? 1 + (a.length >> 6) : 1);
  if (a === b) return true;
  if (depth > DEEPEST) throw new Trouble('the values are nested too deeply to be compared');
  if (Array.isArray(a)) return Array.isArray(b) && compareLists(a, b, scalars, run, depth + 1);
  if (isMap(a)) return isMap(b) && compareMaps(a, b, scalars, run, depth + 1);
  if (a instanceof Foreign && b instanceof Foreign) return standardOperator('==', a, b) === true;
  return scalars(a, b);
}

function compareLists(a: Value[], b: Value[], scalars: Scalars, run: Run, depth: number): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (!compare(a[index] ?? null, b[index] ?? null, scalars, run, depth)) return false;
  }
  return true;
}

function compareMaps(a: Value, b: Value, scalars: Scalars, run: Run, depth: number): boolean {
  if (!isMap(a) || !isMap(b)) return false;
  const keys = keysOf(a);
  spend(run, keys.length);
  if (keys.length !== keysOf(b).length) return false;
  for (const key of keys) {
    const other = member(b, key);
    if (other === undefined || !compare(member(a, key) ?? null, other, scalars, run, depth)) return false;
  }
  return true;
}
