import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../model/entry.ts';
import { anyWorkflow, anyWorld } from './fixtures/any-workflow.ts';
import { play, RUN, STARTED } from './fixtures/play.ts';
import { failed, shipped, waiting } from './fixtures/stories.ts';
import { command, each, prompt, sequence, stepOf, workflowOf } from './fixtures/workflow.ts';
import { createRunView, type RunView } from './run-view.ts';

function viewOf({
  workflow,
  entries,
}: {
  workflow: Parameters<typeof createRunView>[0];
  entries: Entry[];
}): RunView {
  const view = createRunView(workflow);
  for (const entry of entries) view.record(entry);
  return view;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into JSON.
const stateOf = (story: Parameters<typeof viewOf>[0]): any => JSON.parse(viewOf(story).stateJson());

describe('state.json', () => {
  it('has the fields of the orchestrate schema, and ours beside them', () => {
    const state = stateOf(shipped());
    expect(state).toMatchObject({
      schema_version: '1.1.1',
      run_id: RUN,
      workflow_file: '.lockstep/workflows/ship.yaml',
      started_at: '2026-11-15T10:15:00Z',
      status: 'completed',
      context: { spec: 'a login page' },
      for_each: {
        execute: { items: ['login', 'logout', 'reset'], completed_indices: [0, 1, 2], current_index: null },
      },
    });
    expect(state.workflow_checksum).toMatch(/^sha256:[0-9a-f]+$/);
    expect(state.steps.analyze).toEqual({
      status: 'completed',
      exit_code: 0,
      started_at: '2026-11-15T10:15:00Z',
      completed_at: '2026-11-15T10:15:12Z',
      duration_ms: 12_400,
      output: 'fine',
      truncated: false,
      metrics: { duration_ms: 12_400, provider_ms: 12_400 },
      lockstep: {
        agent: 'implementer',
        provider: 'claude',
        model: 'opus',
        input_tokens: 1200,
        output_tokens: 300,
        cost: 0.04,
      },
    });
    expect(state.lockstep.totals).toMatchObject({ done: 12, skipped: 3, cost: 0.4, unpriced: 0 });
  });

  it('indexes the steps of a for-each by item, the running one included', () => {
    const { workflow, entries } = shipped();
    const upTo = entries.findIndex((entry) => 'path' in entry && entry.path === 'execute[1]/implement');
    const state = stateOf({ workflow, entries: entries.slice(0, upTo + 1) });
    expect(state.steps.execute).toMatchObject([
      { implement: { status: 'completed' }, lint: { status: 'completed' } },
      { implement: { status: 'running' }, lint: { status: 'pending' } },
    ]);
    expect(state.for_each.execute).toMatchObject({ completed_indices: [0], current_index: 1 });
    expect(state.lockstep.paths).toMatchObject({ 'execute[1]/implement': 'running' });
    expect(stateOf(shipped()).steps.execute[1].lint).toMatchObject({
      status: 'skipped',
      exit_code: 0,
      skip: { reason: 'condition' },
    });
  });

  it('keeps the error with ten-line tails of both streams', () => {
    const workflow = workflowOf('tails', [command('noisy'), command('later')]);
    const lines = Array.from({ length: 25 }, (_, index) => `line ${index}`);
    const entries = play(workflow, {
      outcome: () => ({
        ok: false,
        exit_code: 3,
        output: lines.join('\n'),
        stderr: `${lines.join('\n')}\n`,
        error: {
          class: 'missing-files',
          message: 'no data',
          hint: 'Make some.',
          details: { missing_files: ['data/*.csv'] },
        },
      }),
    });
    const state = stateOf({ workflow, entries });
    expect(state.status).toBe('failed');
    expect(state.steps.noisy.error).toEqual({
      message: 'no data',
      exit_code: 3,
      stdout_tail: lines.slice(-10),
      stderr_tail: lines.slice(-10),
      context: { failed_deps: ['data/*.csv'], substituted_command: ['true'] },
      class: 'missing-files',
      hint: 'Make some.',
    });
    expect(state.steps.later).toEqual({ status: 'pending' });
  });

  it('shows captured lines and JSON in fields of their own, and what could not be parsed as text', () => {
    const capture = { limit: 10, onParseError: 'fail' } as const;
    const workflow = workflowOf('captures', [
      command('lines', [], { capture: { ...capture, as: 'lines' } }),
      command('json', [], { capture: { ...capture, as: 'json' } }),
      command('kept', [], { capture: { ...capture, as: 'json', onParseError: 'keep' } }),
      prompt('object', { labels: { name: 'Any Name: at all' } }),
      stepOf('wait', { kind: 'wait', for: 'files', files: ['x'], min: 1, every: 500 }),
    ]);
    const outputs: Record<string, object> = {
      lines: { output: ['a', 'b'], truncated: { bytes: 99, kept: 10 } },
      json: { output: { ok: true } },
      kept: { output: '{oops', unparsed: 'invalid' },
      object: { output: { a: 1 } },
      wait: { output: ['x'], duration_ms: 1500 },
    };
    const state = stateOf({ workflow, entries: play(workflow, { outcome: (place) => outputs[place] }) });
    expect(state.steps.lines).toMatchObject({ output_capture: 'lines', lines: ['a', 'b'], truncated: true });
    expect(state.steps.lines).not.toHaveProperty('output');
    expect(state.steps.json).toMatchObject({ output_capture: 'json', json: { ok: true }, truncated: false });
    expect(state.steps.kept).toMatchObject({
      output: '{oops',
      debug: { json_parse_error: { reason: 'invalid' } },
    });
    expect(state.steps['Any Name: at all']).toMatchObject({ json: { a: 1 } });
    expect(state.steps.wait).toMatchObject({
      status: 'completed',
      files: ['x'],
      wait_duration_ms: 1500,
      timed_out: false,
    });
  });

  it('shows vars as they became, and open questions with how to answer them', () => {
    const workflow = workflowOf(
      'vars',
      [
        command('merge', [], { output: 'vars', enter: [{ work: { kind: 'set', values: { b: 'two' } } }] }),
        sequence('group', [command('inner')], {
          exit: [{ work: { kind: 'set', values: { c: '{{ vars.a }}' } } }],
        }),
      ],
      { vars: { a: 0, b: 'one', c: 0 } },
    );
    const state = stateOf({
      workflow,
      entries: play(workflow, { outcome: (place) => (place === 'merge' ? { output: { a: 1 } } : undefined) }),
    });
    expect(state.context).toEqual({ a: 1, b: 'two', c: 1 });
    const paused = stateOf(waiting());
    expect(paused.status).toBe('paused');
    expect(paused.lockstep.questions).toMatchObject([
      { path: 'first/colour', question: 'ask', choices: ['red', 'dark blue', 3] },
      { path: 'first/draft', question: 'held', reasons: ['Say good.'] },
    ]);
    expect(paused.lockstep.totals).toMatchObject({ cost: 0.004, unpriced: 1 });
    expect(paused.steps.first.steps.draft.lockstep).toMatchObject({ status: 'asking', cost: null });
  });

  it('maps the statuses of a run as the design says', () => {
    expect(stateOf(failed()).status).toBe('failed');
    const { workflow, entries } = shipped();
    const statusAfter = (body: object): string =>
      stateOf({ workflow, entries: [...entries.slice(0, 3), { n: 4, at: STARTED, ...body } as Entry] })
        .status;
    expect(statusAfter({ kind: 'run-interrupted', by: 'SIGINT' })).toBe('paused');
    expect(statusAfter({ kind: 'run-cancelled', by: 'ada' })).toBe('cancelled');
    expect(statusAfter({ kind: 'retry-due', path: 'analyze' })).toBe('running');
  });

  it('costs what is new, not what there is, to keep up to date', () => {
    const items = Array.from({ length: 3000 }, (_, index) => index);
    const workflow = workflowOf('large', [each('all', 'inputs.items', [command('a')])]);
    const view = createRunView(workflow);
    let n = 0;
    let reads = 0;
    const feed = (body: object): void => void view.record({ n: ++n, at: STARTED + n, ...body } as Entry);
    feed({
      kind: 'run-started',
      run: { id: 'r' },
      inputs: {},
      vars: {},
      workflow_hash: '',
      workflow_file: '',
    });
    feed({ kind: 'step-opened', path: 'all', items });
    for (const index of items) {
      const output = {
        get value() {
          reads += 1;
          return index;
        },
      };
      feed({ kind: 'attempt-started', path: `all[${index}]/a`, verb: 'run', try: 1 });
      feed({
        kind: 'attempt-finished',
        path: `all[${index}]/a`,
        outcome: { ok: true, output, duration_ms: 1 },
      });
      if (index % 100 === 0) view.stateJson();
    }
    const state = JSON.parse(view.stateJson());
    expect(state.steps.all).toHaveLength(3000);
    expect(state.steps.all[2999].a.json).toEqual({ value: 2999 });
    // Once each for state.json; and once each for the report, which tells of the first 2,000.
    expect(reads).toBeLessThan(3000 + 2000 + 100);
  });

  it('V2: is valid JSON after every entry of any run, and the same when rendered twice', () => {
    fc.assert(
      fc.property(anyWorkflow, anyWorld, fc.integer({ min: 1, max: 9 }), (workflow, world, every) => {
        const view = createRunView(workflow);
        const fresh = createRunView(workflow);
        for (const entry of play(workflow, world)) {
          view.record(entry);
          fresh.record(entry);
          if (entry.n % every === 0) expect(JSON.parse(view.stateJson()).run_id).toBe(RUN);
        }
        expect(view.stateJson()).toBe(fresh.stateJson());
      }),
      { numRuns: 60 },
    );
  });
});
