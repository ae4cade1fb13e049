// value: a value of a foreign expression, said in CEL, with what is known of it.

import { celValue } from '../native-text.ts';

export type Kind = 'bool' | 'number' | 'text' | 'list' | 'map' | 'any';

/** How tightly the outermost operator binds: what holds it puts brackets around what binds less. */
export const TERNARY = 0;
export const OR = 1;
export const AND = 2;
export const RELATION = 3;
export const SUM = 4;
export const PRODUCT = 5;
export const UNARY = 6;
export const POSTFIX = 7;

export interface Value {
  cel: string;
  level: number;
  kind: Kind;
  /** Reading it may fail, because it is not there. */
  absent?: true;
  /** It may be null. */
  nullable?: true;
  /** Nothing in the workflow ever gives it a value. */
  unset?: true;
}

export function value(cel: string, kind: Kind = 'any', level: number = POSTFIX): Value {
  return { cel, kind, level };
}

export function literal(given: string | number | boolean | null): Value {
  const kind: Kind =
    typeof given === 'string'
      ? 'text'
      : typeof given === 'number'
        ? 'number'
        : typeof given === 'boolean'
          ? 'bool'
          : 'any';
  const isNegative = typeof given === 'number' && given < 0;
  return {
    ...value(celValue(given), kind, isNegative ? UNARY : POSTFIX),
    ...(given === null && { nullable: true }),
  };
}

/** Where an operator of that level holds it. */
export function at(level: number, { cel, level: own }: Value): string {
  return own < level ? `(${cel})` : cel;
}

/** Null where it is not there. */
export function total(given: Value): Value {
  return given.absent ? { ...value(`default(${given.cel}, null)`, 'any'), nullable: true } : given;
}

/** What Python takes for true. */
export function truth(given: Value): Value {
  const { kind, cel } = given;
  if (kind === 'bool' && !given.absent && !given.nullable) return given;
  if (given.unset) return value(`truthy(${cel})`, 'bool');
  if (given.absent || given.nullable || kind === 'any') {
    if (kind === 'bool' || kind === 'number' || kind === 'text') return value(`truthy(${cel})`, 'bool');
    return value(`truthy(${cel}) && !(${at(SUM, given)} in [[], {}])`, 'bool', AND);
  }
  const nothing = { number: '0', text: '""', list: '[]', map: '{}', bool: 'false' }[kind];
  return value(`${at(SUM, given)} != ${nothing}`, 'bool', RELATION);
}

export function negated(given: Value): Value {
  const { cel } = given;
  if (given.level === UNARY && cel.startsWith('!')) return value(cel.slice(1), 'bool', UNARY);
  return value(`!${at(UNARY, given)}`, 'bool', UNARY);
}
