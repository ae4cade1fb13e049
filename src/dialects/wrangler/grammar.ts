// grammar: what a wrangler workflow may look like, as a table like our own, for both generations. Version 1 has agents
// whose file is the task, and groups of gates; version 2 has prompts, and steps side by side. Everything else is the same.

import {
  boolean,
  choice,
  count,
  type Fields,
  field,
  listOf,
  literal,
  object,
  required,
  type Shape,
} from '../../source/grammar/shape.ts';

export type Generation = 1 | 2;
export type StepKind = 'agent' | 'prompt' | 'code' | 'per-task' | 'gate-group' | 'loop' | 'parallel';

export const KINDS: Readonly<Record<Generation, readonly StepKind[]>> = {
  1: ['agent', 'code', 'per-task', 'gate-group', 'loop'],
  2: ['prompt', 'code', 'loop', 'parallel', 'per-task'],
};

const json: Shape = { kind: 'json', templates: false };
const milliseconds: Shape = { kind: 'number', above: true };
/** Steps are held against the shape of their kind one by one, each under its own name. */
const steps = required(listOf(json, true), 'At least one step.');
const value: Shape = { kind: 'either', of: [literal, { kind: 'json-map', templates: false }] };

const performer: Fields = {
  model: field(literal, 'Which model; before that of the agent, and that before `defaults`.'),
  permissionMode: field(literal, 'What the client may do without asking.'),
  settingSources: field(listOf(literal), 'Whose settings and hooks the client loads.'),
  mcpServers: field({ kind: 'json-map', templates: false }, 'Servers whose tools agents may use.'),
  maxTurns: field(count, 'How many turns an agent may take.'),
};

const safety: Shape = object({
  maxLoopRetries: field({ kind: 'integer', min: 0 }, 'No loop makes more passes than this.'),
  maxStepTimeoutMs: field(milliseconds, 'How long any step may take.'),
  maxWorkflowDurationMs: field(milliseconds, 'How long the whole run may take.'),
  failOnStepError: field(boolean, 'False: the run goes on after a step that failed.'),
});

function documentShape(version: Generation): Shape {
  const agent = { agent: field(literal, 'Who does prompts that name nobody.') };
  return object(
    {
      name: required(literal, 'What it is called.'),
      version: required({ kind: 'integer', min: 1 }, 'Of the language: 1 or 2.'),
      description: field(literal, 'What it does.'),
      safety: field(safety, 'Limits.'),
      reporters: field(json, 'Who is told of results; kept as a label, and told nothing.'),
      defaults: field(object(version === 1 ? performer : { ...agent, ...performer }), 'For every agent.'),
      phases: steps,
    },
    'wrangler workflow',
  );
}

export const DOCUMENTS: Readonly<Record<Generation, Shape>> = { 1: documentShape(1), 2: documentShape(2) };

const common: Fields = {
  name: required(literal, 'Its name, unique in its list of steps.'),
  type: field(literal, 'What kind of step it is.'),
  condition: field(literal, 'When it runs; else it is skipped.'),
  enabled: field(boolean, 'False: it is skipped.'),
  output: field(literal, 'A name for what comes of it.'),
  failWhen: field(literal, 'When it has failed, whatever it says.'),
  runOn: field(choice('success', 'failure', 'always'), 'After what it runs; `success`.'),
  reportAs: field(json, 'Where its result is reported; kept as a label.'),
};
const input: Fields = {
  input: field(value, 'A value, by its name; or a map of names and values.'),
};

export const STEPS: Readonly<Record<StepKind, Shape>> = {
  agent: object({
    ...common,
    ...input,
    agent: required(literal, 'The file of the agent: who it is, and the task.'),
    model: field(literal, 'Which model.'),
    maxTurns: field(count, 'How many turns it may take.'),
  }),
  prompt: object({
    ...common,
    ...input,
    agent: field(literal, 'Who does it; else `defaults.agent`.'),
    prompt: required(literal, 'The task: a file of `prompts`.'),
    model: field(literal, 'Which model.'),
    maxTurns: field(count, 'How many turns it may take.'),
  }),
  code: object({ ...common, ...input, handler: required(literal, 'A handler of Lockstep.') }),
  'per-task': object({ ...common, source: required(literal, 'The list of tasks.'), steps }),
  'gate-group': object({ ...common, ...input, gates: required(literal, 'The folder of the gates.') }),
  loop: object({
    ...common,
    condition: required(literal, 'It goes on while this holds.'),
    maxRetries: field({ kind: 'integer', min: 0 }, 'How many passes at most; else `safety.maxLoopRetries`.'),
    onExhausted: field(choice('escalate', 'warn', 'fail'), 'What then; `escalate`.'),
    steps,
  }),
  parallel: object({ ...common, steps }),
};

/** What tells a kind by itself, for messages where `type` is left out. */
export const MARKS: Readonly<Partial<Record<string, StepKind>>> = {
  handler: 'code',
  source: 'per-task',
  gates: 'gate-group',
  maxRetries: 'loop',
};
