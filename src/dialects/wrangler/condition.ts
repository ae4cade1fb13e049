// condition: what a condition says, as CEL. Two readings of absence (dialects.md):
// lenient, for `condition`: what is not there is false, and so is every comparison with it; strict, for `failWhen`: what
// is not there, or is of another kind than it is compared with, leaves the check without an answer, and that fails the step.

import type { Piece } from '../../source/build-nodes.ts';
import type { Report } from '../../source/diagnostics.ts';
import { placeWithin, type ScalarNode } from '../../source/read/node.ts';
import { celText, celValue } from '../native-text.ts';
import { asksTooEarly } from './condition-early.ts';
import { type Expression, isProblem, type Path, parseCondition } from './condition-syntax.ts';
import type { ConditionProblem } from './condition-token.ts';

/** A path as CEL; undefined: nothing is called that, which was reported. */
export type Resolve = (path: Path) => string | undefined;

export type Absence = 'is-false' | 'is-an-error';

interface Reading {
  report: Report;
  resolve: Resolve;
  absence: Absence;
  /** Whether anything can have been put out under that name when it is asked for the first time. */
  isThere?: (root: string) => boolean;
}

/** undefined: it is none, and that was reported. */
export function translateCondition(
  node: ScalarNode,
  field: string,
  { report, resolve, absence, isThere = () => true }: Reading,
): Piece[] | undefined {
  const parsed = parsedIn(node, field, report);
  if (parsed === undefined) return undefined;
  const early = asksTooEarly(parsed, isThere);
  if (early) tell(early, node, field, report);
  const writer = new Writer(resolve, absence);
  const pieces = writer.test(parsed);
  for (const problem of writer.problems) tell(problem, node, field, report);
  return writer.failed || writer.problems.length > 0 ? undefined : pieces;
}

function parsedIn(node: ScalarNode, field: string, report: Report): Expression | undefined {
  const parsed = parseCondition(String(node.value));
  if (!isProblem(parsed)) return parsed;
  tell(parsed, node, field, report);
  return undefined;
}

function tell(problem: ConditionProblem, node: ScalarNode, field: string, report: Report): void {
  const { code = 'condition-syntax', message, hint, start, end } = problem;
  const place = placeWithin(node, start, Math.max(end, start + 1));
  report.error(code, place.source.span(place.start, place.end), `\`${field}\`: ${message}`, hint);
}

/** What a value is, where the text alone tells. */
type Kind = 'number' | 'string' | 'boolean';
const KINDS: Readonly<Record<Kind, string>> = {
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
};

function kindOf(expression: Expression): Kind | undefined {
  if (expression.kind === 'path') return undefined;
  if (expression.kind === 'length') return 'number';
  return expression.kind === 'literal' ? (typeof expression.value as Kind) : 'boolean';
}

class Writer {
  failed = false;
  readonly problems: ConditionProblem[] = [];
  readonly #resolve: Resolve;
  readonly #strict: boolean;

  constructor(resolve: Resolve, absence: Absence) {
    this.#resolve = resolve;
    this.#strict = absence === 'is-an-error';
  }

  /** As a boolean. */
  test(expression: Expression): Piece[] {
    const from: Piece['from'] = [expression.start, expression.end];
    switch (expression.kind) {
      case 'literal':
        return [{ text: String(Boolean(expression.value)), from }];
      case 'path':
      case 'length':
        return [{ text: this.#truthy(expression), from }];
      case 'not':
        return [{ text: '!' }, ...this.#enclosed(expression.of)];
      case 'logic':
        return expression.sides.flatMap((side, index) => [
          ...(index === 0 ? [] : [{ text: ` ${expression.operator} ` }]),
          ...(side.kind === 'logic' ? this.#enclosed(side) : this.test(side)),
        ]);
      case 'call':
        return [{ text: this.#call(expression), from }];
      case 'comparison':
        return [{ text: this.#comparison(expression), from }];
    }
  }

  /** `truthy` lives with absence; strictly, that is asked first, and with `?`, since `&&` would live with it too. */
  #truthy(expression: Extract<Expression, { kind: 'path' | 'length' }>): string {
    if (!this.#strict) return `truthy(${this.#value(expression)})`;
    if (expression.kind === 'length') return `(${this.#value(expression)} != 0)`;
    const cel = this.#bare(expression);
    // An answer without a word in it is none.
    const isNone = `default(${cel}, null) == null${expression.keys.length === 0 ? ` || text(${cel}) == ""` : ''}`;
    return `(${isNone} ? absent(${celText(written(expression))}) : truthy(${cel}))`;
  }

  #enclosed(expression: Expression): Piece[] {
    const pieces = this.test(expression);
    const isOne = !['logic', 'comparison', 'call'].includes(expression.kind);
    return isOne ? pieces : [{ text: '(' }, ...pieces, { text: ')' }];
  }

  /** As a value that may be absent; strictly, one that must not be. */
  #value(expression: Expression): string {
    switch (expression.kind) {
      case 'literal':
        return celValue(expression.value);
      case 'path':
        return this.#path(expression);
      case 'length': {
        const of = this.#path(expression.of);
        const name = celText(`${written(expression.of)}.length`);
        return `(type(${of}) == string || type(${of}) == list ? size(${of}) : absent(${name}))`;
      }
      default:
        return `(${this.test(expression)
          .map(({ text }) => text)
          .join('')})`;
    }
  }

  #path(path: Path): string {
    const cel = this.#bare(path);
    return this.#strict ? `default(${cel}, absent(${celText(written(path))}))` : cel;
  }

  #bare(path: Path): string {
    const cel = this.#resolve(path);
    if (cel === undefined) this.failed = true;
    return cel ?? 'null';
  }

  #comparison(comparison: Extract<Expression, { kind: 'comparison' }>): string {
    const { operator, left, right } = comparison;
    const isNull = (side: Expression) => side.kind === 'literal' && side.value === null;
    if (isNull(left) || isNull(right)) {
      const other = isNull(left) ? right : left;
      const value = other.kind === 'path' ? this.#bare(other) : this.#value(other);
      return `default(${value}, null) ${operator === '!=' ? '!=' : '=='} null`;
    }
    const kinds = [left, right].map(kindOf);
    const [kind, another] = kinds.filter((each) => each !== undefined);
    const order = operator !== '==' && operator !== '!=';
    if (kind !== undefined && another !== undefined && kind !== another) this.#differ(kinds, comparison);
    else if (order && kind === 'boolean') this.#unordered(comparison);
    const wanted = kind ?? (order ? 'number' : undefined);
    const test = `${this.#side(left, wanted, order)} ${operator} ${this.#side(right, wanted, order)}`;
    if (this.#strict && wanted === undefined) return this.#alike(left, right, test);
    return this.#isSure(left, right) ? test : `default(${test}, false)`;
  }

  /** Texts that say a number are one; else, strictly, a value must be of the kind it is compared with. */
  #side(side: Expression, wanted: Kind | undefined, order: boolean): string {
    const value = this.#value(side);
    if (side.kind === 'literal' || wanted === undefined) return value;
    if (wanted === 'number' && (order || (this.#strict && side.kind === 'path'))) return `number(${value})`;
    if (side.kind !== 'path') return value;
    if (this.#strict)
      return this.#only(side, wanted === 'string' ? ['string'] : ['bool'], value, KINDS[wanted]);
    return order && wanted === 'string' ? `text(${value})` : value;
  }

  #differ(
    kinds: readonly (Kind | undefined)[],
    { left, start, end }: Extract<Expression, { kind: 'comparison' }>,
  ) {
    const [one, other] = kinds.map((kind) => kind && KINDS[kind]);
    this.problems.push({
      message: `${one} is compared with ${other}: that tells nothing`,
      hint:
        left.kind === 'not'
          ? '`!` is about what stands next to it: `!(a == 0)`.'
          : 'Compare values of one kind.',
      start,
      end,
    });
  }

  #unordered({ operator, left, start, end }: Extract<Expression, { kind: 'comparison' }>) {
    const hint =
      left.kind === 'not'
        ? '`!` is about what stands next to it: `!(a > 0)`.'
        : 'Compare numbers or texts, or use `==`.';
    this.problems.push({
      message: `true or false is neither more nor less (\`${operator}\`)`,
      hint,
      start,
      end,
    });
  }

  /** Of two values that are known only when it runs. */
  #alike(left: Expression, right: Expression, test: string): string {
    const [one, other] = [this.#value(left), this.#value(right)];
    const numbers = [one, other].map((each) => `type(${each}) in [int, double]`).join(' && ');
    const what = [left, right].map((side) => (side.kind === 'path' ? written(side) : '')).join(' and ');
    return `(type(${one}) == type(${other}) || ${numbers} ? ${test} : absent(${celText(`${what} of one kind`)}))`;
  }

  #only(path: Path, types: readonly string[], then: string, kind: string): string {
    const whole = this.#path(path);
    const is = types.map((type) => `type(${whole}) == ${type}`).join(' || ');
    return `(${is} ? ${then} : absent(${celText(`${written(path)} as ${kind}`)}))`;
  }

  #call({ method, on, argument }: Extract<Expression, { kind: 'call' }>): string {
    const whole = this.#path(on);
    const given = this.#value(argument);
    // A text is looked for in a text; in a list, the value.
    const asText = argument.kind === 'literal' ? celText(String(argument.value)) : given;
    const within = (part: string) =>
      method === 'includes' ? `includes(${whole}, ${part})` : `${whole}.${method}(${part})`;
    const test =
      given === asText ? within(given) : `(type(${whole}) == string ? ${within(asText)} : ${within(given)})`;
    const types = method === 'includes' ? ['string', 'list'] : ['string'];
    if (this.#strict)
      return this.#only(
        on,
        types,
        method === 'includes' ? test : within(asText),
        types.length === 1 ? KINDS.string : `${KINDS.string} or a list`,
      );
    const isText = `type(${whole}) == string${argument.kind === 'path' ? ` && type(${given}) == string` : ''}`;
    const lenient =
      method === 'includes'
        ? `(${isText} || type(${whole}) == list) && ${test}`
        : `${isText} && ${within(asText)}`;
    return this.#isSure(on, argument) ? `(${lenient})` : `default(${lenient}, false)`;
  }

  /** Strictly, absence is an error of its own. */
  #isSure(...parts: Expression[]): boolean {
    return this.#strict || parts.every(({ kind }) => kind !== 'path' && kind !== 'length');
  }
}

function written({ root, keys }: Path): string {
  return keys.reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`),
    root,
  );
}
