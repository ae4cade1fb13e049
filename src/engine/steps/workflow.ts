// workflow: another workflow, in a scope of its own: it sees its inputs only (rule 1), its caller its `outputs`.

import type { Command } from '../../model/command.ts';
import type { Cut } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Scope, State } from '../../model/state.ts';
import type { InputDeclaration, Workflow, WorkflowWork } from '../../model/workflow.ts';
import type { Decision } from '../decision.ts';
import { isFinished } from '../descend.ts';
import { readerOfScope, Unevaluable } from '../reader.ts';
import { decideFailedInside } from './inside.ts';

export function decideCalled(decision: Decision, work: WorkflowWork): Command {
  const { workflow, state, open } = decision;
  const called = workflow.workflows[work.workflow] as Workflow;
  if (!open.body) {
    const inputs = inputsOf(called, decision.readParts(work.with));
    return { entry: { kind: 'workflow-called', path: open.path, inputs } };
  }
  if (open.body.failed) return decideFailedInside(decision);
  if (!isFinished(open.body)) throw new Error(`${open.path} has nothing to decide`);
  const output = outputsOf(decision, state, open.body.scope, called);
  return { entry: { kind: 'workflow-returned', path: open.path, output } };
}

function outputsOf(decision: Decision, state: State, scope: Scope, { outputs }: Workflow): JsonObject {
  const parts = Object.entries(outputs).map(([of, value]): [string, Json] => {
    const touched = (cut: Cut): void => decision.touch({ ...cut, of });
    return [of, readerOfScope(state, scope, { at: decision.open, touched }).deep(value)];
  });
  return Object.fromEntries(parts);
}

function inputsOf(called: Workflow, given: JsonObject): JsonObject {
  const inputs: [string, Json][] = [];
  for (const [name, declaration] of Object.entries(called.inputs)) {
    const value = Object.hasOwn(given, name) ? given[name] : declaration.default;
    if (value === undefined && declaration.required === false) continue;
    if (value === undefined) throw new Unevaluable(`workflow "${called.name}" needs the input \`${name}\``);
    const problem = inputProblem(declaration, value);
    if (problem) throw new Unevaluable(`input \`${name}\` of workflow "${called.name}" ${problem}`);
    inputs.push([name, value]);
  }
  return Object.fromEntries(inputs);
}

/** Why a value does not fit its declaration. */
export function inputProblem(declaration: InputDeclaration, value: Json): string | undefined {
  const { type, choices } = declaration;
  if (!fits(type, value)) return `must be a ${type}, and is ${describe(value)}`;
  const isChoice =
    choices === undefined || choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value));
  return isChoice
    ? undefined
    : `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
}

function fits(type: InputDeclaration['type'], value: Json): boolean {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  switch (type) {
    case 'any':
      return true;
    case 'list':
      return Array.isArray(value);
    case 'map':
      return isMap;
    case 'file':
      return isMap && typeof value.text === 'string' && typeof value.path === 'string';
    default:
      return typeof value === type;
  }
}

function describe(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `the ${typeof value} ${JSON.stringify(value).slice(0, 60)}`;
}
