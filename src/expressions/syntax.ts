// syntax: CEL text → what cel-js parses it to, or the problem, in our words. Bounded: a text can neither fill the
// stack nor keep the parser busy.

import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import { BoundedCache } from './bounded-cache.ts';
import { inOurWords } from './syntax-problem.ts';
import { isDeeper } from './tree.ts';
import type { ExpressionProblem } from './type.ts';

export type Parsed = { kind: 'parsed'; ast: ASTNode } | { kind: 'problem'; problem: ExpressionProblem };

/** In characters. */
export const LONGEST_CEL = 64 * 1024;
/** Nested parentheses, lists, calls, members. */
const DEEPEST_NESTING = 150;
/** Levels of the parsed tree: a chain of `||` is one level for each of its parts. */
const DEEPEST_TREE = 1_000;
/** Signs in a row; the parser does not count them as nesting. */
const MANY_SIGNS = /(?:[!-]\s*){100}/;

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxDepth: DEEPEST_NESTING, maxAstNodes: 20_000, maxListElements: 5_000, maxMapEntries: 5_000 },
});

/** A definition is checked, proved and run from the same texts: each is parsed once. What comes of it is only read. */
const parsed = new BoundedCache<Parsed>(1_000_000, parse);

export function parseCel(source: string): Parsed {
  return parsed.get(source);
}

function parse(source: string): Parsed {
  if (source.length > LONGEST_CEL) return tooLarge(source, `it is longer than ${LONGEST_CEL} characters`);
  if (MANY_SIGNS.test(source)) return tooLarge(source, 'it has a hundred signs in a row');
  try {
    const { ast } = environment.parse(source);
    if (isDeeper(ast, DEEPEST_TREE)) return tooLarge(source, `it has more than ${DEEPEST_TREE} levels`);
    return { kind: 'parsed', ast };
  } catch (error) {
    if (error instanceof RangeError) return tooLarge(source, 'it is nested too deeply');
    if (error instanceof ParseError) return { kind: 'problem', problem: inOurWords(source, error) };
    throw error;
  }
}

function tooLarge(source: string, reason: string): Parsed {
  const hint = 'Split it: let one step make a value that the next one tests.';
  const message = `the expression is too large: ${reason}`;
  return { kind: 'problem', problem: { code: 'cel-too-large', message, start: 0, end: source.length, hint } };
}
