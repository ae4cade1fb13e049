// inspection: one expression under check. The parts of the check share it; `infer` goes on into what lies inside.

import type { ASTNode } from '@marcbachmann/cel-js';
import type { ExpressionProblem, Type, TypeEnvironment } from './type.ts';

/** Variables of comprehensions and `{% for %}`, by name. */
export type Scope = ReadonlyMap<string, Type>;

export interface Inspection {
  readonly source: string;
  readonly environment: TypeEnvironment;
  /** The type of a part, after reporting all that is wrong inside it. */
  infer(node: ASTNode, scope: Scope): Type;
  /** The type of a part, without reporting. */
  peek(node: ASTNode, scope: Scope): Type;
  report(problem: ExpressionProblem): void;
}

/** A problem with a part, at its place. */
export function problemAt(
  place: { start: number; end: number },
  code: string,
  message: string,
  hint?: string,
): ExpressionProblem {
  const { start, end } = place;
  return hint === undefined ? { code, message, start, end } : { code, message, start, end, hint };
}

/** "There are `a`, `b` and `c`." Long lists are cut. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => `\`${name}\``);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  if (last === undefined) return 'There are none.';
  return shown.length === 0 ? `There is ${last}.` : `There are ${shown.join(', ')} and ${last}.`;
}
