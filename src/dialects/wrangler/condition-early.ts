// condition-early: a condition that cannot hold when it is asked for the first time, because nothing has put out yet what
// it reads. It would be false for ever.

import type { Expression, Path } from './condition-syntax.ts';
import type { ConditionProblem } from './condition-token.ts';

/** undefined: it may hold, or is false for another reason. */
export function asksTooEarly(
  condition: Expression,
  isThere: (root: string) => boolean,
): ConditionProblem | undefined {
  const path = pathsOf(condition).find(({ root }) => !isThere(root));
  if (path === undefined || holds(condition, isThere) !== false) return undefined;
  const { root, start } = path;
  return {
    code: 'unknown-name',
    message: `no step before this one puts out "${root}": it is false for ever`,
    hint: 'A loop tests its condition before the first pass. Let a step before it put that out.',
    start,
    end: start + root.length,
  };
}

/** What it comes to where some names are not there yet; undefined: that depends on the others. */
function holds(expression: Expression, isThere: (root: string) => boolean): boolean | undefined {
  const again = (of: Expression) => holds(of, isThere);
  const isAbsent = (of: Expression) => of.kind === 'path' && !isThere(of.root);
  switch (expression.kind) {
    case 'literal':
      return Boolean(expression.value);
    case 'path':
      return isAbsent(expression) ? false : undefined;
    case 'length':
      return isAbsent(expression.of) ? false : undefined;
    case 'call':
      return isAbsent(expression.on) ? false : undefined;
    case 'not': {
      const of = again(expression.of);
      return of === undefined ? undefined : !of;
    }
    case 'logic': {
      const sides = expression.sides.map(again);
      const decides = expression.operator === '||';
      if (sides.includes(decides)) return decides;
      return sides.includes(undefined) ? undefined : !decides;
    }
    case 'comparison': {
      const sides = [expression.left, expression.right];
      if (sides.some((side) => side.kind === 'literal' && side.value === null)) return undefined;
      return sides.some((side) => isAbsent(side.kind === 'length' ? side.of : side)) ? false : undefined;
    }
  }
}

function pathsOf(expression: Expression): Path[] {
  switch (expression.kind) {
    case 'literal':
      return [];
    case 'path':
      return [expression];
    case 'length':
    case 'not':
      return pathsOf(expression.of);
    case 'logic':
      return expression.sides.flatMap(pathsOf);
    case 'call':
      return [expression.on, ...pathsOf(expression.argument)];
    case 'comparison':
      return [...pathsOf(expression.left), ...pathsOf(expression.right)];
  }
}
