// check-shell-line: whether the values of a `run` line stand where they can be put in as text. The fixed text of a
// template depends on its `{% if %}` and `{% for %}`, so the line is looked at in each of the ways it may turn out, up to a
// bound; rendering looks once more, at the one that did.

import { checkHoles, HOLE, type HoleKind } from '../text/shell/shell.ts';
import { isInput } from './template.ts';
import { type Part, parseTemplate } from './template-syntax.ts';
import type { Expression } from './template-token.ts';
import type { ExpressionProblem } from './type.ts';

/** One way in which the template may turn out. */
interface Shape {
  line: string;
  values: Expression[];
}

const MOST_SHAPES = 64;

export function checkShellLine(source: string): ExpressionProblem[] {
  const { parts, problems } = parseTemplate(source);
  if (problems.length > 0) return [];
  if (source.includes(HOLE))
    return [
      { ...whole(source), message: 'the line holds a private character (U+F8F0)', code: 'shell-value' },
    ];
  const found = new Map<string, ExpressionProblem>();
  for (const { line, values } of shapesOf(parts)) {
    if (values.length === 0) continue;
    const kinds = values.map((value): HoleKind => ({ mayName: isInput(value.source) }));
    for (const { index, severity, message, hint } of checkHoles(line, kinds)) {
      const value = index === undefined ? undefined : values[index];
      const place =
        value === undefined
          ? whole(source)
          : { start: value.offset - 2, end: value.offset + value.source.length + 2 };
      found.set(`${place.start} ${message}`, {
        code: severity === 'warning' ? 'shell-value-unsure' : 'shell-value',
        message,
        ...place,
        hint,
        ...(severity === 'warning' && { severity }),
      });
    }
  }
  return [...found.values()];
}

function whole(source: string): { start: number; end: number } {
  return { start: 0, end: source.length };
}

/** Every way through the branches; a loop once and twice, and not at all. */
function shapesOf(parts: readonly Part[]): Shape[] {
  let shapes: Shape[] = [{ line: '', values: [] }];
  for (const part of parts) {
    const next = waysOf(part);
    // Too many to look at all: each branch is looked at once, beside the first way of the others.
    const [first] = shapes;
    shapes =
      shapes.length * next.length <= MOST_SHAPES || first === undefined
        ? shapes.flatMap((shape) => next.map((way) => joined(shape, way)))
        : [
            ...shapes.map((shape) => joined(shape, next[0] as Shape)),
            ...next.slice(1).map((way) => joined(first, way)),
          ].slice(0, 4 * MOST_SHAPES);
  }
  return shapes;
}

function waysOf(part: Part): Shape[] {
  switch (part.kind) {
    case 'text':
      return [{ line: part.text, values: [] }];
    case 'output':
      return [{ line: HOLE, values: [part.expression] }];
    case 'if': {
      const ways = part.branches.flatMap(({ body }) => shapesOf(body));
      return part.branches.some(({ test }) => test === undefined)
        ? ways
        : [...ways, { line: '', values: [] }];
    }
    case 'for': {
      const ways = shapesOf(part.body);
      return [...ways, { line: '', values: [] }, ...ways.slice(0, 8).map((way) => joined(way, way))];
    }
  }
}

function joined(a: Shape, b: Shape): Shape {
  return { line: a.line + b.line, values: [...a.values, ...b.values] };
}
