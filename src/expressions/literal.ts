// literal: a number written in an expression, held against what was written.

import type { ASTNode } from '@marcbachmann/cel-js';
import { inexactNumber } from '../text/exact-number.ts';

/** Why the double is not the number that stands in the text. */
export function inexactLiteral(node: ASTNode, value: number): string | undefined {
  return inexactNumber(node.input.slice(node.start, node.end), value);
}
