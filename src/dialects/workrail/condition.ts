// condition: `{ var, equals }` and the like, as an expression. They compare as people do: case, spaces, a number or boolean
// as its text; what is not set is null. So `not_equals: Small` holds where nothing is set, and no condition is an error.

import type { Json } from '../../model/json.ts';
import type { Conforming } from '../../source/grammar/conform.ts';
import { headSpan, type MapNode, type Node, stringOf, toJson } from '../../source/read/node.ts';
import { celText, celValue } from '../native-text.ts';
import type { Names } from './names.ts';
import type { ForeignStep } from './outline.ts';

const OPERATORS = [
  'equals',
  'not_equals',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'contains',
  'startsWith',
  'endsWith',
  'matches',
] as const;
type Operator = (typeof OPERATORS)[number];

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** What is written for true and for false. */
const BOOLEANS: Readonly<Record<'true' | 'false', Json[]>> = {
  true: [true, 'yes', 1],
  false: [false, 'no', 0],
};

/** An expression, and the operator of its parts: beside one that binds tighter it needs brackets. */
export interface Test {
  text: string;
  by?: '&&' | '||' | '==';
}

export interface Reading {
  to: Conforming;
  names: Names;
  step: ForeignStep;
  /** It is the test of this loop, and sees its passes. */
  own?: boolean;
  /** It is looked at before the claim of this step counts: what the claim sets goes before what was set. */
  claimed?: boolean;
}

/** undefined: there is none, or it is wrong, which was reported. */
export function conditionOf(node: Node | undefined, reading: Reading): Test | undefined {
  return node?.kind === 'map' ? translate(node, reading) : undefined;
}

function translate(node: MapNode, reading: Reading): Test | undefined {
  const { to } = reading;
  const kinds = (['var', 'and', 'or', 'not'] as const).filter((key) => to.entry(node, key) !== undefined);
  const [kind, ...others] = kinds;
  if (kind === undefined || others.length > 0) {
    const message =
      kind === undefined
        ? 'a condition needs `var`, `and`, `or` or `not`'
        : `a condition has one of \`${kinds.join('` and `')}\`, not ${kinds.length}`;
    to.report.error('condition-syntax', headSpan(node), message);
    return undefined;
  }
  const value = to.get(node, kind);
  if (value === undefined) return undefined;
  if (kind === 'var') return comparison(node, stringOf(value) ?? '', reading);
  if (kind === 'not') {
    const inner = conditionOf(value, reading);
    return inner === undefined ? undefined : negated(inner);
  }
  const parts = value.kind === 'list' ? value.items.map((item) => conditionOf(item, reading)) : [];
  if (parts.includes(undefined)) return undefined;
  return joined(parts as Test[], kind === 'and' ? '&&' : '||');
}

/** None of none: `and` holds, `or` does not. */
export function joined(parts: readonly Test[], by: '&&' | '||'): Test {
  if (parts.length === 0) return simple(by === '&&' ? 'true' : 'false');
  const [only, ...others] = parts;
  if (only && others.length === 0) return only;
  const texts = parts.map((part) => (part.by === by || part.by === '==' ? part.text : enclosed(part)));
  return { text: texts.join(` ${by} `), by };
}

/** One call, or a name. */
export function simple(text: string): Test {
  return { text };
}

/** Two sides of `==`, `<` and the like. */
export function compared(text: string): Test {
  return { text, by: '==' };
}

export function negated(test: Test): Test {
  if (test.by === undefined && test.text.startsWith('!')) return simple(test.text.slice(1));
  return simple(`!${enclosed(test)}`);
}

function enclosed({ text, by }: Test): string {
  return by === undefined ? text : `(${text})`;
}

function comparison(
  node: MapNode,
  name: string,
  { to, names, step, own, claimed }: Reading,
): Test | undefined {
  const given = OPERATORS.filter((operator) => to.entry(node, operator) !== undefined);
  const known = names.key(name, step, own);
  const value =
    claimed && known.startsWith('vars') ? `default(output.context${known.slice(4)}, ${known})` : known;
  const [operator, ...others] = given;
  if (operator === undefined) return simple(`truthy(${value})`);
  if (others.length > 0) {
    const tests = given.map((each) => one(node, each, value, to));
    return tests.includes(undefined) ? undefined : joined(tests as Test[], '&&');
  }
  return one(node, operator, value, to);
}

function one(node: MapNode, operator: Operator, value: string, to: Conforming): Test | undefined {
  const operand = to.get(node, operator);
  if (operand === undefined) return undefined;
  const given = toJson(operand);
  const lower = () => celText(String(given).trim().toLowerCase());
  const text = `text(default(${value}, "")).trim().lowerAscii()`;
  switch (operator) {
    case 'equals':
      return same(value, given);
    case 'not_equals':
      return negated(same(value, given));
    case 'in':
      return anyOf(value, given as Json[]);
    case 'contains':
      return simple(`mentions(${value}, ${celValue(given)})`);
    case 'startsWith':
      return simple(`${text}.startsWith(${lower()})`);
    case 'endsWith':
      return simple(`${text}.endsWith(${lower()})`);
    case 'matches':
      return simple(`text(default(${value}, "")).matches(${celText(String(given))})`);
    default:
      return simple(
        `default(number(${value}) ${COMPARISONS[operator]} ${typeof given === 'number' ? celValue(given) : `number(${celValue(given)})`}, false)`,
      );
  }
}

function same(value: string, given: Json): Test {
  return typeof given === 'boolean' ? anyOf(value, [given]) : simple(`same(${value}, ${celValue(given)})`);
}

function anyOf(value: string, given: readonly Json[]): Test {
  const all = given.flatMap((each) =>
    typeof each === 'boolean' ? BOOLEANS[each ? 'true' : 'false'] : [each],
  );
  return simple(`${celValue(all)}.exists(it, same(${value}, it))`);
}
