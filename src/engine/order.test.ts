import { describe, expect, it } from 'vitest';
import { failed, rehearse, story } from '../../test/support/rehearsal.ts';
import { call, doRun, each, noop, run, sequence, set, step, workflow } from '../../test/support/workflow.ts';

const kinds = (played: ReturnType<typeof rehearse>) => played.entries.map((entry) => entry.kind);

describe('order', () => {
  it('performs the steps of a list one after the other and completes', () => {
    const played = rehearse(workflow([run('a'), run('b'), run('c')]));
    expect(played.performed).toEqual(['a', 'b', 'c']);
    expect(played.state.status).toBe('completed');
  });

  it('writes two entries for a step that nothing surrounds', () => {
    const played = rehearse(workflow([noop('a')]));
    expect(kinds(played)).toEqual(['run-started', 'attempt-started', 'attempt-finished', 'run-completed']);
  });

  it('S1: leaves a step out only with an entry that says why and on whose word', () => {
    const steps = [
      run('off', { if: 'false' }),
      run('no', { if: 'inputs.fast' }),
      run('named'),
      run('checked', { check: true }),
      run('kept'),
    ];
    const played = rehearse(workflow(steps), {
      inputs: { fast: false },
      skips: { steps: ['named'], checks: true },
    });
    expect(played.performed).toEqual(['kept']);
    expect(played.entries.filter((entry) => entry.kind === 'step-skipped')).toMatchObject([
      { path: 'off', reason: 'disabled', why: 'disabled in workflow definition' },
      { path: 'no', reason: 'condition', why: 'condition is false: inputs.fast' },
      { path: 'named', reason: 'skip-step', why: '--skip-step named' },
      { path: 'checked', reason: 'skip-checks', why: '--skip-checks' },
    ]);
  });

  it('under --dry-run performs what is marked, and what is inside it, and nothing else', () => {
    const steps = [
      run('a', { dryRun: true }),
      sequence('outer', [run('b'), run('c', { dryRun: true })]),
      sequence('marked', [run('d')], { dryRun: true }),
      run('e'),
    ];
    const played = rehearse(workflow(steps), { skips: { dry_run: true } });
    expect(played.performed).toEqual(['a', 'outer/c', 'marked/d']);
  });

  it('rule 2: steps.x shows the result, and a sequence has the value of the last step that ran', () => {
    const steps = [
      sequence('both', [run('first'), run('second'), run('off', { if: 'false' })]),
      run('look', {
        if: 'steps.both.output == "two" && steps.first.output == "one" && steps.off.status == "skipped"',
      }),
    ];
    const played = rehearse(workflow(steps), { replies: { 'both/first': 'one', 'both/second': 'two' } });
    expect(played.performed).toContain('look');
  });

  it('rule 2: steps.x has exit code, stderr, tries and error of the latest visit', () => {
    const steps = [run('bad', { onFail: 'continue' }), run('look')];
    const outputs = { bad: '{{ steps.bad }}' };
    const reply = {
      outcome: { ok: false, exit_code: 7, stderr: 'oh', error: { class: 'exit', message: 'no' } as const },
    };
    const played = rehearse(workflow(steps, { outputs }), { replies: { bad: reply } });
    expect(played.state.outputs.bad).toEqual({
      status: 'failed',
      output: null,
      exit_code: 7,
      stderr: 'oh',
      tries: 1,
      duration_ms: 1,
      error: { class: 'exit', message: 'no' },
    });
  });

  it('rule 1: an output name is seen by later steps, and a later visit overwrites it', () => {
    const steps = [run('a', { output: 'x' }), run('b', { output: 'x' })];
    const played = rehearse(workflow(steps, { outputs: { x: '{{ x }}' } }), { replies: { a: 1, b: 2 } });
    expect(played.state.outputs).toEqual({ x: 2 });
  });

  it('rule 1: a called workflow sees its inputs only, and its caller its outputs', () => {
    const inner = workflow([run('work', { title: '{{ inputs.what }} {{ vars.mood }}' })], {
      name: 'inner',
      inputs: { what: { type: 'string' } },
      vars: { mood: 'calm' },
      outputs: { said: '{{ steps.work.output }}' },
    });
    const outer = workflow([call('sub', 'inner', { what: '{{ vars.thing }}' }), run('after')], {
      vars: { thing: 'tea', mood: 'other' },
      workflows: { inner },
      outputs: { got: '{{ steps.sub.output.said }}' },
    });
    const played = rehearse(outer, { replies: { 'sub/work': 'done' } });
    expect(played.state.outputs).toEqual({ got: 'done' });
    expect(played.entries.find((entry) => entry.kind === 'attempt-started')).toMatchObject({
      path: 'sub/work',
      title: 'tea calm',
    });
  });

  it('a called workflow whose input is of the wrong type fails the step with exit code 2', () => {
    const inner = workflow([run('work')], { name: 'inner', inputs: { n: { type: 'number' } } });
    const played = rehearse(workflow([call('sub', 'inner', { n: 'three' })], { workflows: { inner } }));
    expect(played.state.status).toBe('failed');
    expect(played.entries.find((entry) => entry.kind === 'step-failed')).toMatchObject({
      path: 'sub',
      exit_code: 2,
      error: { message: expect.stringContaining('input `n` of workflow "inner" must be a number') },
    });
  });

  it('rule 16: a value that is not there fails the step with exit code 2 and is named', () => {
    const played = rehearse(workflow([run('a', { if: 'steps.gone.output.x > 1' }), run('b')]));
    expect(played.state.status).toBe('failed');
    expect(played.entries.find((entry) => entry.kind === 'step-failed')).toMatchObject({
      path: 'a',
      exit_code: 2,
      error: { class: 'expression', message: expect.stringContaining('steps.gone') },
    });
    expect(played.performed).toEqual([]);
  });

  it('output: vars merges an object, and fails the step when the output is something else', () => {
    const good = rehearse(
      workflow([run('a', { output: 'vars' })], { vars: { n: 1 }, outputs: { n: '{{ vars.n }}' } }),
      {
        replies: { a: { n: 2 } },
      },
    );
    expect(good.state.outputs).toEqual({ n: 2 });
    const bad = rehearse(workflow([run('a', { output: 'vars' })]), { replies: { a: 'text' } });
    expect(bad.state.error).toMatchObject({ class: 'output' });
  });
});

describe('step end (rule 3)', () => {
  it('unset on_fail: work that broke stops the run as failed', () => {
    const played = rehearse(workflow([run('a'), run('b')]), { replies: { a: failed(1) } });
    expect(played.state.status).toBe('failed');
    expect(played.performed).toEqual(['a']);
  });

  it('a failure inside blocks makes each of them fail, and the innermost step is named', () => {
    const played = rehearse(workflow([sequence('o', [sequence('i', [run('x')])])]), {
      replies: { 'o/i/x': failed(3) },
    });
    expect(played.state).toMatchObject({ status: 'failed', failedAt: 'o/i/x' });
    expect(played.state.error?.message).toContain('"o/i/x" failed');
  });

  it('a block that says continue handles the failure of a step inside it', () => {
    const steps = [sequence('o', [run('x'), run('never')], { onFail: 'continue' }), run('after')];
    const played = rehearse(workflow(steps), { replies: { 'o/x': failed(1) } });
    expect(played.performed).toEqual(['o/x', 'after']);
    expect(played.state.status).toBe('completed');
    expect(played.entries.at(-1)).toMatchObject({ kind: 'run-completed', continued_past: 1 });
  });

  it('exit runs whenever the step was entered, failed too, and a failing action changes nothing', () => {
    const steps = [
      run('a', { exit: [doRun('tidy'), set({ seen: '{{ status }}' })], onFail: 'continue' }),
      run('b'),
    ];
    const played = rehearse(workflow(steps, { vars: { seen: '' }, outputs: { seen: '{{ vars.seen }}' } }), {
      replies: { a: failed(1), 'a.exit[0]': failed(9) },
    });
    expect(played.performed).toEqual(['a', 'a.exit[0]', 'b']);
    expect(played.state.outputs).toEqual({ seen: 'failed' });
  });

  it('a step that was skipped runs neither enter nor exit, and its next is not read', () => {
    const steps = [
      run('a', { if: 'false', enter: [doRun('in')], exit: [doRun('out')], next: [{ goto: 'end' }] }),
      run('b'),
    ];
    expect(rehearse(workflow(steps)).performed).toEqual(['b']);
  });

  it('enter actions run first, one whose `when` is false is passed, and `set` is seen by the work', () => {
    const steps = [
      run('a', {
        enter: [set({ who: 'x' }), doRun('no', { when: 'false' }), doRun('yes', { output: 'said' })],
        title: '{{ vars.who }} {{ said }}',
      }),
    ];
    const played = rehearse(workflow(steps, { vars: { who: '' } }), { replies: { 'a.enter[2]': 'hi' } });
    expect(played.performed).toEqual(['a.enter[2]', 'a']);
    expect(
      played.entries.find((entry) => entry.kind === 'attempt-started' && entry.part === undefined),
    ).toMatchObject({
      title: 'x hi',
    });
  });

  it('enter and exit of an each go around every pass', () => {
    const steps = [each('e', '[1, 2]', [run('w')], { enter: [doRun('in')], exit: [doRun('out')] })];
    expect(rehearse(workflow(steps)).performed).toEqual([
      'e[0].enter[0]',
      'e[0]/w',
      'e[0].exit[0]',
      'e[1].enter[0]',
      'e[1]/w',
      'e[1].exit[0]',
    ]);
  });

  it('a failed run that is resumed runs the failed step again, enter actions of the blocks around it too', () => {
    const steps = [
      run('a'),
      sequence('o', [run('x'), run('y')], { enter: [doRun('in')], exit: [doRun('out')] }),
      run('z'),
    ];
    const flow = workflow(steps);
    const first = rehearse(flow, { replies: { 'o/y': failed(1) } });
    expect(first.state.status).toBe('failed');
    const second = rehearse(flow, {}, first.entries);
    expect(second.performed).toEqual(['o.enter[0]', 'o/y', 'o.exit[0]', 'z']);
    expect(second.state.status).toBe('completed');
  });

  it('a block with a time-out of its own is ended with exit code 124, and what is open in it is cancelled', () => {
    const flow = workflow([
      sequence('o', [run('x'), run('y')], { timeout: 50, onFail: 'continue' }),
      run('z'),
    ]);
    const first = rehearse(flow, { replies: { 'o/x': null } });
    const cut = first.entries.slice(
      0,
      first.entries.findIndex((entry) => entry.kind === 'attempt-finished'),
    );
    const n = cut.length + 1;
    const late = rehearse(flow, {}, [...cut, { n, at: 60_000, kind: 'time-out-reached', path: 'o' }]);
    expect(late.state.status).toBe('completed');
    expect(story(late)).toContain('step-failed o');
    expect(late.entries.find((entry) => entry.kind === 'step-failed' && entry.path === 'o')).toMatchObject({
      exit_code: 124,
      error: { class: 'timeout' },
    });
    expect(late.performed).toEqual(['z']);
  });
});

describe('values of the world', () => {
  it('E1: files() enters as an observation, and is asked for only when the answer depends on it', () => {
    const steps = [
      run('a', { if: 'true || size(files("x")) > 0' }),
      run('b', { if: 'size(files("*.md")) == 2' }),
    ];
    const played = rehearse(workflow(steps), { files: { '*.md': ['a.md', 'b.md'] } });
    expect(story(played).filter((line) => line.startsWith('observ'))).toEqual(['observing b', 'observed b']);
    expect(played.performed).toEqual(['a', 'b']);
  });

  it('rule 16: what cannot be looked at fails the step and is not asked for again', () => {
    const flow = workflow([run('a', { if: 'size(files("../x")) > 0' }), run('b')]);
    const cut = rehearse(flow).entries.slice(0, 2);
    const error = { class: 'path' as const, message: '"../x" leaves the workspace' };
    const played = rehearse(flow, {}, [
      ...cut,
      { n: 3, at: 3000, kind: 'observed', path: 'a', facts: [], error },
    ]);
    expect(played.state).toMatchObject({
      status: 'failed',
      error: { class: 'expression', message: error.message },
    });
    expect(played.entries.filter((entry) => entry.kind === 'observing')).toHaveLength(1);
  });

  it('looks again at every pass of a loop', () => {
    const body = [run('w')];
    const flow = workflow([
      step('l', {
        kind: 'loop',
        test: { kind: 'until', cel: 'size(files("done")) > 0' },
        max: 3,
        steps: body,
      }),
    ]);
    const played = rehearse(flow, { answers: { l: ['fail'] } });
    expect(story(played).filter((line) => line === 'observed l')).toHaveLength(3);
  });
});
