// workflow: whole workflows and steps from the few fields a test cares about.

import type { Action, Check, Done, Gate, Next, Step, Work, Workflow } from '../../src/model/workflow.ts';

type StepFields = Partial<Omit<Step, 'work' | 'done' | 'next'>> & {
  done?: { checks: Check[]; tries?: number };
  next?: (Partial<Next> & { goto?: string })[];
};

export function step(id: string, work: Work, fields: StepFields = {}): Step {
  const { done, next, ...rest } = fields;
  return {
    id,
    labels: {},
    check: false,
    dryRun: false,
    work,
    capture: { as: 'text', limit: 1 << 20, onParseError: 'fail' },
    env: {},
    secrets: [],
    retry: { max: 0, delay: 0, on: [] },
    rules: [],
    workspace: 'here',
    enter: [],
    exit: [],
    recover: { kind: 'rerun' },
    at: { file: 'test.yaml', line: 1, column: 1 },
    ...rest,
    done: done && ({ tries: 1, ...done } satisfies Done),
    next: (next ?? []).map((rule) => ({ do: [], ...rule })),
  };
}

/** A command that only has a name: the rehearsal says what came of it. */
export const run = (id: string, fields?: StepFields): Step =>
  step(id, { kind: 'run', command: { kind: 'argv', argv: [id] } }, fields);

export const noop = (id: string, fields?: StepFields): Step =>
  step(id, { kind: 'call', handler: 'noop', with: {} }, fields);

export const prompt = (id: string, fields?: StepFields, text = `do ${id}`): Step =>
  step(
    id,
    {
      kind: 'prompt',
      prompt: { kind: 'template', text },
      performer: { params: {}, tools: { deny: [] } },
      with: {},
    },
    fields,
  );

/** A gate as the compiler makes one. */
export const gate = (name: string, fields: Partial<Gate> = {}, around: StepFields = {}): Step =>
  prompt(name, {
    ...around,
    gate: {
      name,
      source: [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 0),
      enabled: true,
      run: 'always',
      files: ['**'],
      again: 'always',
      ...fields,
    },
  });

export const gates = (id: string, steps: Step[], fields?: StepFields): Step =>
  step(id, { kind: 'parallel', steps, gates: 'review' }, fields);

export const ask = (id: string, question: string, choices?: string[], fields?: StepFields): Step =>
  step(id, { kind: 'ask', question, choices }, fields);

export const sequence = (id: string, steps: Step[], fields?: StepFields): Step =>
  step(id, { kind: 'sequence', steps }, fields);

export const parallel = (id: string, steps: Step[], fields?: StepFields, concurrency?: number): Step =>
  step(id, { kind: 'parallel', steps, concurrency }, fields);

export const loop = (
  id: string,
  test: { while: string } | { until: string },
  max: number,
  steps: Step[],
  fields?: StepFields,
): Step => {
  const [kind, cel] = Object.entries(test)[0] as ['while' | 'until', string];
  return step(id, { kind: 'loop', test: { kind, cel }, max, steps }, fields);
};

export const each = (
  id: string,
  list: string,
  steps: Step[],
  fields: StepFields & { concurrency?: number; order?: 'listed' | 'dependencies' } = {},
): Step => {
  const { concurrency = 1, order = 'listed', ...rest } = fields;
  return step(id, { kind: 'each', name: 'item', list, order, concurrency, steps }, rest);
};

export const call = (
  id: string,
  workflow: string,
  values: Record<string, string> = {},
  fields?: StepFields,
): Step => step(id, { kind: 'workflow', workflow, with: values }, fields);

export const doRun = (name: string, fields: Partial<Action> = {}): Action => ({
  work: { kind: 'run', command: { kind: 'argv', argv: [name] } },
  ...fields,
});

export const set = (values: Record<string, string>, fields: Partial<Action> = {}): Action => ({
  work: { kind: 'set', values },
  ...fields,
});

export function workflow(steps: Step[], fields: Partial<Workflow> = {}): Workflow {
  return {
    lockstep: 1,
    name: 'test',
    sources: [],
    inputs: {},
    vars: {},
    limits: { visits: 50, stopBlocks: 5 },
    workspace: 'here',
    guard: { unenforceable: 'error', engineDown: 'block' },
    invariants: [],
    policy: { onChanged: 'pinned', state: 'coalesced', keepStdout: 'always', pausedExit: 3, dirs: {} },
    providers: {},
    references: [],
    guidance: [],
    tools: { deny: [] },
    rules: [],
    events: {},
    outputs: {},
    steps,
    workflows: {},
    refused: [],
    ...fields,
  };
}
