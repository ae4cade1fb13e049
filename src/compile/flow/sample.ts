// sample: whole workflows from a few words, for tests of what works on compiled ones.

import type { Step, Work, Workflow } from '../../model/workflow.ts';

export type StepParts = Partial<Omit<Step, 'id' | 'work'>>;

function step(id: string, work: Work, parts: StepParts): Step {
  return {
    id,
    labels: {},
    check: false,
    dryRun: false,
    work,
    capture: { as: 'text', limit: 1024, onParseError: 'fail' },
    env: {},
    secrets: [],
    retry: { max: 0, delay: 0, on: [] },
    rules: [],
    workspace: 'here',
    enter: [],
    exit: [],
    recover: { kind: 'rerun' },
    next: [],
    at: { file: 'sample.yaml', line: 1, column: 1 },
    ...parts,
  };
}

export const run = (id: string, parts: StepParts = {}): Step =>
  step(id, { kind: 'run', command: { kind: 'argv', argv: ['true'] } }, parts);

export const sequence = (id: string, steps: Step[], parts: StepParts = {}): Step =>
  step(id, { kind: 'sequence', steps }, parts);

export const parallel = (id: string, steps: Step[], parts: StepParts = {}): Step =>
  step(id, { kind: 'parallel', steps }, parts);

export const loop = (
  id: string,
  kind: 'while' | 'until',
  steps: Step[],
  parts: StepParts & { cel?: string; max?: number } = {},
): Step => {
  const { cel = 'vars.more', max = 3, ...rest } = parts;
  return step(id, { kind: 'loop', test: { kind, cel }, max, steps }, rest);
};

export const each = (
  id: string,
  steps: Step[],
  parts: StepParts & { list?: string; concurrency?: number } = {},
): Step => {
  const { list = 'inputs.items', concurrency = 1, ...rest } = parts;
  return step(id, { kind: 'each', name: 'item', list, order: 'listed', concurrency, steps }, rest);
};

export function workflow(steps: Step[], parts: Partial<Workflow> = {}): Workflow {
  return {
    lockstep: 1,
    name: 'sample',
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
    ...parts,
  };
}
