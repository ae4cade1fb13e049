// condition: what a condition says, as CEL. Two readings of absence (dialects.md):
// lenient, for `condition`: what is not there is false, and so is every comparison with it; strict, for `failWhen`: what
// is not there leaves the check without an answer, and that fails the step.

import { nodeSpan, placeWithin, type ScalarNode } from '../../read/node.ts';
import type { Report } from '../../report.ts';
import type { Piece } from '../build.ts';
import { celText, celValue } from '../native-text.ts';
import { type Expression, isProblem, type Path, parseCondition } from './condition-syntax.ts';

/** A path as CEL; undefined: nothing is called that, which was reported. */
export type Resolve = (path: Path) => string | undefined;

export type Absence = 'is-false' | 'is-an-error';

/** undefined: it is none, and that was reported. */
export function translateCondition(
  node: ScalarNode,
  field: string,
  { report, resolve, absence }: { report: Report; resolve: Resolve; absence: Absence },
): Piece[] | undefined {
  const parsed = parsedIn(node, field, report);
  if (parsed === undefined) return undefined;
  const writer = new Writer(resolve, absence);
  const pieces = writer.test(parsed);
  return writer.failed ? undefined : pieces;
}

/** A path and nothing else: `review.actionableIssues`. undefined: it is none, and that was reported. */
export function parsePath(node: ScalarNode, field: string, report: Report): Path | undefined {
  const parsed = parsedIn(node, field, report);
  if (parsed === undefined || parsed.kind === 'path') return parsed;
  report.error(
    'condition-syntax',
    nodeSpan(node),
    `\`${field}\` must name a value`,
    'A name with dots: `review.actionableIssues`.',
  );
  return undefined;
}

function parsedIn(node: ScalarNode, field: string, report: Report): Expression | undefined {
  const parsed = parseCondition(String(node.value));
  if (!isProblem(parsed)) return parsed;
  const { message, hint, start, end } = parsed;
  const place = placeWithin(node, start, Math.max(end, start + 1));
  report.error(
    'condition-syntax',
    place.source.span(place.start, place.end),
    `\`${field}\`: ${message}`,
    hint,
  );
  return undefined;
}

class Writer {
  failed = false;
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
    return `(default(${cel}, null) == null ? absent(${celText(written(expression))}) : truthy(${cel}))`;
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

  #comparison({ operator, left, right }: Extract<Expression, { kind: 'comparison' }>): string {
    const isNull = (side: Expression) => side.kind === 'literal' && side.value === null;
    if (isNull(left) || isNull(right)) {
      const other = isNull(left) ? right : left;
      const value = other.kind === 'path' ? this.#bare(other) : this.#value(other);
      return `default(${value}, null) ${operator === '!=' ? '!=' : '=='} null`;
    }
    const order = operator !== '==' && operator !== '!=';
    const isText = [left, right].some((side) => side.kind === 'literal' && typeof side.value === 'string');
    const sides = [left, right].map((side) => {
      const value = this.#value(side);
      if (!order || side.kind === 'literal') return value;
      return isText ? `text(${value})` : `number(${value})`;
    });
    const test = sides.join(` ${operator} `);
    return this.#isSure(left, right) ? test : `default(${test}, false)`;
  }

  #call({ method, on, argument }: Extract<Expression, { kind: 'call' }>): string {
    const whole = this.#path(on);
    const part = this.#value(argument);
    const isText = `type(${whole}) == string`;
    const test =
      method === 'includes'
        ? `(${isText} || type(${whole}) == list) && includes(${whole}, ${part})`
        : `${isText} && ${whole}.${method}(${part})`;
    return this.#isSure(on, argument) ? `(${test})` : `default(${test}, false)`;
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
