// expression: an expression of theirs as CEL. Truth is Python's: nothing, 0, and what is empty are false.

import type { Report } from '../../source/diagnostics.ts';
import { placeWithin, type ScalarNode } from '../../source/read/node.ts';
import { member } from '../native-text.ts';
import type { Expression } from './expression-syntax.ts';
import { ExpressionProblem } from './expression-token.ts';
import { applyFilter, callFunction, callMethod } from './functions.ts';
import { absentName, isSpace, type Scope, type Space } from './names.ts';
import {
  AND,
  at,
  literal,
  negated,
  OR,
  POSTFIX,
  PRODUCT,
  RELATION,
  SUM,
  TERNARY,
  total,
  truth,
  UNARY,
  type Value,
  value,
} from './value.ts';

/** Told of a name that nothing in the workflow, and nothing here, gives a value. */
export type Unknown = (name: string, start: number, end: number, hint: string | undefined) => void;

export class Translator {
  readonly scope: Scope;
  readonly #unknown: Unknown;

  constructor(scope: Scope, unknown: Unknown) {
    this.scope = scope;
    this.#unknown = unknown;
  }

  /** As a value. Throws ExpressionProblem. */
  value(of: Expression): Value {
    const found = this.#found(of);
    if (!isSpace(found)) return found;
    if (found.whole) return found.whole;
    throw new ExpressionProblem(`\`${found.space}\` is no value by itself`, of);
  }

  /** As true or false. */
  truth(of: Expression): Value {
    switch (of.kind) {
      case 'and':
      case 'or': {
        const [level, sign] = of.kind === 'and' ? [AND, '&&'] : [OR, '||'];
        return value(
          `${at(level, this.truth(of.left))} ${sign} ${at(level, this.truth(of.right))}`,
          'bool',
          level,
        );
      }
      case 'not':
        return negated(this.truth(of.of));
      default:
        return truth(this.value(of));
    }
  }

  #found(of: Expression): Value | Space {
    switch (of.kind) {
      case 'literal':
        return literal(of.value);
      case 'name':
        return this.#name(of.name, of);
      case 'member':
        return this.#member(this.#found(of.of), of.key, of);
      case 'index':
        return this.#index(of);
      case 'call':
        return callFunction(of, this);
      case 'method':
        return this.#method(of);
      case 'filter':
        return applyFilter(of, this);
      case 'list':
        return value(`[${of.items.map((item) => this.value(item).cel).join(', ')}]`, 'list');
      case 'map':
        return value(
          `{${of.entries.map(([key, each]) => `${this.value(key).cel}: ${this.value(each).cel}`).join(', ')}}`,
          'map',
        );
      case 'not':
        return this.truth(of);
      case 'and':
      case 'or':
        return this.#either(of);
      case 'minus':
        return value(`-${at(UNARY, this.value(of.of))}`, 'number', UNARY);
      case 'compare':
        return this.#compare(of);
      case 'calculate':
        return this.#calculate(of);
      case 'is':
        return this.#is(of);
      case 'if':
        return this.#if(of);
    }
  }

  #name(name: string, of: Expression): Value | Space {
    const found = this.scope.names.root(name, this.scope);
    if (found) return found;
    const near = this.scope.names.near(name);
    this.#unknown(name, of.start, of.end, near === undefined ? undefined : `Did you mean "${near}"?`);
    return this.scope.names.variable(name);
  }

  #member(of: Value | Space, key: string, whole: Expression): Value | Space {
    if (!isSpace(of)) return { ...value(member(at(POSTFIX, of), key)), absent: true };
    const found = of.member(key);
    if (found) return found;
    this.#unknown(`${of.space}.${key}`, whole.start, whole.end, undefined);
    return absentName(`${of.space}.${key}`);
  }

  #index(of: Expression & { kind: 'index' }): Value | Space {
    const held = this.#found(of.of);
    if (of.index.kind === 'literal' && typeof of.index.value === 'string')
      return this.#member(held, of.index.value, of);
    const list = this.value(of.of);
    const cel = at(POSTFIX, list);
    const fromEnd =
      of.index.kind === 'minus' && of.index.of.kind === 'literal' ? of.index.of.value : undefined;
    const index = fromEnd === undefined ? this.value(of.index).cel : `size(${list.cel}) - ${fromEnd}`;
    return { ...value(`${cel}[${index}]`, list.cel === 'session.artifacts' ? 'text' : 'any'), absent: true };
  }

  #method(of: Expression & { kind: 'method' }): Value | Space {
    const [key, otherwise] = of.arguments;
    if (of.name === 'get' && key?.kind === 'literal' && typeof key.value === 'string') {
      const found = this.#member(this.#found(of.of), key.value, of);
      if (otherwise === undefined || isSpace(found)) return found;
      const instead = this.value(otherwise);
      return found.absent || found.nullable
        ? value(`default(${found.cel}, ${instead.cel})`, instead.kind)
        : found;
    }
    return callMethod(of, this);
  }

  /** `a or b` is the one or the other, not true or false. */
  #either(of: Expression & { kind: 'and' | 'or' }): Value {
    const [left, right] = [this.value(of.left), this.value(of.right)];
    if (left.kind === 'bool' && right.kind === 'bool' && !left.absent && !right.absent) return this.truth(of);
    const test = at(OR, truth(left));
    const [then, otherwise] = of.kind === 'or' ? [left, right] : [right, total(left)];
    return value(
      `${test} ? ${at(OR, then)} : ${at(TERNARY, otherwise)}`,
      left.kind === right.kind ? left.kind : 'any',
      TERNARY,
    );
  }

  #if(of: Expression & { kind: 'if' }): Value {
    const then = this.value(of.then);
    const otherwise = of.otherwise ? this.value(of.otherwise) : literal('');
    const cel = `${at(OR, this.truth(of.test))} ? ${at(OR, then)} : ${at(TERNARY, otherwise)}`;
    return {
      ...value(cel, then.kind === otherwise.kind ? then.kind : 'any', TERNARY),
      ...((then.absent || otherwise.absent) && { absent: true as const }),
      ...((then.nullable || otherwise.nullable) && { nullable: true as const }),
    };
  }

  #compare(of: Expression & { kind: 'compare' }): Value {
    const { operator } = of;
    if (operator === 'in') return this.#in(of);
    if (operator === 'not in') return negated(this.#in(of));
    const [left, right] = [this.value(of.left), this.value(of.right)];
    if (operator !== '==' && operator !== '!=')
      return value(`${at(SUM, left)} ${operator} ${at(SUM, right)}`, 'bool', RELATION);
    if (isNull(of.right)) return this.#isNull(left, operator === '!=');
    if (isNull(of.left)) return this.#isNull(right, operator === '!=');
    const [a, b] = [total(left), total(right)];
    const [known, other] = [a.kind, b.kind];
    // Values of different kinds are never equal, and ours says that such a test is a mistake.
    if (known !== other && known !== 'any' && other !== 'any') return literal(operator === '!=');
    return value(`${at(SUM, a)} ${operator} ${at(SUM, b)}`, 'bool', RELATION);
  }

  /** A text that Lockstep has is empty where theirs is None. */
  #isNull(given: Value, differs: boolean): Value {
    const sign = differs ? '!=' : '==';
    if (given.absent || given.nullable || given.kind === 'any')
      return value(`${at(SUM, total(given))} ${sign} null`, 'bool', RELATION);
    if (given.kind === 'text' || given.kind === 'map' || given.kind === 'list') {
      const empty = { text: '""', map: '{}', list: '[]' }[given.kind];
      return value(`${at(SUM, given)} ${sign} ${empty}`, 'bool', RELATION);
    }
    return literal(differs);
  }

  #in(of: Expression & { left: Expression; right: Expression }): Value {
    const [left, right] = [this.value(of.left), this.value(of.right)];
    if (right.kind === 'list' || right.kind === 'map')
      return value(`${at(SUM, left)} in ${at(SUM, right)}`, 'bool', RELATION);
    if (right.kind === 'text' && left.kind === 'text')
      return value(`${at(POSTFIX, right)}.contains(${left.cel})`, 'bool');
    return value(`includes(${right.cel}, ${left.cel})`, 'bool');
  }

  #is(of: Expression & { kind: 'is' }): Value {
    const given = this.value(of.of);
    switch (of.test) {
      case 'true':
      case 'false': {
        const wanted = of.test === 'true';
        const same = value(`${at(SUM, total(given))} == ${wanted}`, 'bool', RELATION);
        const found =
          given.kind === 'any'
            ? same
            : given.kind !== 'bool'
              ? literal(false)
              : wanted
                ? given
                : negated(given);
        return of.negated ? negated(found) : found;
      }
      case 'defined':
        return this.#isNull(given, !of.negated);
      default:
        return this.#isNull(given, of.negated);
    }
  }

  #calculate(of: Expression & { kind: 'calculate' }): Value {
    const [left, right] = [this.value(of.left), this.value(of.right)];
    switch (of.operator) {
      case '~':
        return value(`${asText(left)} + ${asText(right)}`, 'text', SUM);
      case '/':
        return value(`double(${left.cel}) / double(${right.cel})`, 'number', PRODUCT);
      case '//':
        return value(`int(double(${left.cel}) / double(${right.cel}))`, 'number');
      case '*':
      case '%':
        return value(`${at(PRODUCT, left)} ${of.operator} ${at(UNARY, right)}`, 'number', PRODUCT);
      case '-':
        return value(`${at(SUM, left)} - ${at(PRODUCT, right)}`, 'number', SUM);
      case '+': {
        const kind = left.kind === 'any' ? right.kind : left.kind;
        return value(`${at(SUM, left)} + ${at(PRODUCT, right)}`, kind, SUM);
      }
    }
  }
}

function isNull(of: Expression): boolean {
  return of.kind === 'literal' && of.value === null;
}

function asText(given: Value): string {
  if (given.absent || given.nullable) return `text(default(${given.cel}, ""))`;
  return given.kind === 'text' ? at(SUM, given) : `text(${given.cel})`;
}

export function reportProblem(problem: unknown, node: ScalarNode, offset: number, report: Report): void {
  if (!(problem instanceof ExpressionProblem)) throw problem;
  const place = placeWithin(node, offset + problem.start, offset + Math.max(problem.end, problem.start + 1));
  report.error('condition-syntax', node.source.span(place.start, place.end), problem.message, problem.hint);
}
