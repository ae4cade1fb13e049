import { describe, expect, it } from 'vitest';
import { broke, byHand } from '../../test/support/by-hand.ts';
import { failed, rehearse } from '../../test/support/rehearsal.ts';
import {
  ask,
  call,
  doRun,
  each,
  loop,
  parallel,
  prompt,
  run,
  sequence,
  set,
  workflow,
} from '../../test/support/workflow.ts';
import type { Action } from '../model/workflow.ts';

describe('leaving during enter', () => {
  it('a block whose time is up during its last enter action opens nothing', () => {
    const b = byHand(workflow([sequence('s', [run('a')], { enter: [doRun('e')], timeout: 1000 })]));
    b.write({ kind: 'time-out-reached', path: 's' }).quiet();
    expect(b.pending()).toEqual([]);
    expect(b.state.status).toBe('failed');
  });
  it('a block cancelled during its last enter action opens nothing', () => {
    const b = byHand(
      workflow([
        parallel('p', [
          sequence('s', [run('a')], { enter: [doRun('e')] }),
          run('b', { next: [{ goto: 'z' }] }),
        ]),
        run('z'),
      ]),
    );
    b.finish('p/b').quiet();
    expect(b.pending()).toEqual(['z']);
  });
});

describe('in doubt', () => {
  const of = (fields: object) => workflow([run('a', { enter: [doRun('e')], exit: [doRun('x')], ...fields })]);
  it('recover pause, crash in enter: accept means the action happened, the work still runs', () => {
    const b = byHand(of({ recover: { kind: 'pause' } }));
    expect(b.pending()).toEqual(['a.enter[0]']);
    b.crash();
    expect(b.state.questions.size).toBe(1);
    b.write({ kind: 'question-answered', path: 'a', answer: 'accept', by: 'me' }).resume();
    expect(b.pending()).toEqual(['a']);
  });
  it('recover pause, crash in exit: accept goes on behind it, exit is not repeated', () => {
    const b = byHand(of({ recover: { kind: 'pause' } }));
    b.finish('a', {}, 'enter[0]').quiet().finish('a').quiet();
    expect(b.pending()).toEqual(['a.exit[0]']);
    b.crash();
    b.write({ kind: 'question-answered', path: 'a', answer: 'accept', by: 'me' }).resume();
    expect(b.state.status).toBe('completed');
  });
  it('recover pause, crash in exit: fail', () => {
    const b = byHand(of({ recover: { kind: 'pause' } }));
    b.finish('a', {}, 'enter[0]').quiet().finish('a').quiet();
    b.crash();
    b.write({ kind: 'question-answered', path: 'a', answer: 'fail', by: 'me' }).resume();
    expect(b.pending()).toEqual([]);
  });
  it('a crash during the probe: the probe is made again, not the work', () => {
    const b = byHand(
      workflow([run('a', { recover: { kind: 'probe', command: { kind: 'argv', argv: ['p'] } } })]),
    );
    b.crash();
    expect(b.pending()).toEqual(['a.probe']);
    b.crash();
    expect(b.pending()).toEqual(['a.probe']);
  });
  it('an interrupt during the probe: the probe is made again', () => {
    const b = byHand(
      workflow([run('a', { recover: { kind: 'probe', command: { kind: 'argv', argv: ['p'] } } })]),
    );
    b.crash();
    b.write({ kind: 'end-requested', to: 'interrupted', by: 'me' });
    b.finish('a', { ok: false, error: { class: 'interrupted', message: 'x' } }, 'probe').quiet();
    b.resume();
    expect(b.pending()).toEqual(['a.probe']);
  });
  it('a failed probe gives the dispatch back: the same scripted answer as without the crash', () => {
    const b = byHand(
      workflow([prompt('a', { recover: { kind: 'probe', command: { kind: 'argv', argv: ['p'] } } })]),
    );
    b.crash();
    b.finish('a', broke(), 'probe').quiet();
    expect((b.commands()[0] as { dispatch: unknown }).dispatch).toEqual({ path: 0, id: 0 });
  });
  it('again after recover pause gives the dispatch back', () => {
    const b = byHand(workflow([prompt('a', { recover: { kind: 'pause' } })]));
    b.crash();
    b.write({ kind: 'question-answered', path: 'a', answer: 'again', by: 'me' }).resume();
    expect((b.commands()[0] as { dispatch: unknown }).dispatch).toEqual({ path: 0, id: 0 });
  });
  it('a cancelled retry delay is not slept through after a crash', () => {
    const b = byHand(
      workflow([
        parallel('p', [
          run('s', { retry: { max: 1, delay: 3_600_000, on: [] } }),
          run('b', { next: [{ goto: 'z' }] }),
        ]),
        run('z'),
      ]),
    );
    b.finish('p/s', broke()).quiet();
    expect(b.pending()).toContain('p/s');
    // the jump is journaled, then the process dies
    b.write({ kind: 'attempt-finished', path: 'p/b', outcome: { ok: true, output: null, duration_ms: 1 } });
    b.write({ kind: 'jumped', path: 'p/b', to: 'z' });
    b.crash();
    expect(b.pending()).toEqual(['z']);
  });
});

describe('questions', () => {
  it('an ask whose time is up fails, and is not asked again', () => {
    const b = byHand(workflow([ask('q', 'Well?', undefined, { timeout: 1000 }), run('z')]));
    b.write({ kind: 'run-resumed', by: { user: '', host: '', pid: 1, version: '' } });
    b.write({ kind: 'question-expired', path: 'q' }).quiet();
    expect(b.state.questions.size).toBe(0);
    expect(b.state.status).toBe('failed');
  });
  it('an answer to an ask in the same decision as the time-out of its block', () => {
    const b = byHand(workflow([parallel('p', [ask('q', 'Well?'), run('r')], { timeout: 1000 })]));
    b.write({ kind: 'time-out-reached', path: 'p' });
    b.write({ kind: 'question-answered', path: 'p/q', answer: 'x', by: 'me' });
    b.quiet();
    expect(b.state.status).toBe('failed');
  });
  it('`again` to a held step in the same decision as the time-out of its block', () => {
    const b = byHand(workflow([parallel('p', [run('q', { onFail: 'pause' }), run('r')], { timeout: 1000 })]));
    b.finish('p/q', broke()).quiet();
    b.write({ kind: 'time-out-reached', path: 'p' });
    b.write({ kind: 'question-answered', path: 'p/q', answer: 'again', by: 'me' });
    b.quiet();
    expect(b.pending()).toEqual([]);
    expect(b.state.status).toBe('failed');
  });
  it('`accept` to a held step in the same decision as the time-out of its block', () => {
    const b = byHand(workflow([parallel('p', [run('q', { onFail: 'pause' }), run('r')], { timeout: 1000 })]));
    b.finish('p/q', broke()).quiet();
    b.write({ kind: 'time-out-reached', path: 'p' });
    b.write({ kind: 'question-answered', path: 'p/q', answer: 'accept', by: 'me' });
    b.quiet();
    expect(b.state.status).toBe('failed');
  });
  it('a block that timed out and is held, then is left by goto, leaves no question behind', () => {
    const b = byHand(
      workflow([
        parallel('p', [
          sequence('s', [run('a')], { timeout: 1000, onFail: 'pause' }),
          run('b', { next: [{ goto: 'z' }] }),
        ]),
        run('z'),
      ]),
    );
    b.write({ kind: 'time-out-reached', path: 'p/s' }).quiet();
    expect([...b.state.questions.keys()]).toEqual(['p/s']);
    b.finish('p/b').quiet();
    expect([...b.state.questions.keys()]).toEqual([]);
    b.finish('z').quiet();
    expect(b.state.status).toBe('completed');
  });
  it('a block that timed out, whose `next` is looked at when it is left by goto, does not jump on its own', () => {
    const b = byHand(
      workflow([
        parallel('p', [
          sequence('s', [run('a')], { timeout: 1000, next: [{ goto: 'y', do: [doRun('d')] }] }),
          run('b', { next: [{ goto: 'z' }] }),
        ]),
        run('y'),
        run('z'),
      ]),
    );
    b.write({ kind: 'time-out-reached', path: 'p/s' }).quiet();
    expect(b.pending()).toContain('p/s.do[0]');
    b.finish('p/b').quiet();
    b.finish('p/s', {}, 'do[0]').quiet();
    expect(b.pending()).toEqual(['z']);
  });
  it('on_fail pause for the workflow: a person who said fail is not asked again by every block around', () => {
    const b = byHand(
      workflow([
        sequence('o', [sequence('s', [run('a', { onFail: 'pause' })], { onFail: 'pause' })], {
          onFail: 'pause',
        }),
      ]),
    );
    b.finish('o/s/a', broke()).quiet();
    b.write({ kind: 'question-answered', path: 'o/s/a', answer: 'fail', by: 'me' }).resume();
    expect(b.state.status).toBe('failed');
  });
});

describe('starting again', () => {
  it('a parallel that timed out after one child failed: resume runs the cancelled child too', () => {
    const b = byHand(workflow([parallel('p', [run('a'), run('b')], { timeout: 1000 })]));
    b.finish('p/a', broke()).quiet();
    b.write({ kind: 'time-out-reached', path: 'p' }).quiet();
    expect(b.state.status).toBe('failed');
    b.resume();
    expect(b.pending().sort()).toEqual(['p/a', 'p/b']);
  });
  it('an each that timed out after one pass failed: resume works', () => {
    const b = byHand(workflow([each('e', '[1, 2]', [run('a')], { concurrency: 2, timeout: 1000 })]));
    b.finish('e[0]/a', broke()).quiet();
    b.write({ kind: 'time-out-reached', path: 'e' }).quiet();
    expect(b.state.status).toBe('failed');
    b.resume();
    for (const name of b.pending()) b.finish(name);
    b.quiet();
    expect(b.state.status).toBe('completed');
  });
  it('a resumed block still has its time-out', () => {
    const b = byHand(workflow([sequence('s', [run('a'), run('b')], { timeout: 1000 })]));
    b.finish('s/a').quiet().finish('s/b', broke()).quiet();
    expect(b.state.status).toBe('failed');
    b.resume();
    expect(b.pending()).toEqual(['s/b']);
    expect([...b.state.timers.keys()]).toEqual(['s']);
  });
  it('order: dependencies: what needs a pass that runs again waits for it', () => {
    const items = '[{"id": "a", "dependencies": []}, {"id": "b", "dependencies": ["a"]}]';
    const b = byHand(workflow([each('e', items, [run('r')], { order: 'dependencies', concurrency: 2 })]));
    b.finish('e[0]/r', broke()).quiet();
    expect(b.state.status).toBe('failed');
    b.resume();
    expect(b.pending()).toEqual(['e[0]/r']);
    b.finish('e[0]/r').quiet();
    b.finish('e[1]/r').quiet();
    expect(b.state.status).toBe('completed');
  });
  it('a cancel that is in the journal holds after a crash', () => {
    const b = byHand(workflow([run('a')]));
    b.write({ kind: 'end-requested', to: 'cancelled', by: 'me' });
    b.crash();
    expect(b.state.status).toBe('cancelled');
  });
  it('failing pass left in an each with others retried: sibling child states', () => {
    const b = byHand(workflow([parallel('p', [run('a'), sequence('s', [run('b'), run('c')])])]));
    b.finish('p/s/b').quiet();
    b.finish('p/a', broke()).quiet();
    b.finish('p/s/c', broke()).quiet();
    b.resume();
    expect(b.pending().sort()).toEqual(['p/a', 'p/s/c']);
    b.finish('p/a').finish('p/s/c').quiet();
    expect(b.state.status).toBe('completed');
  });
});

describe('values', () => {
  it('an exhausted loop that a person accepts has the value of the last step that ran', () => {
    const r = rehearse(
      workflow([loop('l', { until: 'false' }, 2, [run('a')])], { outputs: { v: '{{ steps.l.output }}' } }),
      {
        replies: { 'l#1/a': 'one', 'l#2/a': 'two' },
        answers: { l: ['accept'] },
      },
    );
    expect(r.state.status).toBe('completed');
    expect(r.state.outputs).toEqual({ v: 'two' });
  });
  it('a loop whose last pass ran nothing keeps the value of the last step that ran', () => {
    const r = rehearse(
      workflow([loop('l', { until: 'pass.number == 2' }, 3, [run('a', { if: 'pass.number == 1' })])], {
        outputs: { v: '{{ steps.l.output }}' },
      }),
      {
        replies: { 'l#1/a': 'one' },
      },
    );
    expect(r.state.outputs).toEqual({ v: 'one' });
  });
  it('a failed sequence has the value of the last step that ran', () => {
    const r = rehearse(
      workflow([sequence('s', [run('a'), run('b')], { onFail: 'continue' })], {
        outputs: { v: '{{ steps.s.output }}' },
      }),
      {
        replies: {
          's/a': 'one',
          's/b': {
            outcome: { ok: false, output: 'two', exit_code: 1, error: { class: 'exit', message: 'x' } },
          },
        },
      },
    );
    expect(r.state.outputs).toEqual({ v: 'two' });
  });
  it('parallel: a failed child that was continued past is in the map', () => {
    const r = rehearse(
      workflow([parallel('p', [run('a', { onFail: 'continue' }), run('b')])], {
        outputs: { v: '{{ steps.p.output }}' },
      }),
      {
        replies: {
          'p/a': {
            outcome: { ok: false, output: 'x', exit_code: 1, error: { class: 'exit', message: 'x' } },
          },
          'p/b': 'y',
        },
      },
    );
    expect(Object.keys(r.state.outputs.v as object)).toEqual(['a', 'b']);
  });
  it('duration of a failed block is not zero', () => {
    const r = rehearse(workflow([sequence('s', [run('a')], { onFail: 'continue' })]), {
      replies: { 's/a': failed(1) },
    });
    expect(r.state.root.scope.steps.get('s')?.duration_ms).toBeGreaterThan(0);
  });
  it('output: vars keeps the type of the variable', () => {
    const r = rehearse(workflow([run('a', { output: 'vars' })], { vars: { count: 0 } }), {
      replies: { a: { count: 'many' } },
    });
    expect(r.state.status).toBe('failed');
  });
  it('output: vars with a name that vars does not have', () => {
    const r = rehearse(workflow([run('a', { output: 'vars' })], { vars: { count: 0 } }), {
      replies: { a: { cuont: 1 } },
    });
    expect([...r.state.root.scope.vars.keys()]).toEqual(['count']);
  });
  it('J1: a number that JSON does not have is the same live and replayed', () => {
    const b = byHand(workflow([run('a', { enter: [set({ x: '{{ 1.0 / 0.0 }}' })] })], { vars: { x: 0 } }));
    expect(JSON.stringify(b.entries)).not.toContain('"x":null');
  });
});

describe('S1', () => {
  it('children of a parallel that never started because it was left are on record', () => {
    const b = byHand(
      workflow([parallel('p', [run('a', { next: [{ goto: 'z' }] }), run('b')], {}, 1), run('z')]),
    );
    b.finish('p/a').quiet().finish('z').quiet();
    expect(b.state.status).toBe('completed');
    expect(JSON.stringify(b.entries)).toContain('p/b');
  });
  it('passes of an each that never started because its time was up are on record', () => {
    const b = byHand(workflow([each('e', '[1,2,3]', [run('a')], { timeout: 1000 })]));
    b.write({ kind: 'time-out-reached', path: 'e' }).quiet();
    expect(JSON.stringify(b.entries)).toContain('e[2]');
  });
  it('the reason names the path that was given to --skip-step', () => {
    const r = rehearse(workflow([sequence('s', [run('a')])]), { skips: { steps: ['s/a'] } });
    expect(JSON.stringify(r.entries)).toContain('--skip-step s/a');
  });
});

describe('dry run', () => {
  it('a dry_run step in a called workflow runs', () => {
    const called = workflow([run('a', { dryRun: true })], { name: 'inner' });
    const r = rehearse(workflow([call('w', 'inner')], { workflows: { inner: called } }), {
      skips: { dry_run: true },
    });
    expect(r.performed).toEqual(['w/a']);
  });
});
describe('limits', () => {
  it('limits.visits of a called workflow hold in it', () => {
    const called = workflow([run('a', { next: [{ goto: 'a' }] })], {
      name: 'inner',
      limits: { visits: 3, stopBlocks: 5 },
    });
    const r = rehearse(workflow([call('w', 'inner')], { workflows: { inner: called } }));
    expect(r.performed.length).toBe(3);
  });
  it('a spent limit stops a prompt action too', () => {
    const action: Action = {
      work: {
        kind: 'prompt',
        prompt: { kind: 'template', text: 'x' },
        performer: { params: {}, tools: { deny: [] } },
        with: {},
      },
    };
    const r = rehearse(
      workflow([prompt('a'), run('b', { enter: [action] })], {
        limits: { visits: 50, stopBlocks: 5, cost: 1 },
      }),
      {
        replies: { a: { outcome: { usage: { input_tokens: 1, output_tokens: 1, cost: 2, turns: 1 } } } },
      },
    );
    expect(r.performed).toEqual(['a']);
  });
});
describe('zombies', () => {
  it('an in-doubt question about an exit action goes when its step is cancelled', () => {
    const b = byHand(
      workflow([
        parallel('p', [
          run('a', { recover: { kind: 'pause' }, exit: [doRun('x')] }),
          run('b', { next: [{ goto: 'z' }] }),
        ]),
        run('z'),
      ]),
    );
    b.finish('p/a').quiet();
    b.crash();
    expect([...b.state.questions.keys()]).toEqual(['p/a']);
    b.finish('p/b').quiet();
    expect([...b.state.questions.keys()]).toEqual([]);
  });
});

describe('what is easily lost', () => {
  it('again begins with the first try, without the reasons of before', () => {
    const never = { checks: [{ kind: 'that' as const, is: 'false' }], tries: 2 };
    const b = byHand(workflow([prompt('p', { done: never, retry: { max: 1, delay: 1, on: [] } })]));
    b.finish('p').quiet().finish('p').quiet();
    b.write({ kind: 'question-answered', path: 'p', answer: 'again', by: 'me' }).resume();
    expect(b.commands()).toMatchObject([{ kind: 'run-agent', try: 1, feedback: [] }]);
  });

  it('S1: a step that was next when its block was left is on record as skipped', () => {
    const b = byHand(
      workflow([
        parallel('p', [run('a', { next: [{ goto: 'z' }] }), sequence('s', [run('x'), run('y')])]),
        run('z'),
      ]),
    );
    b.finish('p/a').finish('p/s/x').quiet();
    expect(b.pending()).toEqual(['z']);
    expect(b.entries.find((entry) => entry.kind === 'step-skipped')).toMatchObject({
      path: 'p/s/y',
      reason: 'cancelled',
    });
  });

  it('what lies between a crash and its resume is not time spent', () => {
    const b = byHand(workflow([run('a'), run('b')]));
    b.finish('a').quiet();
    const spent = b.state.elapsed;
    b.state.lastAt -= 60_000; // the crash was a minute before the next entry
    b.crash();
    expect(b.state.elapsed - spent).toBeLessThan(10_000);
  });

  it('rule 4: what would fail the same way again is not dispatched again', () => {
    const retry = { max: 3, delay: 1, on: [] };
    const b = byHand(workflow([run('a', { retry })]));
    b.finish('a', { ok: false, error: { class: 'missing-files', message: 'no such file' } }).quiet();
    expect(b.pending()).toEqual([]);
    expect(b.state.status).toBe('failed');
  });

  it('rule 1: `pass` of the caller is not seen in a called workflow', () => {
    const inner = workflow([run('a', { title: '{{ default(pass.number, "none") }}' })], { name: 'inner' });
    const r = rehearse(workflow([each('e', '[1]', [call('c', 'inner')])], { workflows: { inner } }));
    expect(r.entries.find((entry) => entry.kind === 'attempt-started')).toMatchObject({ title: 'none' });
  });

  it('a step that ended takes its time-out with it', () => {
    const b = byHand(workflow([sequence('s', [run('a')], { timeout: 1000 }), run('z')]));
    b.finish('s/a').quiet();
    expect([...b.state.timers.keys()]).toEqual([]);
  });

  it('a jump away from a failure leaves none behind', () => {
    const flow = workflow([
      sequence('s', [run('a'), run('b', { next: [{ when: 'status == "failed"', goto: 'a' }] })]),
    ]);
    const r = rehearse(flow, { replies: { 's/b': failed(1) } });
    expect(r.state.status).toBe('completed');
    expect(r.performed).toEqual(['s/a', 's/b', 's/a~2', 's/b~2']);
  });

  it('a sequence that ran out of time goes on, when resumed, from the step that was cancelled in it', () => {
    const b = byHand(
      workflow([sequence('s', [run('a'), sequence('t', [run('b'), run('c')])], { timeout: 1000 })]),
    );
    b.finish('s/a').quiet().finish('s/t/b').quiet();
    b.write({ kind: 'time-out-reached', path: 's' }).quiet();
    expect(b.state.status).toBe('failed');
    b.resume();
    expect(b.pending()).toEqual(['s/t/c']);
    b.finish('s/t/c').quiet();
    expect(b.state.status).toBe('completed');
  });
});
