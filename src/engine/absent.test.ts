import { describe, expect, it } from 'vitest';
import { failed, rehearse } from '../../test/support/rehearsal.ts';
import { call, each, prompt, run, sequence, step, workflow } from '../../test/support/workflow.ts';
import type { Step, Workflow } from '../model/workflow.ts';

function failureOf(steps: Step[], fields: Partial<Workflow> = {}) {
  const { state, entries } = rehearse(workflow(steps, fields), { inputs: { here: 'x', text: 'no list' } });
  const entry = entries.find((each) => each.kind === 'step-failed');
  return { status: state.status, exit_code: entry?.exit_code, error: entry?.error };
}
const lacking = (absent: string[]) => ({
  status: 'failed',
  exit_code: 2,
  error: { class: 'expression', details: { absent } },
});

describe('rule 16: a step that cannot be evaluated names all that is not there', () => {
  it('rule 16: every word of a command, where it is saved, what it reads', () => {
    const work = {
      kind: 'run' as const,
      command: { kind: 'argv' as const, argv: ['{{ inputs.a }}', '{{ inputs.here }}', '{{ inputs.b.c }}'] },
      stdin: 'in/{{ inputs.d }}',
    };
    const reads: Step['reads'] = {
      files: ['{{ inputs.e }}'],
      optional: [],
      inject: 'none',
      position: 'prepend',
    };
    expect(failureOf([step('s', work, { saveTo: '{{ inputs.a }}.log', reads })])).toMatchObject(
      lacking(['inputs.a', 'inputs.e', 'inputs.b.c', 'inputs.d']),
    );
  });

  it('rule 16: a shell line, a prompt with what it is given, and its parameters', () => {
    const line = { kind: 'shell' as const, line: 'echo {{ inputs.a }} {{ inputs.b }}' };
    expect(failureOf([step('s', { kind: 'run', command: line })])).toMatchObject(
      lacking(['inputs.a', 'inputs.b']),
    );
    const work = {
      kind: 'prompt' as const,
      prompt: { kind: 'template' as const, text: '{{ x }} {{ inputs.b }}' },
      performer: { params: { deep: ['{{ inputs.c }}'] }, tools: { deny: [] } },
      with: { x: '{{ inputs.a }}' },
    };
    expect(failureOf([step('s', work)])).toMatchObject(lacking(['inputs.a', 'inputs.b', 'inputs.c']));
  });

  it('rule 16: a condition, and not the work that it kept from being looked at', () => {
    const steps = [run('s', { if: 'inputs.a == inputs.b', saveTo: '{{ inputs.c }}' })];
    expect(failureOf(steps)).toMatchObject(lacking(['inputs.a', 'inputs.b']));
  });

  it('rule 16: only the branch that counts', () => {
    const steps = [run('s', { if: 'inputs.here == "x" ? absent("context.user") : inputs.never' })];
    expect(failureOf(steps)).toMatchObject(lacking(['context.user']));
  });

  it('rule 16: a check after the last try', () => {
    const checks = [{ kind: 'that' as const, is: 'output.a == inputs.b' }];
    expect(failureOf([run('s', { done: { checks } })])).toMatchObject(lacking(['output.a', 'inputs.b']));
  });

  it('rule 16: what a workflow is called with', () => {
    const inner = workflow([run('deep')], { name: 'inner' });
    const steps = [call('s', 'inner', { x: '{{ inputs.a }}', y: '{{ inputs.b }}' })];
    expect(failureOf(steps, { workflows: { inner } })).toMatchObject(lacking(['inputs.a', 'inputs.b']));
  });

  it('rule 16: an each without its list fails with exit code 2, and so does one whose list is none', () => {
    expect(failureOf([each('e', 'inputs.a', [run('x')])])).toMatchObject(lacking(['inputs.a']));
    const other = failureOf([each('e', 'inputs.text', [run('x')])]);
    expect(other).toMatchObject({ status: 'failed', exit_code: 2, error: { class: 'expression' } });
    expect(other.error).not.toHaveProperty('details');
  });

  it('rule 16: it is a failure like any other: `next` may handle it', () => {
    const steps = [
      run('s', { if: 'inputs.a', next: [{ when: 'status == "failed"', goto: 'mend' }] }),
      run('not'),
      run('mend', { if: 'steps.s.exit_code == 2' }),
    ];
    const played = rehearse(workflow(steps));
    expect([played.state.status, played.performed]).toEqual(['completed', ['mend']]);
  });

  it('an input that may be left out is simply not there, in a called workflow too', () => {
    const inputs = { x: { type: 'any' as const, required: false as const } };
    const inner = workflow([run('deep', { if: 'truthy(inputs.x)' })], { name: 'inner', inputs });
    const steps = [call('s', 'inner'), call('t', 'inner', { x: '{{ [1] }}' })];
    expect(rehearse(workflow(steps, { workflows: { inner } })).performed).toEqual(['t/deep']);
  });
});

describe('what a failed step says', () => {
  it('never exit code 0: an output that is not what it should be is 2', () => {
    const error = { class: 'output' as const, message: 'this is not JSON' };
    const replies = { a: { outcome: { ok: false, exit_code: 0, error } } };
    const { state } = rehearse(workflow([run('a', { onFail: 'continue' })]), { replies });
    expect(state.root.scope.steps.get('a')).toMatchObject({ status: 'failed', exit_code: 2 });
    const vars = rehearse(workflow([run('a', { output: 'vars', onFail: 'continue' })]), {
      replies: { a: 'no map' },
    });
    expect(vars.state.root.scope.steps.get('a')).toMatchObject({ status: 'failed', exit_code: 2 });
  });

  it('steps.x.parse_error is there only where the text was kept', () => {
    const steps = [
      run('a'),
      run('b', { if: 'steps.a.parse_error == "overflow"' }),
      run('c', { if: '!truthy(steps.b.parse_error)' }),
      prompt('d', {}, '{{ steps.b.parse_error }}'),
    ];
    const played = rehearse(workflow(steps), { replies: { a: { outcome: { unparsed: 'overflow' } } } });
    expect(played.performed).toEqual(['a', 'b', 'c']);
    expect(played.state.error?.details).toEqual({ absent: ['steps.b.parse_error'] });
  });

  it('a block that ran out of time says after how long', () => {
    const flow = workflow([sequence('s', [run('a')], { timeout: 1500 })]);
    const first = rehearse(flow, { replies: { 's/a': failed(1) } });
    expect(first.state.status).toBe('failed');
    const cut = first.entries.slice(
      0,
      first.entries.findIndex((entry) => entry.kind === 'attempt-finished'),
    );
    const at = { n: cut.length + 1, at: 1000 * (cut.length + 1) };
    const resumed = rehearse(flow, {}, [...cut, { ...at, kind: 'time-out-reached', path: 's' }]);
    expect(resumed.entries.find((entry) => entry.kind === 'step-failed' && entry.path === 's')).toMatchObject(
      {
        exit_code: 124,
        error: { class: 'timeout', details: { timeout_ms: 1500 } },
      },
    );
  });
});
