// template: a parsed template, compiled once and rendered in one pass: what a value renders to is never looked at again.

import { fillHoles, HOLE, type HoleKind, lineOfWords, whyRefused } from '../text/shell/shell.ts';
import { BoundedCache } from './bounded-cache.ts';
import { attempt, type Code, LONGEST_TEXT, type Run, spend, start } from './code.ts';
import { itemsOf } from './comprehension.ts';
import type { Bindings } from './evaluation.ts';
import { truthOf } from './logic.ts';
import { compile } from './program.ts';
import { parseCel } from './syntax.ts';
import { type Part, parseTemplate } from './template-syntax.ts';
import type { Expression } from './template-token.ts';
import { Exhausted, Missing, Trouble } from './trouble.ts';
import type { ExpressionProblem } from './type.ts';
import { textOf, type Value } from './value.ts';

export type Template =
  | { kind: 'template'; write: Writer; sole?: Code }
  | { kind: 'problem'; problem: ExpressionProblem };

/** Writes one part of a template. */
type Writer = (output: Output) => void;

const templates = new BoundedCache<Template>(2_000_000, compileTemplate);

export function templateOf(source: string): Template {
  return templates.get(source);
}

/** Whether rendering it could change it. */
export function hasExpressions(template: string): boolean {
  return /\{[{%]/.test(template);
}

/** The CEL inside, when a text is one `{{ }}` and nothing else. */
export function isSoleExpression(template: string): string | undefined {
  const { parts, problems } = parseTemplate(template);
  const [only] = parts;
  if (problems.length > 0 || parts.length !== 1 || only?.kind !== 'output') return undefined;
  return only.expression.source.trim();
}

export function renderTo(
  template: Template & { kind: 'template' },
  bindings: Bindings,
  shell: boolean,
): string {
  const output = new Output(start(bindings), shell);
  template.write(output);
  return output.finish();
}

/** For people: what is not there stands as it is called. undefined: it cannot be told. */
export function renderNamed(source: string, bindings: Bindings): string | undefined {
  const template = templateOf(source);
  if (template.kind === 'problem') return undefined;
  const output = new Output(start(bindings), false, true);
  try {
    template.write(output);
    return output.finish();
  } catch (thrown) {
    if ([Trouble, Missing, Exhausted, RangeError].some((kind) => thrown instanceof kind)) return undefined;
    throw thrown;
  }
}

/** The words of a command that meets no shell: each value is what it is, unless the program would take it for more. */
export function renderWordsTo(
  templates: readonly (Template & { kind: 'template' })[],
  bindings: Bindings,
  script?: number,
): string[] {
  const run = start(bindings);
  const outputs = templates.map((template) => {
    const output = new Output(run, true);
    template.write(output);
    return output;
  });
  const shapes = outputs.map((output, at) =>
    at === script ? { text: output.finish(), values: [] } : output.shape(),
  );
  const values = shapes.flatMap((shape) => shape.values);
  if (values.length > 0) {
    const why = whyRefused(
      lineOfWords(shapes.map(({ text }) => text)),
      values.map(({ text }) => text),
    );
    if (why !== undefined) throw new Trouble(why);
  }
  return shapes.map(({ text, values: own }) => {
    let index = 0;
    return text.replaceAll(HOLE, () => own[index++]?.text ?? '');
  });
}

/** What has been written so far, and the facts that were found missing on the way: all of them are asked for at once. */
class Output {
  readonly run: Run;
  /** The values of a shell line: each is put in when the whole line is there to show what it stands in. */
  readonly #values: { text: string; kind: HoleKind }[] | undefined;
  readonly #pieces: string[] = [];
  readonly #named: boolean;
  #length = 0;
  #missing: Missing | undefined;

  constructor(run: Run, shell: boolean, named = false) {
    this.run = run;
    this.#named = named;
    this.#values = shell ? [] : undefined;
  }

  text(text: string): void {
    if (this.#values && text.includes(HOLE))
      throw new Trouble('the line holds a private character (U+F8F0), which stands for values here');
    this.#add(text);
  }

  value(value: Value, { source }: Expression): void {
    const text = textOf(value);
    if (this.#values === undefined) return this.#add(text);
    if (text.includes('\0'))
      throw new Trouble('a value for the shell holds a NUL character, which no command can be given');
    this.#values.push({ text, kind: { mayName: isInput(source) } });
    this.#add(HOLE, text.length);
  }

  /** undefined: facts are missing, and this part is left out of a text that nobody will see. */
  known(code: Code): Value | undefined {
    const found = attempt(this.run, code);
    if (found instanceof Trouble && this.#named && found.absent !== undefined)
      return /^\$\{.*\}$/s.test(found.absent) ? found.absent : `{{ ${found.absent} }}`;
    if (found instanceof Trouble) throw found;
    if (!(found instanceof Missing)) return found;
    this.#missing = this.#missing ? this.#missing.and(found) : found;
    return undefined;
  }

  /** The text with a HOLE for each value. */
  shape(): { text: string; values: readonly { text: string; kind: HoleKind }[] } {
    if (this.#missing) throw this.#missing;
    return { text: this.#pieces.join(''), values: this.#values ?? [] };
  }

  finish(): string {
    const { text, values } = this.shape();
    if (values.length === 0) return text;
    const filled = fillHoles(
      text,
      values.map((value) => value.text),
      values.map(({ kind }) => kind),
    );
    if (filled.kind === 'refused') throw new Trouble(filled.why);
    return filled.line;
  }

  #add(text: string, length = text.length): void {
    spend(this.run, 1);
    this.#length += length;
    if (this.#length > LONGEST_TEXT) throw new Trouble('the rendered text would be longer than 64 MiB');
    this.#pieces.push(text);
  }
}

/** An input and nothing else: whoever starts the run may say what runs. */
export function isInput(source: string): boolean {
  return /^inputs(?:\.[A-Za-z_]\w*|\[(?:"[^"\\]+"|'[^'\\]+')\])$/.test(source.trim());
}

class Unreadable {
  readonly problem: ExpressionProblem;

  constructor(problem: ExpressionProblem) {
    this.problem = problem;
  }
}

function compileTemplate(source: string): Template {
  const { parts, problems } = parseTemplate(source);
  const [problem] = problems;
  if (problem) return { kind: 'problem', problem };
  try {
    const [only] = parts;
    const write = writeAll(parts, []);
    if (parts.length !== 1 || only?.kind !== 'output') return { kind: 'template', write };
    return { kind: 'template', write, sole: codeOf(only.expression, []) };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return { kind: 'problem', problem: thrown.problem };
    throw thrown;
  }
}

function codeOf({ source, offset }: Expression, scope: readonly string[]): Code {
  const parsed = parseCel(source);
  if (parsed.kind === 'parsed') return compile(parsed.ast, scope);
  const { problem } = parsed;
  throw new Unreadable({ ...problem, start: problem.start + offset, end: problem.end + offset });
}

function writeAll(parts: readonly Part[], scope: readonly string[]): Writer {
  const writers = parts.map((part) => writerOf(part, scope));
  return (output) => {
    for (const write of writers) write(output);
  };
}

function writerOf(part: Part, scope: readonly string[]): Writer {
  switch (part.kind) {
    case 'text':
      return (output) => output.text(part.text);
    case 'output': {
      const code = codeOf(part.expression, scope);
      return (output) => {
        const value = output.known(code);
        if (value !== undefined) output.value(value, part.expression);
      };
    }
    case 'if':
      return ifWriter(part, scope);
    case 'for':
      return forWriter(part, scope);
  }
}

function ifWriter(part: Part & { kind: 'if' }, scope: readonly string[]): Writer {
  const branches = part.branches.map(({ test, body }) => ({
    test: test && codeOf(test, scope),
    write: writeAll(body, scope),
  }));
  return (output) => {
    for (const { test, write } of branches) {
      const value = test ? output.known(test) : true;
      if (value === undefined) return;
      if (truthOf(value, '{% if %}')) {
        write(output);
        return;
      }
    }
  };
}

function forWriter(part: Part & { kind: 'for' }, scope: readonly string[]): Writer {
  const list = codeOf(part.list, scope);
  const slot = scope.length;
  const write = writeAll(part.body, [...scope, part.variable]);
  return (output) => {
    const value = output.known(list);
    if (value === undefined) return;
    for (const item of itemsOf(value, '{% for %}', output.run)) {
      spend(output.run, 1);
      output.run.slots[slot] = item;
      write(output);
    }
  };
}
