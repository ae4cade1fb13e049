// The seven templates of the gobby language in our words: what each of them lets a session do, asked of the guard itself.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileSample, rendered } from '../../compile/fixtures/sample-library.ts';
import { judge } from '../../engine/guard.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { NO_SESSION, type SessionView } from '../../model/session-view.ts';
import type { ToolAct } from '../../model/tool-call.ts';
import type { Step, Workflow } from '../../model/workflow.ts';

const builtin = join(import.meta.dirname, '../../../builtin/workflows');
const NAMES = [
  'plan-execute',
  'react',
  'plan-act-reflect',
  'architect',
  'test-driven',
  'plan-to-tasks',
  'session-handoff',
];

function workflow(name: string): Workflow {
  const result = compileSample(readFileSync(join(builtin, `${name}.yaml`), 'utf8'));
  expect(rendered(result)).toBe('');
  if (result.kind !== 'compiled') throw new Error(`${name} does not compile`);
  return result.workflow;
}

function stepOf(steps: readonly Step[], id: string): Step | undefined {
  for (const step of steps) {
    const found = step.id === id ? step : 'steps' in step.work ? stepOf(step.work.steps, id) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** What the guard says to a call in a step: `allow`, `deny`, `ask`. */
function says(flow: Workflow, id: string, call: ToolAct, session: JsonObject = {}): string {
  const step = stepOf(flow.steps, id);
  if (step?.work.kind !== 'prompt') throw new Error(`no prompt step ${id}`);
  const shown: Record<string, Json> = { vars: flow.vars, inputs: { test: 'npm test' } };
  const view = { ...NO_SESSION, ...session } as SessionView;
  const judged = judge(
    {
      tools: step.work.performer.tools,
      rules: [...flow.rules, ...step.rules],
      names: { lookup: (root) => shown[root], fact: () => undefined },
      around: { root: '/ws', home: '/home/me' },
    },
    call,
    { session: view, facts: new Map() },
  );
  if (judged.kind === 'deny') return judged.asks ? 'ask' : 'deny';
  return judged.kind === 'allow' && judged.warnings.length > 0 ? 'warn' : judged.kind;
}

const write = (file: string): ToolAct => ({ tool: 'Write', input: { file_path: file }, file });
const edit = (file: string): ToolAct => ({ tool: 'Edit', input: { file_path: file }, file });
const bash = (command: string): ToolAct => ({ tool: 'Bash', input: { command }, command });
const read = (file: string): ToolAct => ({ tool: 'Read', input: { file_path: file }, file });
const step = (given: Partial<SessionView['step']>): JsonObject => ({
  step: { ...NO_SESSION.step, ...given } as JsonObject,
});

describe('GOB-TEMPLATES: the seven templates', () => {
  it.each(NAMES)('%s loads without a word, and says what it is for', (name) => {
    const flow = workflow(name);
    expect(flow.name).toBe(name);
    expect(flow.description?.length ?? 0).toBeGreaterThan(40);
  });

  it('plan-execute: while planning nothing but the plan is written, by whatever tool; then a file is read before it is edited', () => {
    const flow = workflow('plan-execute');
    for (const call of [
      write('src/a.ts'),
      edit('src/a.ts'),
      bash('ls'),
      bash('echo x > a.plan.md'),
      { tool: 'NotebookEdit', input: {}, file: 'a.ipynb' },
    ])
      expect(says(flow, 'plan', call)).toBe('deny');
    expect(says(flow, 'plan', write('docs/a.plan.md'))).toBe('allow');
    expect(says(flow, 'plan', read('src/a.ts'))).toBe('allow');
    expect(says(flow, 'execute', edit('src/a.ts'))).toBe('deny');
    expect(says(flow, 'execute', edit('src/a.ts'), { files_read: ['src/a.ts'] })).toBe('allow');
    expect(flow.steps[0]?.done?.checks.map(({ kind }) => kind)).toEqual(['that', 'approve']);
    expect(flow.steps[1]?.done?.checks.map(({ kind }) => kind)).toEqual(['run']);
  });

  it('react: each result is said as an observation; what has just failed is not done again', () => {
    const flow = workflow('react');
    expect(flow.events.tool_result?.map(({ work }) => work.kind)).toEqual(['say']);
    const failed = { observations: [{ tool: 'Bash', about: 'npm test', error: 'exit 1', text: '' }] };
    expect(says(flow, 'act', bash('npm test'), failed)).toBe('deny');
    expect(says(flow, 'act', bash('npm run build'), failed)).toBe('allow');
    expect(
      says(flow, 'act', bash('npm test'), {
        observations: [...failed.observations, { tool: 'Read', about: 'a', error: '', text: '' }],
      }),
    ).toBe('allow');
    expect(says(flow, 'act', edit('a.ts'), step({ errors: 5 }))).toBe('ask');
  });

  it('plan-act-reflect: reflecting changes nothing, and what cannot be undone is asked about', () => {
    const flow = workflow('plan-act-reflect');
    for (const call of [write('a.ts'), edit('a.plan.md'), bash('ls')])
      expect(says(flow, 'reflect', call)).toBe('deny');
    expect(says(flow, 'plan', write('a.ts'))).toBe('deny');
    expect(says(flow, 'plan', write('a.plan.md'))).toBe('allow');
    expect(says(flow, 'act', bash('rm -fr build'))).toBe('ask');
    expect(stepOf(flow.steps, 'act')?.next.map(({ goto }) => goto)).toEqual([
      'reflect',
      'reflect',
      'reflect',
    ]);
  });

  it('architect: each document is written in its own step, and the review changes nothing', () => {
    const flow = workflow('architect');
    expect(says(flow, 'requirements', write('a.requirements.md'))).toBe('allow');
    expect(says(flow, 'requirements', write('a.design.md'))).toBe('deny');
    expect(says(flow, 'design', write('a.design.md'))).toBe('allow');
    expect(says(flow, 'design', write('src/a.ts'))).toBe('deny');
    expect(says(flow, 'implementation', write('src/a.ts'))).toBe('allow');
    expect(says(flow, 'implementation', edit('a.design.md'))).toBe('deny');
    expect(says(flow, 'review', edit('src/a.ts'))).toBe('deny');
    expect(says(flow, 'review', bash('git diff HEAD'))).toBe('allow');
    expect(says(flow, 'review', bash('git checkout -- .'))).toBe('deny');
  });

  it('test-driven: code cannot be written before a test fails, nor a test while the code is', () => {
    const flow = workflow('test-driven');
    for (const call of [write('src/a.ts'), edit('src/a.ts')])
      expect(says(flow, 'write-test', call)).toBe('deny');
    for (const file of ['src/a.test.ts', 'tests/a.py', 'test_a.py', 'pkg/a_test.go', 'spec/a_spec.rb'])
      expect(says(flow, 'write-test', write(file))).toBe('allow');
    expect(says(flow, 'write-test', bash('npm test'))).toBe('allow');
    expect(says(flow, 'implement', write('src/a.ts'))).toBe('allow');
    for (const file of ['src/a.test.ts', 'tests/a.py', 'Tests/a.py', 'test_a.py'])
      expect(says(flow, 'implement', edit(file))).toBe('deny');
    expect(
      says(flow, 'refactor', edit('src/b.ts'), step({ tests: 'failed', files_modified: ['src/a.ts'] })),
    ).toBe('deny');
    expect(
      says(flow, 'refactor', edit('src/a.ts'), step({ tests: 'failed', files_modified: ['src/a.ts'] })),
    ).toBe('allow');
    // The engine runs the tests itself: they must fail first, and pass then.
    expect(stepOf(flow.steps, 'red')).toMatchObject({
      work: { kind: 'run' },
      next: [{ when: 'status == "done"', goto: 'write-test' }],
    });
    for (const id of ['implement', 'refactor'])
      expect(stepOf(flow.steps, id)?.done?.checks.map(({ kind }) => kind)).toEqual(['run']);
  });

  it('plan-to-tasks: each task comes up once, and verifying changes nothing', () => {
    const flow = workflow('plan-to-tasks');
    expect(says(flow, 'decompose', write('a.tasks.json'))).toBe('allow');
    expect(says(flow, 'decompose', write('a.ts'))).toBe('deny');
    expect(stepOf(flow.steps, 'execute')?.work).toMatchObject({
      kind: 'each',
      list: 'list.tasks',
      concurrency: 1,
    });
    expect(says(flow, 'work', write('e.ts'), step({ files_modified: ['a', 'b', 'c', 'd'] }))).toBe('warn');
    expect(says(flow, 'verify', edit('a.ts'))).toBe('deny');
    expect(says(flow, 'verify', bash('npm test'))).toBe('allow');
  });

  it('session-handoff: no steps, and what it does at each event', () => {
    const flow = workflow('session-handoff');
    expect(flow.steps).toEqual([]);
    const calls = Object.entries(flow.events).map(([event, actions]) => [
      event,
      actions.map(({ work }) => (work.kind === 'call' ? work.handler : work.kind)),
    ]);
    expect(Object.fromEntries(calls)).toEqual({
      session_start: ['find-parent-session', 'restore-context', 'mark-session-status'],
      user_prompt: ['synthesize-title', 'generate-summary'],
      compact: ['generate-summary'],
      session_end: ['generate-summary', 'generate-handoff', 'mark-session-status'],
    });
  });
});
