// condition-syntax: a condition as a tree, or what is wrong with it. Precedence is JavaScript's.

import { type ConditionProblem, type Token, tokensOf } from './condition-token.ts';

export interface Range {
  start: number;
  end: number;
}
export type Comparison = '==' | '!=' | '>' | '<' | '>=' | '<=';
export type Method = 'includes' | 'startsWith' | 'endsWith';

export interface Path extends Range {
  kind: 'path';
  root: string;
  /** Fields as text, places in a list as numbers. */
  keys: (string | number)[];
}

export type Expression =
  | Path
  | ({ kind: 'literal'; value: string | number | boolean | null } & Range)
  | ({ kind: 'length'; of: Path } & Range)
  | ({ kind: 'call'; method: Method; on: Path; argument: Expression } & Range)
  | ({ kind: 'not'; of: Expression } & Range)
  | ({ kind: 'logic'; operator: '&&' | '||'; sides: Expression[] } & Range)
  | ({ kind: 'comparison'; operator: Comparison; left: Expression; right: Expression } & Range);

const DEEPEST = 50;
const METHODS: readonly string[] = ['includes', 'startsWith', 'endsWith'];
const CONSTANTS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', null],
]);
const COMPARISONS = new Map<string, Comparison>(
  (['==', '!=', '>', '<', '>=', '<='] as const).map((sign) => [sign, sign]),
)
  .set('===', '==')
  .set('!==', '!=');
const WORDS: Readonly<Record<string, string>> = { and: '&&', or: '||', not: '!' };

export function parseCondition(text: string): Expression | ConditionProblem {
  const tokens = tokensOf(text);
  if (!Array.isArray(tokens)) return tokens;
  try {
    return new Parser(tokens).whole();
  } catch (thrown) {
    if (thrown instanceof Wrong) return thrown.problem;
    throw thrown;
  }
}

export function isProblem(parsed: Expression | ConditionProblem): parsed is ConditionProblem {
  return 'message' in parsed;
}

class Wrong {
  readonly problem: ConditionProblem;

  constructor(problem: ConditionProblem) {
    this.problem = problem;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    if (this.#tokens.length === 1) throw new Wrong({ message: 'there is nothing here', start: 0, end: 0 });
    const found = this.#logic('||');
    if (this.#at < this.#tokens.length - 1) this.#unexpected('Conditions are joined with `&&` and `||`.');
    return found;
  }

  get #token(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] as Token;
  }

  #logic(operator: '||' | '&&'): Expression {
    const next = () => (operator === '||' ? this.#logic('&&') : this.#comparison());
    const sides = [next()];
    while (this.#takes(operator)) sides.push(next());
    const [first] = sides as [Expression];
    return sides.length === 1
      ? first
      : { kind: 'logic', operator, sides, start: first.start, end: this.#before };
  }

  #comparison(): Expression {
    const left = this.#unary();
    const token = this.#token;
    const operator = token.kind === 'sign' ? COMPARISONS.get(token.text) : undefined;
    if (operator === undefined) return left;
    this.#at += 1;
    const right = this.#unary();
    const again = this.#token;
    if (again.kind === 'sign' && COMPARISONS.has(again.text))
      this.#unexpected('Only two values are compared at a time: `a < b && b < c`.');
    return { kind: 'comparison', operator, left, right, start: left.start, end: right.end };
  }

  #unary(): Expression {
    const { start } = this.#token;
    if (!this.#takes('!')) return this.#primary();
    const of = this.#deeper(() => this.#unary());
    return { kind: 'not', of, start, end: of.end };
  }

  #primary(): Expression {
    const token = this.#token;
    const { start, end } = token;
    if (token.kind === 'number' || token.kind === 'string') {
      this.#at += 1;
      return { kind: 'literal', value: token.value, start, end };
    }
    if (this.#takes('(')) {
      const inner = this.#deeper(() => this.#logic('||'));
      this.#need(')', 'The `(` is not closed.');
      return { ...inner, start, end: this.#before };
    }
    if (token.kind !== 'name') return this.#unexpected('A name, a value or `(` belongs here.');
    const constant = CONSTANTS.get(token.text);
    this.#at += 1;
    if (constant !== undefined) return { kind: 'literal', value: constant, start, end };
    return this.#path(token.text, start);
  }

  #path(root: string, start: number): Expression {
    const path: Path = { kind: 'path', root, keys: [], start, end: this.#before };
    for (;;) {
      if (this.#takes('[')) path.keys.push(this.#index());
      else if (this.#takes('.')) {
        const token = this.#token;
        if (token.kind !== 'name') return this.#unexpected('The name of a field belongs after the `.`.');
        this.#at += 1;
        if (this.#isSign('(')) return this.#call(path, token.text, token);
        path.keys.push(token.text);
      } else break;
      path.end = this.#before;
    }
    if (this.#isSign('('))
      throw new Wrong({
        message: `\`${root}\` cannot be called: there are no functions here`,
        hint: 'There are `.includes()`, `.startsWith()` and `.endsWith()`.',
        start,
        end: this.#before,
      });
    if (path.keys.at(-1) !== 'length') return path;
    const { end } = path;
    return { kind: 'length', of: { ...path, keys: path.keys.slice(0, -1) }, start, end };
  }

  #call(on: Path, method: string, { start, end }: Range): Expression {
    if (!METHODS.includes(method))
      throw new Wrong({
        message: `\`.${method}()\` is not part of conditions`,
        hint: 'There are `.includes()`, `.startsWith()` and `.endsWith()`; `.length` is written without `()`.',
        start,
        end,
      });
    this.#need('(', '');
    const argument = this.#deeper(() => this.#logic('||'));
    this.#need(')', `\`.${method}()\` takes one value.`);
    return { kind: 'call', method: method as Method, on, argument, start: on.start, end: this.#before };
  }

  #index(): string | number {
    const token = this.#token;
    const isIndex = token.kind === 'string' || (token.kind === 'number' && Number.isInteger(token.value));
    if (!isIndex) return this.#unexpected('A number or a text in quotes belongs into `[ ]`.');
    this.#at += 1;
    this.#need(']', 'The `[` is not closed.');
    return token.value;
  }

  #deeper<T>(parse: () => T): T {
    if (this.#depth >= DEEPEST) return this.#unexpected(`More than ${DEEPEST} levels are too many.`);
    this.#depth += 1;
    const found = parse();
    this.#depth -= 1;
    return found;
  }

  get #before(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  #isSign(text: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === text;
  }

  #takes(text: string): boolean {
    const found = this.#isSign(text);
    if (found) this.#at += 1;
    return found;
  }

  #need(text: string, hint: string): void {
    if (!this.#takes(text)) this.#unexpected(hint);
  }

  #unexpected(hint: string): never {
    const token = this.#token;
    const { start, end } = token;
    if (token.kind === 'end') throw new Wrong({ message: 'it ends too early', hint, start, end });
    const shown = token.kind === 'name' || token.kind === 'sign' ? token.text : JSON.stringify(token.value);
    const sign = token.kind === 'name' && Object.hasOwn(WORDS, token.text) ? WORDS[token.text] : undefined;
    throw new Wrong({
      message: `\`${shown}\` cannot stand here`,
      hint: sign === undefined ? hint : `Write \`${sign}\`.`,
      start,
      end,
    });
  }
}
