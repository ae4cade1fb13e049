// check-shell-line: whether the values of a `run` line stand where they can be put in as text. The fixed text of a
// template depends on its `{% if %}` and `{% for %}`, so the line is looked at in each of the ways it may turn out, up to a
// bound; rendering looks once more, at the one that did.

import { checkHoles, HOLE, type HoleKind, lineOfWords, scriptWord } from '../text/shell/shell.ts';
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

/** What an expression gives, where that is known before the run: the default of an input. */
export type KnownText = (expression: string) => string | undefined;

export function checkShellLine(source: string, known: KnownText = () => undefined): ExpressionProblem[] {
  const { parts, problems } = parseTemplate(source);
  if (problems.length > 0) return [];
  if (source.includes(HOLE))
    return [
      { ...whole(source), message: 'the line holds a private character (U+F8F0)', code: 'shell-value' },
    ];
  const found = new Map<string, ExpressionProblem>();
  for (const { line, values } of shapesOf(parts)) {
    if (values.length === 0) continue;
    const kinds = values.map((value) => kindOf(value, known));
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

/**
 * The same for a command that is a list of words. No shell reads it, but the program may be one, or take a word for an
 * option or a program text. What is wrong is told for each word.
 */
export function checkCommandWords(
  words: readonly string[],
  known: KnownText = () => undefined,
): ExpressionProblem[][] {
  const script = scriptWord(words);
  if (script === undefined) return checkWords(words, known);
  // The values of the script are quoted in it, as in a line. For the other words it is a text without values.
  const text = words[script] as string;
  const others = checkWords(words.with(script, withoutValues(text)), known);
  return others.with(script, checkShellLine(text, known));
}

/** Each value as a word. */
function withoutValues(source: string): string {
  const { parts, problems } = parseTemplate(source);
  if (problems.length > 0) return source;
  return (shapesOf(parts)[0] as Shape).line.replaceAll(HOLE, 'value');
}

/** Where nothing is quoted: each value goes into its word as it is. */
export function checkWords(
  words: readonly string[],
  known: KnownText = () => undefined,
): ExpressionProblem[][] {
  const found = words.map(() => new Map<string, ExpressionProblem>());
  const parsed = words.map((word) => parseTemplate(word));
  if (parsed.some(({ problems }) => problems.length > 0) || words.some((word) => word.includes(HOLE)))
    return words.map(() => []);
  const ways = parsed.map(({ parts }) => shapesOf(parts));
  const first = ways.map(([way]) => way as Shape);
  // Each way of each word, beside the first way of the others.
  const commands = ways.flatMap((all, at) => all.map((way) => first.with(at, way)));
  for (const shapes of commands) {
    const values = shapes.flatMap((shape, word) => shape.values.map((value) => ({ value, word })));
    if (values.length === 0) continue;
    const kinds = values.map(({ value }) => kindOf(value, known));
    for (const { index = 0, severity, message, hint } of checkHoles(
      lineOfWords(shapes.map(({ line }) => line)),
      kinds,
    )) {
      const { value, word } = values[index] as (typeof values)[number];
      found[word]?.set(`${value.offset} ${message}`, {
        code: severity === 'warning' ? 'shell-value-unsure' : 'shell-value',
        message,
        start: value.offset - 2,
        end: value.offset + value.source.length + 2,
        hint,
        ...(severity === 'warning' && { severity }),
      });
    }
  }
  return found.map((each) => [...each.values()]);
}

function kindOf({ source }: Expression, known: KnownText): HoleKind {
  const text = known(source.trim());
  return { mayName: isInput(source), ...(text !== undefined && { known: text }) };
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
