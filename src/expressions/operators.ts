// operators: arithmetic, order and membership. Integers and doubles mix; the result is a double as soon as one of them is.

import { LONGEST_TEXT, type Run, spend } from './code.ts';
import { equal } from './equality.ts';
import { standardOperator } from './standard.ts';
import { Trouble } from './trouble.ts';
import { described, double, Foreign, Items, isMap, isNumber, member, numberOf, type Value } from './value.ts';

export type Arithmetic = '+' | '-' | '*' | '/' | '%';
export type Order = '<' | '<=' | '>' | '>=';

export function arithmetic(operator: Arithmetic, a: Value, b: Value, run: Run): Value {
  if (isNumber(a) && isNumber(b)) {
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b))
      return integers(operator, a as number, b as number);
    return doubles(operator, numberOf(a), numberOf(b));
  }
  if (operator === '+') {
    if (typeof a === 'string' && typeof b === 'string') return texts(a, b);
    if (Array.isArray(a) && Array.isArray(b)) return lists(a, b, run);
  }
  if (a instanceof Foreign || b instanceof Foreign) return standardOperator(operator, a, b);
  throw new Trouble(`\`${operator}\` cannot be used between ${described(a)} and ${described(b)}`);
}

function integers(operator: Arithmetic, a: number, b: number): Value {
  if (b === 0 && (operator === '/' || operator === '%')) throw new Trouble('division by zero');
  // `(a - a % b) / b` and not `a / b`: the quotient of two integers may not fit into a double.
  const result = operator === '/' ? (a - (a % b)) / b : calculate(operator, a, b);
  if (Number.isSafeInteger(result)) return result + 0;
  throw new Trouble(
    `${a} ${operator} ${b} is beyond ±${Number.MAX_SAFE_INTEGER}, where JSON numbers are no longer exact`,
  );
}

function doubles(operator: Arithmetic, a: number, b: number): Value {
  if (operator === '%') throw new Trouble('`%` is for integers only');
  return double(calculate(operator, a, b));
}

function calculate(operator: Arithmetic, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

function texts(a: string, b: string): string {
  if (a.length + b.length > LONGEST_TEXT) throw new Trouble('the text would be longer than 64 MiB');
  return a + b;
}

function lists(a: Value[], b: Value[], run: Run): Value {
  spend(run, a.length + b.length);
  const joined = new Items();
  for (const item of a) joined.push(item);
  for (const item of b) joined.push(item);
  return joined;
}

export function negate(value: Value): Value {
  if (!isNumber(value)) throw new Trouble(`\`-\` cannot be used on ${described(value)}`);
  return Number.isSafeInteger(value) ? 0 - (value as number) : double(-numberOf(value));
}

export function ordered(operator: Order, a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return holds(operator, numberOf(a), numberOf(b));
  if (typeof a === 'string' && typeof b === 'string') return holds(operator, a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return holds(operator, Number(a), Number(b));
  if (a instanceof Foreign || b instanceof Foreign) return standardOperator(operator, a, b) === true;
  throw new Trouble(`${described(a)} and ${described(b)} have no order: \`${operator}\` cannot compare them`);
}

function holds<T extends number | string>(operator: Order, a: T, b: T): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

/** `x in list` by `==`, `key in map`. */
export function contained(item: Value, container: Value, run: Run): boolean {
  if (Array.isArray(container)) {
    for (const each of container) {
      spend(run, 1);
      if (equal(item, each, run)) return true;
    }
    return false;
  }
  if (isMap(container)) return member(container, item) !== undefined;
  const hint = typeof container === 'string' ? '; text.contains(part) looks into a text' : '';
  throw new Trouble(`\`in\` needs a list or a map on its right, and this is ${described(container)}${hint}`);
}
