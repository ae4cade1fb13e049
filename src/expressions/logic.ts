// logic: `&&`, `||` and `?:`. A side that does not matter may be absent: `absent || true` is true.

import { attempt, type Code, type Run } from './code.ts';
import { Missing, Trouble } from './trouble.ts';
import { described, type Value } from './value.ts';

export function either(left: Code, right: Code): Code {
  return (run) => decided(run, left, right, true);
}

export function both(left: Code, right: Code): Code {
  return (run) => decided(run, left, right, false);
}

/** `decisive`: the value of either side that settles the matter whatever the other is. */
function decided(run: Run, left: Code, right: Code, decisive: boolean): boolean {
  const operator = decisive ? '||' : '&&';
  const first = attempt(run, left);
  if (first === decisive) return decisive;
  if (first === !decisive) return truthOf(right(run), operator);
  const second = attempt(run, right);
  if (second === decisive) return decisive;
  throw outweighing(first, second, operator);
}

/** Facts that may still settle it come before a trouble that then would not matter. */
function outweighing(
  first: Value | Trouble | Missing,
  second: Value | Trouble | Missing,
  operator: string,
): Trouble | Missing {
  if (first instanceof Missing) return second instanceof Missing ? first.and(second) : first;
  if (second instanceof Missing) return second;
  return first instanceof Trouble ? first : notBool(first, operator);
}

export function conditional(test: Code, whenTrue: Code, whenFalse: Code): Code {
  return (run) => (truthOf(test(run), '?:') ? whenTrue(run) : whenFalse(run));
}

export function truthOf(value: Value, operator: string): boolean {
  if (typeof value === 'boolean') return value;
  throw notBool(value, operator);
}

function notBool(value: Value, operator: string): Trouble {
  return new Trouble(
    `\`${operator}\` needs true or false, and this is ${described(value)}; truthy(x) makes a bool of anything`,
  );
}
