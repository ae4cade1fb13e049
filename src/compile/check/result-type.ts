// result-type: what is known of a step's output before it runs (rule 2).

import { compileTypeOfSchema, isSoleExpression, type Type } from '../../expressions/expressions.ts';
import { ANY, INT, joined, NUMBER, STRING } from '../../expressions/type-relations.ts';
import type { Json } from '../../model/json.ts';
import type { AskWork, CallWork, InputDeclaration, Step, Workflow } from '../../model/workflow.ts';

const TEXTS: Type = { kind: 'list', of: STRING };

/** What the types of this workflow need to know beside the step itself. */
export interface Typing {
  called: Readonly<Record<string, Workflow>>;
  /** The items an `each` goes over. */
  itemType(step: Step): Type;
}

export function outputType(step: Step, typing: Typing): Type {
  const schema = step.done?.checks.find((check) => check.kind === 'schema');
  if (schema?.kind === 'schema') return compileTypeOfSchema(schema.schema);
  const { work } = step;
  switch (work.kind) {
    case 'run':
      return capturedType(step);
    case 'call':
      return handlerType(work, step);
    case 'ask':
      return answerType(work);
    case 'workflow':
      return returnedType(typing.called[work.workflow]);
    case 'sequence':
    case 'loop':
      return passType(work.steps, typing);
    case 'parallel':
      if (work.gates !== undefined) return REVIEW;
      return objectType(work.steps.map((child) => [child.id, outputType(child, typing)]));
    case 'each':
      return {
        kind: 'list',
        of: objectType([
          ['item', typing.itemType(step)],
          ['status', STRING],
          ['output', passType(work.steps, typing)],
          ...branchOf(step),
        ]),
      };
    default:
      return ANY;
  }
}

/** Of its worktree; '' where none could be made. */
function branchOf({ workspace }: Step): [string, Type][] {
  return workspace === 'worktree' ? [['branch', STRING]] : [];
}

const BOOL: Type = { kind: 'bool' };
const ISSUES: Type = {
  kind: 'list',
  of: objectType([
    ...['severity', 'description', 'file', 'fixInstructions', 'foundBy'].map((key): [string, Type] => [
      key,
      STRING,
    ]),
    ['line', NUMBER],
  ]),
};
/** What gates say as one. */
const REVIEW: Type = objectType([
  ['assessment', STRING],
  ['issues', ISSUES],
  ['strengths', TEXTS],
  ['hasActionableIssues', BOOL],
  ['actionableIssues', ISSUES],
  [
    'testCoverage',
    objectType([
      ['adequate', BOOL],
      ['notes', STRING],
    ]),
  ],
  [
    'gates',
    {
      kind: 'list',
      of: objectType([
        ...['gate', 'status', 'assessment', 'why'].map((key): [string, Type] => [key, STRING]),
        ['issues', INT],
        ['carried', BOOL],
      ]),
    },
  ],
]);

/** The value of the last step that ran; which one that is, is certain only where the last cannot be skipped. */
export function passType(steps: readonly Step[], typing: Typing): Type {
  const last = steps.at(-1);
  return last && last.if === undefined ? outputType(last, typing) : ANY;
}

function capturedType({ capture }: Step): Type {
  if (capture.as === 'json') return ANY;
  return capture.as === 'lines' ? TEXTS : STRING;
}

function handlerType({ handler }: CallWork, step: Step): Type {
  switch (handler) {
    case 'write-file':
    case 'move':
      return STRING;
    case 'read-file':
      return capturedType(step);
    case 'capture-artifact':
      return TEXTS;
    default:
      return ANY;
  }
}

function answerType({ choices = [] }: AskWork): Type {
  if (typeof choices === 'string') return ANY;
  const [first, ...others] = choices.map(valueType);
  return first ? others.reduce((all, each) => joined(all, each), first) : ANY;
}

function returnedType(called: Workflow | undefined): Type {
  if (!called) return ANY;
  return objectType(Object.entries(called.outputs).map(([key, value]) => [key, valueType(value)]));
}

/** Of a value that is written down; a text that is one `{{ }}` may become anything. */
export function valueType(value: Json): Type {
  switch (typeof value) {
    case 'string':
      return isSoleExpression(value) === undefined ? STRING : ANY;
    case 'boolean':
      return { kind: 'bool' };
    case 'number':
      return NUMBER;
    default:
      if (value === null) return ANY;
      return Array.isArray(value) ? { kind: 'list', of: ANY } : { kind: 'map', of: ANY };
  }
}

export function inputType({ type }: InputDeclaration): Type {
  switch (type) {
    case 'any':
      return ANY;
    case 'string':
    case 'number':
      return { kind: type };
    case 'boolean':
      return { kind: 'bool' };
    case 'list':
      return { kind: 'list', of: ANY };
    case 'map':
      return { kind: 'map', of: ANY };
    case 'file':
      return objectType([
        ['path', STRING],
        ['absolute', STRING],
        ['text', STRING],
        ['body', STRING],
        ['title', STRING],
        ['data', { kind: 'map', of: ANY }],
      ]);
  }
}

/** What `steps.x` shows. `hasBranch`: it has a worktree of its own. */
export function resultType(output: Type, hasBranch: boolean): Type {
  return objectType([
    ['status', STRING],
    ['output', output],
    ['exit_code', INT],
    ['stderr', STRING],
    ['tries', INT],
    ['duration_ms', INT],
    ['parse_error', STRING],
    ...(hasBranch ? [['branch', STRING] as [string, Type]] : []),
    [
      'error',
      objectType([
        ['class', STRING],
        ['message', STRING],
      ]),
    ],
  ]);
}

/** `fromEntries` defines: a key may be called anything. */
export function objectType(fields: [string, Type][]): Type & { kind: 'object' } {
  return { kind: 'object', fields: Object.fromEntries(fields) };
}
