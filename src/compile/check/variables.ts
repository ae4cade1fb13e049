// variables: what is written to `vars`, and names that two branches would write at once (rule 1).

import type { Type } from '../../expressions/expressions.ts';
import { ANY, describedType } from '../../expressions/type-relations.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Action } from '../../model/workflow.ts';
import { type Spot, stepsOf } from '../flow/outline.ts';
import { valueType } from './result-type.ts';
import { meant, problem, type Subject } from './subject.ts';
import type { View } from './view.ts';

export function checkVariables(subject: Subject, view: View): Diagnostic[] {
  const { workflow, outline } = subject;
  const actions = Object.values(workflow.events).flat();
  for (const { step } of outline.spots) {
    actions.push(...step.enter, ...step.exit, ...step.next.flatMap((rule) => rule.do));
  }
  return [
    ...actions.flatMap((action) => checkSet(subject, action)),
    ...outline.spots.flatMap((spot) => checkMerge(subject, view, spot)),
  ];
}

function checkSet(subject: Subject, { work }: Action): Diagnostic[] {
  if (work.kind !== 'set') return [];
  const { vars } = subject.workflow;
  const names = Object.keys(work.values);
  const unknown = names.filter((name) => !Object.hasOwn(vars, name));
  if (unknown.length > 0) return [undeclared(subject, work, unknown)];
  return names.flatMap((name) => {
    const [declared, given] = [valueType(vars[name] ?? null), valueType(work.values[name] ?? null)];
    if (declared.kind === 'any' || given.kind === 'any' || declared.kind === given.kind) return [];
    const message = `the variable \`${name}\` is ${describedType(declared)}, as its first value says, and this sets it to ${describedType(given)}`;
    const hint = 'Declare it as `null` where it may be of any type.';
    return [problem(subject, 'error', [work, 'set'], { code: 'wrong-type', message, hint })];
  });
}

/** One for all: they stand at the same place. */
function undeclared(subject: Subject, part: object, names: string[], key = 'set'): Diagnostic {
  const [first = ''] = names;
  const shown = names.map((name) => `\`${name}\``).join(', ');
  return problem(subject, 'error', [part, key], {
    code: 'unknown-variable',
    message:
      names.length === 1
        ? `the variable ${shown} is not declared`
        : `the variables ${shown} are not declared`,
    hint: meant(subject, first, Object.keys(subject.workflow.vars)) ?? `Declare it: vars: { ${first}: null }`,
  });
}

/** `output: vars` merges an object, whose fields are declared. */
function checkMerge(subject: Subject, view: View, { step }: Spot): Diagnostic[] {
  if (step.output !== 'vars') return [];
  const whole = view.output(step);
  const type = (step.merge?.path ?? []).reduce<Type | undefined>(memberType, whole);
  if (type === undefined) {
    const path = step.merge?.path.join('.');
    const message = `\`output: { vars: ${path} }\`: the output of \`${step.id}\` has no \`${path}\``;
    return [problem(subject, 'error', [step, 'output'], { code: 'cel-unknown-field', message })];
  }
  if (type.kind === 'any' || type.kind === 'map') return [];
  if (type.kind !== 'object') {
    const hint =
      step.work.kind === 'run' && type === whole ? 'Read its output as JSON: `capture: json`.' : undefined;
    const what = step.merge ? `\`${step.merge.path.join('.')}\` in the output` : 'the output';
    const message = `\`output: vars\` merges an object into vars, and ${what} of \`${step.id}\` is ${describedType(type)}`;
    return [problem(subject, 'error', [step, 'output'], { code: 'wrong-type', message, hint })];
  }
  if (step.merge?.extra === 'keep') return [];
  const unknown = Object.keys(type.fields).filter((name) => !Object.hasOwn(subject.workflow.vars, name));
  return unknown.length > 0 ? [undeclared(subject, step, unknown, 'output')] : [];
}

/** undefined: it has no such member. */
function memberType(type: Type | undefined, key: string): Type | undefined {
  switch (type?.kind) {
    case 'any':
      return ANY;
    case 'map':
      return type.of;
    case 'object':
      return Object.hasOwn(type.fields, key) ? type.fields[key] : type.open && ANY;
    default:
      return undefined;
  }
}

/** Branches of a `parallel` share a scope: which of two bindings is there afterwards would be chance. */
export function checkSiblings(subject: Subject): Diagnostic[] {
  return subject.outline.spots.flatMap((block) => {
    if (block.step.work.kind !== 'parallel') return [];
    const first = new Map<string, Spot>();
    return stepsOf(block.step).flatMap((child) => {
      const branch = subject.outline.at(child);
      const names = namesBoundIn(subject, branch);
      return [...names].flatMap(([name, { part, spot }]) => {
        const other = first.get(name);
        first.set(name, other ?? spot);
        if (!other) return [];
        return [
          problem(subject, 'error', [part, 'output'], {
            code: 'parallel-output',
            message: `\`${spot.step.id}\` and \`${other.step.id}\` run side by side in \`${block.step.id}\`, and both bind \`${name}\``,
            hint: 'Give one of them another name.',
          }),
        ];
      });
    });
  });
}

/** What a branch binds in the scope it shares with its siblings: not what a pass of an `each` inside it binds. */
function namesBoundIn({ outline }: Subject, branch: Spot): Map<string, { part: object; spot: Spot }> {
  const names = new Map<string, { part: object; spot: Spot }>();
  const bind = (name: string | undefined, part: object, spot: Spot) => {
    if (name !== undefined && name !== 'vars' && !names.has(name)) names.set(name, { part, spot });
  };
  const walk = (spot: Spot): void => {
    const { step } = spot;
    const isEach = step.work.kind === 'each';
    bind(step.output, step, spot);
    const around = isEach ? [] : [...step.enter, ...step.exit];
    for (const action of [...around, ...step.next.flatMap((rule) => rule.do)])
      bind(action.output, action, spot);
    if (!isEach) for (const child of stepsOf(step)) walk(outline.at(child));
  };
  walk(branch);
  return names;
}
