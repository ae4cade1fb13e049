// E1, E3, E4 over whole journals: whatever is cut off, the rest is decided the same way again.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed, type RehearsalOptions, rehearse, story } from '../../test/support/rehearsal.ts';
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
import type { Entry } from '../model/entry.ts';
import type { Step } from '../model/workflow.ts';

const inner = workflow([run('deep')], { name: 'inner', outputs: { v: '{{ steps.deep.status }}' } });
const everything = workflow(
  [
    run('a', {
      retry: { max: 1, delay: 1, on: [1] },
      enter: [doRun('in')],
      exit: [doRun('out'), set({ n: '{{ vars.n + 1 }}' })],
    }),
    run('skipped', { if: 'size(files("none")) > 0' }),
    prompt('p', {
      done: {
        checks: [
          { kind: 'that', is: 'output == "good"' },
          { kind: 'run', command: { kind: 'argv', argv: ['t'] } },
        ],
        tries: 3,
      },
    }),
    each('e', '[1, 2, 3]', [run('w'), parallel('par', [run('x'), sequence('s', [run('y'), run('z')])])], {
      concurrency: 2,
    }),
    loop('l', { until: 'pass.number == 2' }, 3, [run('body')]),
    call('sub', 'inner'),
    run('j', { next: [{ when: 'vars.n < 3', goto: 'a' }] }),
    ask('q', 'Which?', ['a', 'b']),
    run('last'),
  ],
  { vars: { n: 0 }, workflows: { inner }, outputs: { n: '{{ vars.n }}', q: '{{ steps.q.output }}' } },
);
const options = (): RehearsalOptions => ({
  replies: { a: [failed(1), 'ok'], p: ['bad', 'good'], 'p~2': 'good', 'p~3': 'good' },
  answers: { q: ['b'] },
});

/** Which effects ended, each once per completion. */
const finished = (entries: Entry[]) =>
  entries.flatMap((entry) =>
    entry.kind === 'attempt-finished' ? [`${entry.path}.${entry.part ?? ''}`] : [],
  );

describe('crash and resume', () => {
  const whole = rehearse(everything, options());

  it('plays a workflow with every kind of block to its end', () => {
    expect(whole.state.status).toBe('completed');
    expect(whole.state.outputs).toEqual({ n: 3, q: 'b' });
  });

  it('E4: cut after any entry, the run ends the same and no finished step runs twice', () => {
    for (let length = 1; length < whole.entries.length; length += 1) {
      const before = whole.entries.slice(0, length);
      const resumed = rehearse(everything, options(), before);
      expect(resumed.state.status, `cut after ${length}`).toBe('completed');
      expect(resumed.state.outputs).toEqual(whole.state.outputs);
      expect(finished(resumed.entries).sort(), `cut after ${length}`).toEqual(finished(whole.entries).sort());
    }
  });

  it('E4: an attempt that was under way is on record as in doubt', () => {
    const at = whole.entries.findIndex(
      (entry) => entry.kind === 'attempt-started' && entry.path === 'e[0]/w',
    );
    const resumed = rehearse(everything, options(), whole.entries.slice(0, at + 1));
    expect(story(resumed)).toContain('attempt-in-doubt e[0]/w');
  });

  it('E3: the same workflow and journal give the same commands in the same order', () => {
    expect(rehearse(everything, options()).commands).toEqual(whole.commands);
  });

  it('recover: pause puts it to a person, and accept goes on without running it again', () => {
    const flow = workflow([run('a', { recover: { kind: 'pause' } }), run('b')]);
    const cut = rehearse(flow).entries.slice(0, 2);
    expect(rehearse(flow, {}, cut).state.status).toBe('paused');
    const accepted = rehearse(flow, { answers: { a: ['accept'] } }, cut);
    expect(accepted.performed).toEqual(['b']);
    const again = rehearse(flow, { answers: { a: ['again'] } }, cut);
    expect(again.performed).toEqual(['a', 'b']);
    expect(rehearse(flow, { answers: { a: ['fail'] } }, cut).state.status).toBe('failed');
  });

  it('recover: probe asks whether it had happened', () => {
    const probed = {
      recover: { kind: 'probe' as const, command: { kind: 'argv' as const, argv: ['look'] } },
    };
    const flow = workflow([run('a', probed), run('b')]);
    const cut = rehearse(flow).entries.slice(0, 2);
    expect(rehearse(flow, {}, cut).performed).toEqual(['a.probe', 'b']);
    expect(rehearse(flow, { replies: { 'a.probe': failed(1) } }, cut).performed).toEqual([
      'a.probe',
      'a',
      'b',
    ]);
  });

  it('E4: a scripted prompt that was in doubt is handed out as the same dispatch again', () => {
    const flow = workflow([prompt('p')]);
    const cut = rehearse(flow).entries.slice(0, 2);
    const resumed = rehearse(flow, {}, cut);
    expect(resumed.commands).toMatchObject([{ kind: 'run-agent', dispatch: { path: 0, id: 0 } }]);
  });
});

describe('any workflow', () => {
  const leaf = fc.constantFrom<(id: string) => Step>(
    (id) => run(id),
    (id) => run(id, { onFail: 'continue' }),
    (id) => run(id, { if: 'false' }),
    (id) => run(id, { exit: [doRun('out')] }),
    (id) => prompt(id, { done: { checks: [{ kind: 'that', is: 'output != "bad"' }], tries: 2 } }),
  );
  const tree: fc.Memo<(id: string) => Step> = fc.memo((depth) =>
    depth <= 1
      ? leaf
      : fc.oneof(
          leaf,
          fc
            .tuple(
              fc.constantFrom('sequence', 'parallel', 'each', 'each2', 'loop'),
              fc.array(tree(depth - 1), { minLength: 1, maxLength: 3 }),
            )
            .map(([kind, makers]) => (id: string) => {
              const steps = makers.map((make, index) => make(`s${index}`));
              if (kind === 'sequence') return sequence(id, steps);
              if (kind === 'parallel') return parallel(id, steps);
              if (kind === 'loop') return loop(id, { until: 'pass.number == 2' }, 3, steps);
              return each(id, '["x", "y"]', steps, {
                concurrency: kind === 'each' ? 1 : 2,
                onFail: 'continue',
              });
            }),
        ),
  );
  const anyWorkflow = fc
    .array(tree(3), { minLength: 1, maxLength: 3 })
    .map((makers) => workflow(makers.map((make, index) => make(`t${index}`))));

  it('E4: ends the same wherever it is cut, in whichever order branches finish', () => {
    fc.assert(
      fc.property(
        anyWorkflow,
        fc.boolean(),
        fc.nat(),
        fc.integer({ min: 0, max: 6 }),
        (flow, lastFirst, at, bad) => {
          const replies = { [`t${bad}`]: failed(1), 't0/s0': failed(1), 't1[0]/s0': failed(2) };
          const whole = rehearse(flow, { replies, lastFirst });
          const cut = whole.entries.slice(0, 1 + (at % whole.entries.length));
          if (cut.at(-1)?.kind === 'run-completed') return;
          const resumed = rehearse(flow, { replies, lastFirst }, cut);
          const ended = cut.some((entry) => entry.kind === 'run-failed');
          if (!ended) expect(resumed.state.status).toBe(whole.state.status);
          expect(
            resumed.state.ready.size + resumed.state.running.size === 0 ||
              resumed.state.status !== 'completed',
          ).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
