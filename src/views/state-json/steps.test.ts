import { describe, expect, it } from 'vitest';
import type { Perform } from '../../model/command.ts';
import type { Entry, Outcome } from '../../model/entry.ts';
import type { Action, Step, Workflow } from '../../model/workflow.ts';
import { play } from '../fixtures/play.ts';
import { command, each, prompt, sequence, stepOf, workflowOf } from '../fixtures/workflow.ts';
import { createRunView } from '../run-view.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into JSON.
function stateOf(workflow: Workflow, entries: Entry[]): any {
  const view = createRunView(workflow);
  for (const entry of entries) view.record(entry);
  return JSON.parse(view.stateJson());
}

type Outcomes = Record<string, Partial<Outcome>>;
const played = (workflow: Workflow, outcomes: Outcomes, inputs = {}) =>
  stateOf(workflow, play(workflow, { outcome: (place) => outcomes[place], inputs }));

const failing = (message: string, more: Partial<Outcome> = {}): Partial<Outcome> => ({
  ok: false,
  exit_code: 1,
  error: { class: 'exit', message },
  ...more,
});

describe('a step in state.json', () => {
  it('tells how its process was started', () => {
    const workflow = workflowOf('started', [
      command('words', ['echo', '{{ inputs.text }}']),
      stepOf('line', { kind: 'run', command: { kind: 'shell', line: 'echo {{ inputs.text }}' } }),
      prompt('agent'),
      prompt('sdk'),
    ]);
    const outcomes: Outcomes = {
      words: { invocation: { env_count: 42 } },
      line: { invocation: { env_count: 41 } },
      agent: { invocation: { argv: ['claude', '-p', 'Do it.'], env_count: 40 } },
    };
    const { steps } = played(workflow, outcomes, { text: 'a b' });
    expect(steps.words.debug).toEqual({ command: ['echo', 'a b'], cwd: '/work/project', env_count: 42 });
    expect(steps.line.debug).toEqual({
      command: ['/bin/sh', '-c', "echo 'a b'"],
      cwd: '/work/project',
      env_count: 41,
    });
    expect(steps.agent.debug.command).toEqual(['claude', '-p', 'Do it.']);
    expect(steps.sdk).not.toHaveProperty('debug');
  });

  it('is running, with its command, before its process has said anything', () => {
    const workflow = workflowOf('begun', [command('a', ['sleep', '9'])]);
    const entries = play(workflow);
    const upTo = entries.findIndex((entry) => entry.kind === 'attempt-started');
    const { steps } = stateOf(workflow, entries.slice(0, upTo + 1));
    expect(steps.a).toEqual({
      status: 'running',
      started_at: '2026-11-15T10:15:00Z',
      debug: { command: ['sleep', '9'], cwd: '/work/project' },
    });
  });

  it('keeps the text of what was to be JSON and is not, and says why, only where that is allowed', () => {
    const capture = { as: 'json', limit: 1 << 20, onParseError: 'keep' } as const;
    const workflow = workflowOf('parse', [
      command('kept', [], { capture }),
      command('large', [], { capture }),
      command('text', [], { capture }),
      command('refused', [], { capture: { ...capture, onParseError: 'fail' } }),
    ]);
    const { steps } = played(workflow, {
      kept: { output: '{oops', unparsed: 'invalid' },
      large: { output: '[1,', unparsed: 'overflow', truncated: { bytes: 2e6, kept: 8192 } },
      text: { output: 'a JSON text' },
      refused: failing('the output is not JSON', {
        exit_code: 2,
        output: 'oops\n',
        error: { class: 'output', message: 'no JSON', details: { json_parse_error: 'invalid' } },
      }),
    });
    expect(steps.kept).toMatchObject({ exit_code: 0, output: '{oops', truncated: false });
    expect(steps.kept.debug.json_parse_error).toEqual({ reason: 'invalid' });
    expect(steps.kept).not.toHaveProperty('json');
    expect(steps.large).toMatchObject({ output: '[1,', truncated: true });
    expect(steps.large.debug.json_parse_error).toEqual({ reason: 'overflow' });
    expect(steps.text).toMatchObject({ output_capture: 'json', json: 'a JSON text' });
    expect(steps.refused).toMatchObject({
      status: 'failed',
      exit_code: 2,
      output_capture: 'json',
      error: { stdout_tail: ['oops'], context: { json_parse_error: { reason: 'invalid' } } },
    });
    expect(steps.refused).not.toHaveProperty('output');
    expect(steps.refused).not.toHaveProperty('json');
  });

  it('records what was left out of an injection', () => {
    const sizes = {
      total_size: 524288,
      shown_size: 262144,
      files_shown: 2,
      files_truncated: 1,
      files_omitted: 5,
    };
    const workflow = workflowOf('injected', [prompt('p')]);
    const { steps } = played(workflow, { p: { injection: { truncated: true, ...sizes } } });
    expect(steps.p.debug.injection).toEqual({ injection_truncated: true, truncation_details: sizes });
  });

  it('of a wait has the files, how long, how often, and whether the time ran out', () => {
    const wait = (id: string): Step =>
      stepOf(
        id,
        { kind: 'wait', for: 'files', files: ['x'], min: 1, every: 500, timeout: 2000 },
        { onFail: 'continue' },
      );
    const { steps } = played(workflowOf('waits', [wait('came'), wait('never')]), {
      came: { output: ['inbox/a.task'], duration_ms: 1500, polls: 4 },
      never: {
        ok: false,
        output: null,
        exit_code: 124,
        duration_ms: 2000,
        polls: 5,
        error: { class: 'timeout', message: 'it took longer than 2s' },
      },
    });
    expect(steps.came).toMatchObject({
      status: 'completed',
      exit_code: 0,
      files: ['inbox/a.task'],
      wait_duration_ms: 1500,
      poll_count: 4,
      timed_out: false,
      metrics: { duration_ms: 1500, queue_wait_ms: 1500 },
    });
    expect(steps.came).not.toHaveProperty('output');
    expect(steps.never).toMatchObject({
      status: 'failed',
      exit_code: 124,
      files: [],
      poll_count: 5,
      timed_out: true,
      error: { context: { timeout: { timeout_sec: 2, duration_ms: 2001 } } },
    });
  });

  it('has the times that performance is judged by', () => {
    const workflow = workflowOf('metrics', [command('c'), prompt('p')]);
    const { steps } = played(workflow, {
      c: { duration_ms: 30, metrics: { file_io_ms: 3, file_operations: 2 } },
      p: { duration_ms: 900, metrics: { provider_ms: 850, file_io_ms: 5, file_operations: 4 } },
    });
    expect(steps.c.metrics).toEqual({ duration_ms: 30, file_io_ms: 3, file_operations: 2 });
    expect(steps.p.metrics).toEqual({
      duration_ms: 900,
      provider_ms: 850,
      file_io_ms: 5,
      file_operations: 4,
    });
  });

  it('that was not accepted has exit code 2 and says what did not hold', () => {
    const workflow = workflowOf('rejected', [
      command('r', [], {
        done: { checks: [{ kind: 'require', pointer: '/approved', exists: true, equals: true }], tries: 1 },
        capture: { as: 'json', limit: 99, onParseError: 'fail' },
      }),
    ]);
    const { steps } = played(workflow, { r: { exit_code: 0, output: { approved: false } } });
    expect(steps.r).toMatchObject({
      status: 'failed',
      exit_code: 2,
      json: { approved: false },
      error: {
        exit_code: 2,
        stdout_tail: ['{"approved":false}'],
        context: { json_require_failed: { pointer: '/approved' } },
      },
    });
  });

  it('shows the end of stdout where the output ends before it', () => {
    const { steps } = played(workflowOf('long', [command('a')]), {
      a: failing('no', { output: 'first', stdout_tail: 'x\nlast\n' }),
    });
    expect(steps.a.error.stdout_tail).toEqual(['x', 'last']);
    expect(steps.a.output).toBe('first');
  });

  it('names the checksum that the workflow file has', () => {
    const workflow = workflowOf('sum', [command('a')]);
    const entries = play(workflow);
    (entries[0] as { workflow_hash: string }).workflow_hash = 'of the pinned document';
    expect(stateOf(workflow, entries).workflow_checksum).toBe(`sha256:${workflow.sources[0]?.hash}`);
  });
});

const MOVES: Action[] = [
  {
    when: 'status == "done"',
    work: { kind: 'call', handler: 'move', with: { from: '{{ item }}', to: 'processed/' } },
  },
  {
    when: 'status != "done"',
    work: { kind: 'call', handler: 'move', with: { from: '{{ item }}', to: 'failed/' } },
  },
];
const items = JSON.stringify(['inbox/a.task', 'inbox/b.task']);
const mover = (perform: Perform): Partial<Outcome> =>
  perform.kind === 'call-handler' ? { output: `${perform.with.to as string}went` } : {};

describe('a for-each in state.json', () => {
  it('ORC12-9: tells what became of the item of every pass, moved or not', () => {
    const loop = each('Items', items, [command('work')], { exit: MOVES, onFail: 'continue' });
    const workflow = workflowOf('lifecycle', [loop]);
    const entries = play(workflow, {
      outcome: (place, _nth, perform) => (place === 'Items[1]/work' ? failing('no') : mover(perform)),
    });
    const { steps } = stateOf(workflow, entries);
    expect(steps.Items[0].lifecycle).toEqual({
      result: 'success',
      action: 'move',
      from: 'inbox/a.task',
      to: 'processed/went',
      action_applied: true,
      error: null,
    });
    expect(steps.Items[1].lifecycle).toEqual({
      result: 'failure',
      action: 'move',
      from: 'inbox/b.task',
      to: 'failed/went',
      action_applied: true,
      error: null,
    });
    expect(steps.Items[1].work.status).toBe('failed');
  });

  it('ORC12-8: records a move that failed, and leaves the result as it is', () => {
    const workflow = workflowOf('gone', [each('Items', items, [command('work')], { exit: MOVES })]);
    const entries = play(workflow, {
      outcome: (_place, _nth, perform) =>
        perform.kind === 'call-handler'
          ? { ok: false, output: null, error: { class: 'error', message: 'it is not there' } }
          : {},
    });
    const { steps, status } = stateOf(workflow, entries);
    expect(status).toBe('completed');
    expect(steps.Items[0].lifecycle).toEqual({
      result: 'success',
      action: 'move',
      from: 'inbox/a.task',
      to: 'processed/a.task',
      action_applied: false,
      error: 'it is not there',
    });
  });

  it('ORC12-3: a failure that a jump mended is none; one that was only gone past is', () => {
    const loop = each(
      'Items',
      items,
      [
        command('try', [], {
          onFail: 'continue',
          next: [{ when: 'status == "failed" && item == "inbox/a.task"', goto: 'mend', do: [] }],
        }),
        command('mend'),
      ],
      { exit: MOVES },
    );
    const workflow = workflowOf('mended', [loop]);
    const entries = play(workflow, {
      outcome: (place, _nth, perform) => (place.endsWith('/try') ? failing('no') : mover(perform)),
    });
    const { steps } = stateOf(workflow, entries);
    expect(steps.Items.map((pass: { lifecycle: { result: string } }) => pass.lifecycle.result)).toEqual([
      'success',
      'failure',
    ]);
  });

  it('ORC12-4: a pass that a jump leaves has failed, and its item is told of', () => {
    const loop = each(
      'Items',
      items,
      [command('leave', [], { next: [{ goto: 'after', do: [] }] }), command('never')],
      { exit: MOVES },
    );
    const workflow = workflowOf('left', [loop, command('after')]);
    const { steps, for_each } = stateOf(
      workflow,
      play(workflow, { outcome: (_p, _n, perform) => mover(perform) }),
    );
    expect(steps.Items).toHaveLength(1);
    expect(steps.Items[0].lifecycle).toMatchObject({
      result: 'failure',
      to: 'failed/went',
      action_applied: true,
    });
    expect(for_each.Items).toMatchObject({ completed_indices: [], current_index: null });
  });

  it('tells of every failed pass, however many there are', () => {
    const many = JSON.stringify(Array.from({ length: 40 }, (_, index) => `inbox/${index}.task`));
    const loop = each('Items', many, [command('work')], { exit: MOVES, onFail: 'continue' });
    const workflow = workflowOf('many', [loop]);
    const entries = play(workflow, {
      outcome: (place, _nth, perform) => (place.endsWith('/work') ? failing('no') : mover(perform)),
    });
    const { steps } = stateOf(workflow, entries);
    expect(steps.Items).toHaveLength(40);
    for (const pass of steps.Items)
      expect(pass.lifecycle).toMatchObject({ result: 'failure', action_applied: true });
  });

  it('that ended with nothing to move says so', () => {
    const loop = each('Items', items, [command('work')], { exit: MOVES.slice(1) });
    const { steps } = played(workflowOf('only', [loop]), {});
    expect(steps.Items[0].lifecycle).toEqual({
      result: 'success',
      action: null,
      from: null,
      to: null,
      action_applied: false,
      error: null,
    });
  });

  it('says where it stopped, and nothing of a place once it is over', () => {
    const workflow = workflowOf('stops', [each('Items', items, [command('work')])]);
    const stopped = played(workflow, { 'Items[1]/work': failing('no') });
    expect(stopped.for_each.Items).toEqual({
      items: ['inbox/a.task', 'inbox/b.task'],
      completed_indices: [0],
      current_index: 1,
    });
    expect(played(workflow, {}).for_each.Items).toMatchObject({
      completed_indices: [0, 1],
      current_index: null,
    });
  });

  it('over what is no list fails like any step, and names the reference', () => {
    const workflow = workflowOf('pointer', [
      command('list', [], {
        capture: { as: 'json', limit: 99, onParseError: 'fail' },
        labels: { name: 'List' },
      }),
      each('Items', 'steps.list.output.files', [command('work')]),
    ]);
    const { steps } = played(workflow, { list: { output: { files: 'a' } } });
    expect(steps.Items).toMatchObject({
      status: 'failed',
      exit_code: 2,
      error: { context: { invalid_reference: ['steps.List.json.files'] } },
    });
    const missing = played(workflow, { list: { output: {} } });
    expect(missing.steps.Items.error.context.invalid_reference).toEqual(['steps.List.json.files']);
  });

  it('that was left out says why, as does a block', () => {
    const workflow = workflowOf('out', [
      each('Items', '[1]', [command('a')], { if: 'false' }),
      sequence('group', [command('b')], { if: 'false' }),
      each('Later', '[1]', [command('c')], {}),
    ]);
    const entries = play(workflow);
    const { steps } = stateOf(workflow, entries);
    expect(steps.Items).toMatchObject({ status: 'skipped', exit_code: 0, skip: { reason: 'disabled' } });
    expect(steps.group).toMatchObject({ status: 'skipped', exit_code: 0, skip: { reason: 'disabled' } });
    expect(stateOf(workflow, entries.slice(0, 1)).steps.Later).toEqual({ status: 'pending' });
  });
});
