import { describe, expect, it } from 'vitest';
import { failed, rehearse, story } from '../../test/support/rehearsal.ts';
import { doRun, each, loop, noop, parallel, run, sequence, workflow } from '../../test/support/workflow.ts';
import type { Json } from '../model/json.ts';

describe('parallel (rule 6)', () => {
  it('starts all, and its value is a map by id of those that are done', () => {
    const steps = [parallel('p', [run('a'), run('b'), run('off', { if: 'false' })])];
    const played = rehearse(workflow(steps, { outputs: { all: '{{ steps.p.output }}' } }), {
      replies: { 'p/a': 1, 'p/b': 2 },
    });
    expect(story(played).slice(1, 5)).toEqual([
      'step-opened p',
      'attempt-started p/a',
      'attempt-started p/b',
      'step-skipped p/off',
    ]);
    expect(played.state.outputs).toEqual({ all: { a: 1, b: 2 } });
  });

  it('concurrency bounds how many are under way', () => {
    const steps = [parallel('p', [run('a'), run('b'), run('c')], {}, 2)];
    const played = rehearse(workflow(steps));
    expect(story(played).slice(1, 5)).toEqual([
      'step-opened p',
      'attempt-started p/a',
      'attempt-started p/b',
      'attempt-finished p/a',
    ]);
  });

  it('when one fails, what runs finishes, nothing new starts and is on record, then the block fails', () => {
    const steps = [
      parallel('p', [run('a'), sequence('s', [run('b'), run('c')]), run('d')], {}, 2),
      run('after'),
    ];
    const played = rehearse(workflow(steps), { replies: { 'p/a': failed(1) } });
    expect(played.performed).toEqual(['p/a', 'p/s/b', 'p/s/c']);
    expect(played.entries.find((entry) => entry.kind === 'fan-stopped')).toMatchObject({ left_out: ['p/d'] });
    expect(played.state).toMatchObject({ status: 'failed', failedAt: 'p/a' });
  });

  it('resumed after a failure, runs the failed branch and those that were never started', () => {
    const flow = workflow([parallel('p', [run('a'), run('b'), run('c')], {}, 2)]);
    const first = rehearse(flow, { replies: { 'p/a': failed(1) } });
    const second = rehearse(flow, {}, first.entries);
    expect(second.performed).toEqual(['p/a', 'p/c']);
    expect(second.state.status).toBe('completed');
  });

  it('a branch that says continue does not fail the block', () => {
    const steps = [parallel('p', [run('a', { onFail: 'continue' }), run('b')]), run('after')];
    expect(rehearse(workflow(steps), { replies: { 'p/a': failed(1) } }).performed).toContain('after');
  });

  it('rule 2: where one failed and the run goes on past it, `output` has what the others said', () => {
    const steps = [
      parallel('p', [run('a'), run('b')], { output: 'both', onFail: 'continue' }),
      run('after', { if: 'both.b == "fine"' }),
    ];
    const played = rehearse(workflow(steps), {
      replies: { 'p/a': failed(1), 'p/b': { outcome: { output: 'fine' } } },
    });
    expect(played.performed.at(-1)).toBe('after');
    expect(played.state.root.scope.names.get('both')).toMatchObject({ b: 'fine' });
  });
});

describe('each (rules 1, 2, 6)', () => {
  it('opens a scope per pass and gives a list in item order', () => {
    const steps = [
      each('e', '[10, 20]', [
        run('w', { title: '{{ item }} {{ pass.index }} {{ pass.number }} of {{ pass.total }}' }),
      ]),
    ];
    const played = rehearse(workflow(steps, { outputs: { all: '{{ steps.e.output }}' } }), {
      replies: { 'e[0]/w': 'x', 'e[1]/w': 'y' },
    });
    expect(played.state.outputs.all).toEqual([
      { item: 10, status: 'done', output: 'x' },
      { item: 20, status: 'done', output: 'y' },
    ]);
    const titles = played.entries.flatMap((entry) => (entry.kind === 'attempt-started' ? [entry.title] : []));
    expect(titles).toEqual(['10 0 1 of 2', '20 1 2 of 2']);
  });

  it('steps of a pass are not seen after it; those of the parent are seen inside', () => {
    const steps = [
      run('before'),
      each('e', '[1]', [run('w', { if: 'steps.before.status == "done"' })]),
      run('look', { if: 'default(steps.w.status, "gone") == "gone"' }),
    ];
    expect(rehearse(workflow(steps)).performed).toEqual(['before', 'e[0]/w', 'look']);
  });

  it('no items: no pass, an empty list, done', () => {
    const played = rehearse(
      workflow([each('e', '[]', [run('w')])], { outputs: { all: '{{ steps.e.output }}' } }),
    );
    expect(played.state).toMatchObject({ status: 'completed', outputs: { all: [] } });
  });

  it('fails at what is not a list', () => {
    const played = rehearse(workflow([each('e', 'inputs.x', [run('w')])]), { inputs: { x: 'text' } });
    expect(played.state.error).toMatchObject({ class: 'expression' });
  });

  it('on_fail: continue records a failed pass and goes on; the each itself has failed and says how many', () => {
    const steps = [
      each('e', '[1, 2, 3]', [run('w')], { onFail: 'continue' }),
      run('after', { if: 'steps.e.status == "failed"' }),
    ];
    const played = rehearse(workflow(steps, { outputs: { all: '{{ steps.e.output.map(p, p.status) }}' } }), {
      replies: { 'e[1]/w': failed(1) },
    });
    expect(played.performed).toEqual(['e[0]/w', 'e[1]/w', 'e[2]/w', 'after']);
    expect(played.state.outputs.all).toEqual(['done', 'failed', 'done']);
    expect(played.entries.find((entry) => entry.kind === 'step-failed' && entry.path === 'e')).toMatchObject({
      error: { message: '1 of 3 passes failed' },
    });
  });

  it('without it the first failed pass ends the each, and the passes left out are on record', () => {
    const played = rehearse(workflow([each('e', '[1, 2, 3, 4]', [run('w')])]), {
      replies: { 'e[1]/w': failed(1) },
    });
    expect(played.performed).toEqual(['e[0]/w', 'e[1]/w']);
    expect(played.entries.find((entry) => entry.kind === 'fan-stopped')).toMatchObject({
      left_out: ['e[2] … e[3]'],
    });
    const again = rehearse(played.state.root.scope.workflow, {}, played.entries);
    expect(again.performed).toEqual(['e[1]/w', 'e[2]/w', 'e[3]/w']);
    expect(again.state.status).toBe('completed');
  });

  it('order: dependencies runs each item after those it needs, concurrent ones too', () => {
    const items = [
      { id: 'c', dependencies: ['a', 'b'] },
      { id: 'a', dependencies: [] },
      { id: 'b', dependencies: ['a'] },
    ];
    const steps = [
      each('e', 'inputs.items', [run('w', { title: '{{ item.id }}' })], {
        order: 'dependencies',
        concurrency: 3,
      }),
    ];
    const played = rehearse(workflow(steps), { inputs: { items }, lastFirst: true });
    const titles = played.entries.flatMap((entry) => (entry.kind === 'attempt-started' ? [entry.title] : []));
    expect(titles).toEqual(['a', 'b', 'c']);
    expect(played.state.status).toBe('completed');
  });

  it('order: dependencies names a circle and an unknown dependency', () => {
    const steps = [each('e', 'inputs.items', [run('w')], { order: 'dependencies' })];
    const circle = [
      { id: 'a', dependencies: ['b'] },
      { id: 'b', dependencies: ['a'] },
    ];
    expect(rehearse(workflow(steps), { inputs: { items: circle } }).state.error?.message).toContain(
      'a → b → a',
    );
    const unknown = [{ id: 'a', dependencies: ['zz'] }];
    expect(rehearse(workflow(steps), { inputs: { items: unknown } }).state.error?.message).toContain('"zz"');
  });

  it('an item whose dependency failed is not run, even when the each goes on', () => {
    const items: Json[] = [{ id: 'a' }, { id: 'b', dependencies: ['a'] }, { id: 'c' }];
    const steps = [each('e', 'inputs.items', [run('w')], { order: 'dependencies', onFail: 'continue' })];
    const played = rehearse(workflow(steps), { inputs: { items }, replies: { 'e[0]/w': failed(1) } });
    expect(played.performed).toEqual(['e[0]/w', 'e[2]/w']);
  });

  it('E2: state does not grow with finished passes beyond their outputs', () => {
    const many = Array.from({ length: 500 }, (_, index) => index);
    const played = rehearse(workflow([each('e', 'inputs.many', [noop('w')])]), { inputs: { many } });
    expect(played.state.ready.size + played.state.running.size).toBe(0);
    expect(played.state.root.scope.steps.size).toBe(1);
  });
});

describe('loop (rule 5)', () => {
  it('while is tested before each pass: false at once means no pass', () => {
    expect(rehearse(workflow([loop('l', { while: 'false' }, 3, [run('w')]), run('z')])).performed).toEqual([
      'z',
    ]);
  });

  it('until is tested after each pass and sees the body', () => {
    const steps = [loop('l', { until: 'steps.w.output == "ok"' }, 5, [run('w')])];
    const played = rehearse(workflow(steps), { replies: { 'l#1/w': 'no', 'l#2/w': 'ok' } });
    expect(played.performed).toEqual(['l#1/w', 'l#2/w']);
    expect(played.state.status).toBe('completed');
  });

  it('pass.each is the pass of the nearest each, inside a loop that it holds too', () => {
    const title =
      '{{ pass.number }} {{ default(pass.each.index, "none") }}/{{ default(pass.each.total, "") }}';
    const flow = workflow([
      each('e', '["a", "b"]', [loop('l', { until: 'pass.number == 2' }, 3, [run('w', { title })])]),
      loop('alone', { until: 'true' }, 3, [run('x', { title })]),
    ]);
    const { entries } = rehearse(flow);
    expect(entries.flatMap((entry) => (entry.kind === 'attempt-started' ? [entry.title] : []))).toEqual([
      '1 0/2',
      '2 0/2',
      '1 1/2',
      '2 1/2',
      '1 none/',
    ]);
  });

  it('pass.number counts from 1 and pass.total is max', () => {
    const steps = [
      loop('l', { while: 'pass.number <= 2' }, 9, [
        run('w', { title: '{{ pass.number }}/{{ pass.total }}' }),
      ]),
    ];
    const played = rehearse(workflow(steps));
    expect(
      played.entries.flatMap((entry) => (entry.kind === 'attempt-started' ? [entry.title] : [])),
    ).toEqual(['1/9', '2/9']);
  });

  it('with max 0 makes no pass, and is exhausted if the test holds', () => {
    const flow = (test: string) => workflow([loop('l', { while: test }, 0, [run('w')]), run('z')]);
    expect(rehearse(flow('false')).performed).toEqual(['z']);
    const held = rehearse(flow('true'));
    expect([held.state.status, held.performed]).toEqual(['paused', []]);
    expect([...held.state.questions.values()]).toMatchObject([
      {
        text: expect.stringContaining('No pass is allowed, and the loop goes on while true.'),
        reasons: ['no pass is allowed (`max: 0`), and the loop asks for more: while true'],
      },
    ]);
    expect(rehearse(flow('true'), { answers: { l: ['again', 'accept'] } }).performed).toEqual(['z']);
  });

  it('is exhausted only if the test still asks for more; then a person is asked', () => {
    const enough = rehearse(workflow([loop('l', { while: 'pass.number <= 2' }, 2, [run('w')])]));
    expect(enough.state.status).toBe('completed');
    const never = rehearse(workflow([loop('l', { while: 'true' }, 2, [run('w')]), run('z')]));
    expect(never.state.status).toBe('paused');
    expect([...never.state.questions.values()]).toMatchObject([{ question: 'held' }]);
    const accepted = rehearse(workflow([loop('l', { while: 'true' }, 2, [run('w')]), run('z')]), {
      answers: { l: ['accept'] },
    });
    expect(accepted.performed.at(-1)).toBe('z');
  });

  it('may say what exhaustion does, apart from what a failure inside does', () => {
    const spent = (exhausted: 'stop' | 'pause' | 'continue', onFail: 'stop' | 'continue') => {
      const made = loop('l', { while: 'true' }, 2, [run('w')], { onFail });
      Object.assign(made.work, { exhausted });
      return workflow([made, run('z')]);
    };
    expect(rehearse(spent('continue', 'stop')).performed).toEqual(
      ['w', 'w', 'z'].map((id, n) => (n < 2 ? `l#${n + 1}/${id}` : id)),
    );
    expect(rehearse(spent('pause', 'continue')).state.status).toBe('paused');
    const broken = rehearse(spent('continue', 'stop'), { replies: { 'l#1/w': failed(1) } });
    expect([broken.state.status, broken.performed]).toEqual(['failed', ['l#1/w']]);
  });

  it('a failure inside a pass fails the loop, and resume goes on in that pass', () => {
    const flow = workflow([loop('l', { until: 'pass.number == 3' }, 5, [run('a'), run('b')])]);
    const first = rehearse(flow, { replies: { 'l#2/b': failed(1) } });
    expect(first.state.failedAt).toBe('l#2/b');
    expect(rehearse(flow, {}, first.entries).performed).toEqual(['l#2/b', 'l#3/a', 'l#3/b']);
  });
});

describe('goto (rule 7)', () => {
  it('goes to a step of this list, back or forth, and a second visit has a path of its own', () => {
    const steps = [
      run('a'),
      run('b', { next: [{ when: 'steps.b.output == "again"', goto: 'a' }] }),
      run('c', { next: [{ goto: 'end' }] }),
      run('never'),
    ];
    const played = rehearse(workflow(steps), { replies: { b: 'again', 'b~2': 'on' } });
    expect(played.performed).toEqual(['a', 'b', 'a~2', 'b~2', 'c']);
    expect(played.state.status).toBe('completed');
  });

  it('end ends a called workflow, not its caller', () => {
    const inner = workflow([run('x', { next: [{ goto: 'end' }] }), run('never')], { name: 'inner' });
    const outer = workflow(
      [{ ...run('sub'), work: { kind: 'workflow' as const, workflow: 'inner', with: {} } }, run('after')],
      { workflows: { inner } },
    );
    expect(rehearse(outer).performed).toEqual(['sub/x', 'after']);
  });

  it('a pass left by goto has failed, exits run on the way out, siblings are cancelled on record', () => {
    const steps = [
      each('e', '[1, 2, 3]', [run('w', { next: [{ when: 'item == 1', goto: 'rescue' }] })], {
        concurrency: 2,
        exit: [doRun('tidy')],
      }),
      run('between'),
      run('rescue'),
    ];
    const played = rehearse(workflow(steps));
    expect(played.performed).toEqual(['e[0]/w', 'e[0].exit[0]', 'e[1].exit[0]', 'rescue']);
    expect(played.entries.find((entry) => entry.kind === 'attempt-cancelled')).toMatchObject({
      path: 'e[1]/w',
    });
    expect(
      played.entries.find((entry) => entry.kind === 'step-failed' && entry.path === 'e[0]'),
    ).toMatchObject({
      error: { class: 'left' },
    });
    expect(played.state.status).toBe('completed');
  });

  it('limits.visits ends a circle with an error that names it, and a raised limit lets it go on', () => {
    const flow = workflow([run('a'), run('b', { next: [{ goto: 'a' }] })], {
      limits: { visits: 3, stopBlocks: 5 },
    });
    const played = rehearse(flow);
    expect(played.state).toMatchObject({ status: 'failed', error: { class: 'limit' } });
    expect(played.state.error?.message).toContain('a → … → b → a');
    expect(played.performed.filter((name) => name.startsWith('a'))).toHaveLength(3);
  });

  it('the first rule that holds wins; its actions are done before the jump', () => {
    const steps = [
      run('a', { next: [{ when: 'false', goto: 'z' }, { goto: 'c', do: [doRun('note')] }, { goto: 'z' }] }),
      run('b'),
      run('c'),
      run('z'),
    ];
    expect(rehearse(workflow(steps)).performed).toEqual(['a', 'a.do[0]', 'c', 'z']);
  });

  it('handles a failure: status is known to next', () => {
    const steps = [
      run('a', { next: [{ when: 'status == "failed"', goto: 'fix' }] }),
      run('b', { next: [{ goto: 'end' }] }),
      run('fix'),
    ];
    const played = rehearse(workflow(steps), { replies: { a: failed(1) } });
    expect(played.performed).toEqual(['a', 'fix']);
    expect(played.state.status).toBe('completed');
  });
});
