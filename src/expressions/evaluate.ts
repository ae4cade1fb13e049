// evaluate: runs expressions and renders templates against bindings.

import type { Json, JsonObject } from '../model/json.ts';
import { BoundedCache } from './bounded-cache.ts';
import { type Code, start } from './code.ts';
import type { Bindings, Evaluation } from './evaluation.ts';
import { compile } from './program.ts';
import { parseCel } from './syntax.ts';
import { hasExpressions, renderTo, renderWordsTo, templateOf } from './template.ts';
import { Missing, settle, Trouble } from './trouble.ts';
import type { ExpressionProblem } from './type.ts';
import { described, setOwn, toJson } from './value.ts';

type Program = { kind: 'program'; code: Code } | { kind: 'problem'; problem: ExpressionProblem };

const programs = new BoundedCache<Program>(1_000_000, (source) => {
  const parsed = parseCel(source);
  return parsed.kind === 'problem' ? parsed : { kind: 'program', code: compile(parsed.ast) };
});

/** The value is not copied out of the bindings: whoever gets it reads it and does not change it. */
export function evaluate(cel: string, bindings: Bindings): Evaluation<Json> {
  const program = programs.get(cel);
  if (program.kind === 'problem') return { kind: 'error', message: problemText(program.problem) };
  return evaluateCode(program.code, bindings);
}

/** In characters, of a value in a message. */
const LONGEST_SHOWN = 60;

/** For conditions: nothing but true or false will do. */
export function test(cel: string, bindings: Bindings): Evaluation<boolean> {
  const evaluation = evaluate(cel, bindings);
  if (evaluation.kind !== 'value') return evaluation;
  if (typeof evaluation.value === 'boolean') return { kind: 'value', value: evaluation.value };
  const message = `the condition is ${shown(evaluation.value)}, not true or false; truthy(x) makes a bool of anything`;
  return { kind: 'error', message };
}

function shown(value: Json): string {
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, LONGEST_SHOWN))}`;
  return typeof value === 'number' ? `the number ${value}` : described(value);
}

export interface RenderOptions {
  /** Text for `sh -c`: every inserted value is quoted, a list or map as the one word of its JSON. */
  quote?: 'shell';
}

/** A text that is one `{{ }}` and nothing else keeps the value's type, unless it is for the shell. */
export function render(template: string, bindings: Bindings, options: RenderOptions = {}): Evaluation<Json> {
  const compiled = templateOf(template);
  if (compiled.kind === 'template' && compiled.sole && options.quote === undefined) {
    return evaluateCode(compiled.sole, bindings);
  }
  return renderWith(template, bindings, options.quote === 'shell');
}

export function renderText(template: string, bindings: Bindings): Evaluation<string> {
  return renderWith(template, bindings, false);
}

/**
 * The words of a command. A value that the program would take for an option or a program text is an error. `script`: the
 * word that a shell reads as a line.
 */
export function renderWords(
  words: readonly string[],
  bindings: Bindings,
  script?: number,
): Evaluation<string[]> {
  if (!words.some(hasExpressions)) return { kind: 'value', value: [...words] };
  const compiled = words.map(templateOf);
  const templates = compiled.flatMap((one) => (one.kind === 'template' ? [one] : []));
  const problem = compiled.find((one) => one.kind === 'problem');
  if (problem?.kind === 'problem') return { kind: 'error', message: problemText(problem.problem) };
  try {
    return { kind: 'value', value: renderWordsTo(templates, bindings, script) };
  } catch (thrown) {
    return settle(thrown);
  }
}

function evaluateCode(code: Code, bindings: Bindings): Evaluation<Json> {
  try {
    return { kind: 'value', value: toJson(code(start(bindings))) };
  } catch (thrown) {
    return settle(thrown);
  }
}

function renderWith(template: string, bindings: Bindings, shell: boolean): Evaluation<string> {
  const compiled = templateOf(template);
  if (compiled.kind === 'problem') return { kind: 'error', message: problemText(compiled.problem) };
  if (!hasExpressions(template)) return { kind: 'value', value: template };
  try {
    return { kind: 'value', value: renderTo(compiled, bindings, shell) };
  } catch (thrown) {
    return settle(thrown);
  }
}

function problemText(problem: ExpressionProblem): string {
  return problem.hint ? `${problem.message}. ${problem.hint}` : problem.message;
}

const DEEPEST = 500;

/** Every string inside is a template; keys are not. */
export function renderDeep(value: Json, bindings: Bindings): Evaluation<Json> {
  const missing: Missing[] = [];
  try {
    const rendered = renderInside(value, bindings, missing, 0);
    const [first, ...others] = missing;
    if (first) return settle(others.reduce((all, each) => all.and(each), first));
    return { kind: 'value', value: rendered };
  } catch (thrown) {
    return settle(thrown);
  }
}

function renderInside(value: Json, bindings: Bindings, missing: Missing[], depth: number): Json {
  if (depth > DEEPEST) throw new Trouble(`the value is nested more than ${DEEPEST} levels deep`);
  if (typeof value === 'string') {
    const rendered = render(value, bindings);
    if (rendered.kind === 'value') return rendered.value;
    if (rendered.kind === 'error') throw new Trouble(rendered.message, rendered.absent);
    missing.push(new Missing(rendered.needs));
    return null;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renderInside(item, bindings, missing, depth + 1));
  const object: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    setOwn(object, key, renderInside(item, bindings, missing, depth + 1));
  }
  return object;
}
