// expression-syntax: an expression as a tree. The order of precedence is Jinja's: a filter binds tighter than any operator,
// so that `a | length - 1` is one less than the length.

import type { Json } from '../../model/json.ts';
import { ExpressionProblem, type Token, tokensOf } from './expression-token.ts';

interface At {
  start: number;
  end: number;
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';
export type Arithmetic = '+' | '-' | '*' | '/' | '//' | '%' | '~';

export type Expression = At &
  (
    | { kind: 'literal'; value: string | number | boolean | null }
    | { kind: 'name'; name: string }
    | { kind: 'member'; of: Expression; key: string }
    | { kind: 'index'; of: Expression; index: Expression }
    | { kind: 'call'; name: string; arguments: Expression[] }
    | { kind: 'method'; of: Expression; name: string; arguments: Expression[] }
    | {
        kind: 'filter';
        of: Expression;
        name: string;
        arguments: Expression[];
        named: Map<string, Expression>;
      }
    | { kind: 'list'; items: Expression[] }
    | { kind: 'map'; entries: [Expression, Expression][] }
    | { kind: 'not'; of: Expression }
    | { kind: 'minus'; of: Expression }
    | { kind: 'and' | 'or'; left: Expression; right: Expression }
    | { kind: 'compare'; operator: Comparison; left: Expression; right: Expression }
    | { kind: 'calculate'; operator: Arithmetic; left: Expression; right: Expression }
    | { kind: 'is'; of: Expression; test: string; negated: boolean }
    | { kind: 'if'; test: Expression; then: Expression; otherwise: Expression | undefined }
  );

/** Throws ExpressionProblem. */
export function parseExpression(text: string): Expression {
  return new Parser(tokensOf(text)).whole();
}

/** `x in list` of a `{% for %}`: the names, and the list. Throws ExpressionProblem. */
export function parseFor(text: string): { names: string[]; list: Expression } {
  return new Parser(tokensOf(text)).loop();
}

const DEEPEST = 60;
const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>'];
const WORDS = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else']);
const LITERALS: Readonly<Record<string, Json>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  null: null,
};

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const found = this.#ternary();
    this.#end();
    return found;
  }

  loop(): { names: string[]; list: Expression } {
    const names = [this.#identifier()];
    while (this.#sign(',')) names.push(this.#identifier());
    if (!this.#word('in')) this.#unexpected('`in`');
    const list = this.#ternary();
    this.#end();
    return { names, list };
  }

  #end(): void {
    if (this.#peek().kind !== 'end') this.#unexpected('the end');
  }

  #peek(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #take(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  #sign(text: string): boolean {
    const token = this.#peek();
    if (token.kind !== 'sign' || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #word(text: string): boolean {
    const token = this.#peek();
    if (token.kind !== 'name' || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #identifier(): string {
    const token = this.#take();
    if (token.kind !== 'name') throw this.#problem('a name', token);
    return token.text;
  }

  #unexpected(wanted: string): never {
    throw this.#problem(wanted, this.#peek());
  }

  #problem(wanted: string, token: Token): ExpressionProblem {
    const shown =
      token.kind === 'end'
        ? 'the end'
        : token.kind === 'name' || token.kind === 'sign'
          ? `\`${token.text}\``
          : 'a value';
    const hint =
      token.kind === 'sign' && token.text === '=' ? 'Two values are compared with `==`.' : undefined;
    return new ExpressionProblem(`${wanted} is expected here, and this is ${shown}`, token, hint);
  }

  #ternary(): Expression {
    if (++this.#depth > DEEPEST)
      throw new ExpressionProblem('an expression that is nested too deep', this.#peek());
    const then = this.#or();
    let made = then;
    if (this.#word('if')) {
      const test = this.#or();
      const otherwise = this.#word('else') ? this.#ternary() : undefined;
      made = { kind: 'if', test, then, otherwise, start: then.start, end: (otherwise ?? test).end };
    }
    this.#depth--;
    return made;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#word('or')) {
      const right = this.#and();
      left = { kind: 'or', left, right, start: left.start, end: right.end };
    }
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.#word('and')) {
      const right = this.#not();
      left = { kind: 'and', left, right, start: left.start, end: right.end };
    }
    return left;
  }

  #not(): Expression {
    const { start } = this.#peek();
    if (!this.#word('not')) return this.#comparison();
    if (++this.#depth > DEEPEST)
      throw new ExpressionProblem('an expression that is nested too deep', this.#peek());
    const of = this.#not();
    this.#depth--;
    return { kind: 'not', of, start, end: of.end };
  }

  #comparison(): Expression {
    const left = this.#sum();
    const operator = this.#operator();
    if (operator === 'is' || operator === 'is not') return this.#test(left, operator === 'is not');
    if (operator === undefined) return left;
    const right = this.#sum();
    const next = this.#peek();
    if (this.#operator() !== undefined)
      throw new ExpressionProblem('comparisons are not chained here', next, 'Write `a < b and b < c`.');
    return { kind: 'compare', operator, left, right, start: left.start, end: right.end };
  }

  #operator(): Comparison | 'is' | 'is not' | undefined {
    const token = this.#peek();
    if (token.kind === 'sign' && COMPARISONS.includes(token.text)) {
      this.#at++;
      return token.text as Comparison;
    }
    if (this.#word('in')) return 'in';
    if (this.#word('is')) return this.#word('not') ? 'is not' : 'is';
    const next = this.#tokens[this.#at + 1];
    if (token.kind === 'name' && token.text === 'not' && next?.kind === 'name' && next.text === 'in') {
      this.#at += 2;
      return 'not in';
    }
    return undefined;
  }

  #test(of: Expression, negated: boolean): Expression {
    const token = this.#take();
    const test = token.kind === 'name' ? token.text.toLowerCase() : '';
    if (!['none', 'null', 'defined', 'undefined', 'true', 'false'].includes(test))
      throw this.#problem('`None`, `True`, `False` or `defined`', token);
    return { kind: 'is', of, test, negated, start: of.start, end: token.end };
  }

  #sum(): Expression {
    return this.#operators(['+', '-', '~'], () => this.#product());
  }

  #product(): Expression {
    return this.#operators(['*', '/', '//', '%'], () => this.#unary());
  }

  #operators(signs: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const token = this.#peek();
      if (token.kind !== 'sign' || !signs.includes(token.text)) return left;
      this.#at++;
      const right = operand();
      left = {
        kind: 'calculate',
        operator: token.text as Arithmetic,
        left,
        right,
        start: left.start,
        end: right.end,
      };
    }
  }

  #unary(): Expression {
    const { start } = this.#peek();
    if (!this.#sign('-')) return this.#filtered();
    const of = this.#unary();
    return { kind: 'minus', of, start, end: of.end };
  }

  #filtered(): Expression {
    let of = this.#postfix();
    while (this.#sign('|')) {
      const token = this.#peek();
      const name = this.#identifier();
      const named = new Map<string, Expression>();
      const given = this.#sign('(') ? this.#arguments(named) : [];
      of = {
        kind: 'filter',
        of,
        name,
        arguments: given,
        named,
        start: of.start,
        end: Math.max(token.end, this.#last()),
      };
    }
    return of;
  }

  #last(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  #postfix(): Expression {
    let of = this.#primary();
    for (;;) {
      if (this.#sign('.')) {
        const key = this.#identifier();
        if (this.#sign('('))
          of = {
            kind: 'method',
            of,
            name: key,
            arguments: this.#arguments(),
            start: of.start,
            end: this.#last(),
          };
        else of = { kind: 'member', of, key, start: of.start, end: this.#last() };
      } else if (this.#sign('[')) {
        const index = this.#ternary();
        if (!this.#sign(']')) this.#unexpected('`]`');
        of = { kind: 'index', of, index, start: of.start, end: this.#last() };
      } else return of;
    }
  }

  /** After the bracket. `named`: where `name=value` is allowed. */
  #arguments(named?: Map<string, Expression>): Expression[] {
    const all: Expression[] = [];
    while (!this.#sign(')')) {
      const [token, next] = [this.#peek(), this.#tokens[this.#at + 1]];
      if (named && token.kind === 'name' && next?.kind === 'sign' && next.text === '=') {
        this.#at += 2;
        named.set(token.text, this.#ternary());
      } else all.push(this.#ternary());
      if (
        !this.#sign(',') &&
        !(this.#peek().kind === 'sign' && (this.#peek() as { text: string }).text === ')')
      )
        this.#unexpected('`,` or `)`');
    }
    return all;
  }

  #primary(): Expression {
    const token = this.#take();
    const at = { start: token.start, end: token.end };
    if (token.kind === 'number' || token.kind === 'string')
      return { kind: 'literal', value: token.value, ...at };
    if (token.kind === 'name' && !WORDS.has(token.text)) return this.#named(token.text, at);
    if (token.kind === 'sign' && token.text === '(') {
      const inside = this.#ternary();
      if (!this.#sign(')')) this.#unexpected('`)`');
      return { ...inside, ...at, end: this.#last() };
    }
    if (token.kind === 'sign' && token.text === '[') return this.#list(at);
    if (token.kind === 'sign' && token.text === '{') return this.#map(at);
    throw this.#problem('a value', token);
  }

  #named(name: string, at: At): Expression {
    if (Object.hasOwn(LITERALS, name))
      return { kind: 'literal', value: LITERALS[name] as boolean | null, ...at };
    if (!this.#sign('(')) return { kind: 'name', name, ...at };
    return { kind: 'call', name, arguments: this.#arguments(), ...at, end: this.#last() };
  }

  #list(at: At): Expression {
    const items: Expression[] = [];
    while (!this.#sign(']')) {
      items.push(this.#ternary());
      if (!this.#sign(',') && !this.#nextIs(']')) this.#unexpected('`,` or `]`');
    }
    return { kind: 'list', items, ...at, end: this.#last() };
  }

  #map(at: At): Expression {
    const entries: [Expression, Expression][] = [];
    while (!this.#sign('}')) {
      const key = this.#ternary();
      if (!this.#sign(':')) this.#unexpected('`:`');
      entries.push([key, this.#ternary()]);
      if (!this.#sign(',') && !this.#nextIs('}')) this.#unexpected('`,` or `}`');
    }
    return { kind: 'map', entries, ...at, end: this.#last() };
  }

  #nextIs(sign: string): boolean {
    const token = this.#peek();
    return token.kind === 'sign' && token.text === sign;
  }
}
