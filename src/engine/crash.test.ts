// E1, E3, E4 over whole journals: whatever is cut off, the rest is decided the same way again.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  failed,
  type RehearsalOptions,
  type Rehearsed,
  type Reply,
  rehearse,
  story,
} from '../../test/support/rehearsal.ts';
import { tries } from '../../test/support/tries.ts';
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
import type { Entry, Overrides } from '../model/entry.ts';
import type { Json } from '../model/json.ts';
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

/** What each drive journals when the work on a step is handed in. */
const HANDED_IN = { guide: 'claim-received', guard: 'event-weighed' } as const;

describe.each(['guide', 'guard'] as const)('a run in the drive %s', (drive) => {
  const GUIDED = { drive };
  const handedIn = HANDED_IN[drive];
  const whole = rehearse(everything, { ...options(), driven: GUIDED });

  it('comes to the same end as a run that Lockstep drives, step by step', () => {
    const driven = rehearse(everything, options());
    const results = ({ state }: Rehearsed) =>
      [...state.root.scope.steps].map(([id, { status, output, tries }]) => [id, status, output, tries]);
    expect(results(whole)).toEqual(results(driven));
    expect(whole.state.outputs).toEqual(driven.state.outputs);
    const accepted = ({ entries }: Rehearsed) =>
      entries.flatMap((entry) =>
        entry.kind === 'work-accepted' || entry.kind === 'work-rejected'
          ? [`${entry.kind} ${entry.path}`]
          : [],
      );
    expect(accepted(whole)).toEqual(accepted(driven));
    expect(story(whole)).toContain('step-handed p');
    expect(whole.commands.some(({ kind }) => kind === 'run-agent')).toBe(false);
  });

  it('E4: cut after any entry, it ends the same and no finished step runs twice', () => {
    for (let length = 1; length < whole.entries.length; length += 1) {
      const resumed = rehearse(everything, options(), whole.entries.slice(0, length));
      expect(resumed.state.status, `cut after ${length}`).toBe('completed');
      expect(resumed.state.outputs).toEqual(whole.state.outputs);
      expect(finished(resumed.entries).sort(), `cut after ${length}`).toEqual(finished(whole.entries).sort());
      const claims = story(resumed).filter((line) => line.startsWith(handedIn));
      expect(claims, `cut after ${length}`).toEqual(story(whole).filter((line) => line.startsWith(handedIn)));
    }
  });

  it('no time is spent while a client works', () => {
    const flow = workflow([prompt('p'), prompt('q'), run('r')]);
    const { entries, state } = rehearse(flow, { driven: GUIDED });
    // One second lies before each entry. Before these nothing of ours was ready or running.
    const idle = new Set(['run-paused', 'session-event', handedIn, 'run-completed']);
    expect(entries.filter(({ kind }) => kind === handedIn)).toHaveLength(2);
    expect(state.elapsed).toBe(1000 * entries.slice(1).filter(({ kind }) => !idle.has(kind)).length);
  });

  it('a step that a client works on is not in doubt after a crash', () => {
    const flow = workflow([prompt('p'), prompt('q')]);
    const handed = rehearse(flow, { driven: GUIDED });
    const at = handed.entries.findIndex(({ kind }) => kind === 'step-handed');
    const resumed = rehearse(flow, {}, handed.entries.slice(0, at + 1));
    expect(story(resumed)).not.toContain('attempt-in-doubt p');
    expect(story(resumed).filter((line) => line === 'step-handed p')).toHaveLength(1);
  });

  it('handed over in the middle, from one drive to the other and back, it ends as one that never was', () => {
    const driven = rehearse(everything, options());
    for (let at = 2; at < whole.entries.length - 1; at += 3) {
      const before = whole.entries.slice(0, at);
      const last = before.at(-1) as Entry;
      const over = {
        n: at + 1,
        at: last.at,
        kind: 'drive-changed',
        to: { drive: 'run' },
        by: 'ada',
      } as Entry;
      const end = rehearse(everything, options(), [...before, over]);
      expect(end.state.status, `handed over after ${at}`).toBe('completed');
      expect(end.state.outputs).toEqual(driven.state.outputs);
    }
  });
});

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

  it.each(['accept', 'fail'])(
    'an exit action in doubt, answered %s, is over, and the step stays failed',
    (answer) => {
      const flow = workflow([
        sequence('s', [run('a')], { exit: [doRun('out')], recover: { kind: 'pause' } }),
        run('b'),
      ]);
      const whole = rehearse(flow, { replies: { 's/a': failed(1) } });
      const at = whole.entries.findIndex(
        (entry) => entry.kind === 'attempt-started' && entry.part === 'exit[0]',
      );
      const resumed = rehearse(flow, { answers: { s: [answer] } }, whole.entries.slice(0, at + 1));
      expect(resumed.state.status).toBe('failed');
      expect(resumed.performed).toEqual([]);
    },
  );

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

  it('E4: what is done again after a crash says so, that very part and once', () => {
    const flow = workflow([
      run('a', { exit: [doRun('x'), doRun('y')], retry: { max: 1, delay: 0, on: [1] } }),
    ]);
    const whole = rehearse(flow);
    for (const name of ['a', 'a.exit[0]', 'a.exit[1]']) {
      const [path, part] = name.split('.');
      const at = whole.entries.findIndex(
        (entry) => entry.kind === 'attempt-started' && entry.path === path && entry.part === part,
      );
      const resumed = rehearse(flow, { replies: { a: [failed(1), 'ok'] } }, whole.entries.slice(0, at + 1));
      const marked = resumed.commands.map((command) => 'again' in command && command.again === true);
      expect([name, marked[0], marked.slice(1).some(Boolean)]).toEqual([name, true, false]);
    }
  });

  it('E4: a scripted prompt that was in doubt is handed out as the same dispatch again', () => {
    const flow = workflow([prompt('p')]);
    const cut = rehearse(flow).entries.slice(0, 2);
    const resumed = rehearse(flow, {}, cut);
    expect(resumed.commands).toMatchObject([{ kind: 'run-agent', dispatch: { path: 0, id: 0 } }]);
  });
});

describe('any workflow', () => {
  type Make = (id: string, siblings: string[]) => Step;
  const goto = fc.tuple(
    fc.nat({ max: 5 }),
    fc.constantFrom('true', 'status == "failed"', 'status == "done"'),
  );
  const leaf: fc.Arbitrary<Make> = fc.oneof(
    fc.constantFrom<Make>(
      (id) => run(id),
      (id) => run(id, { onFail: 'continue' }),
      (id) => run(id, { onFail: 'pause' }),
      (id) => run(id, { if: 'false' }),
      (id) => run(id, { if: 'size(files("x")) == 0' }),
      (id) => run(id, { enter: [doRun('in')], exit: [doRun('out')] }),
      (id) => run(id, { retry: { max: 1, delay: 1, on: [] } }),
      (id) => run(id, { output: 'name' }),
      (id) => run(id, { done: { checks: [{ kind: 'require', pointer: '', exists: true, equals: 'good' }] } }),
      (id) => run(id, { if: 'inputs.gone == inputs.other' }),
      (id) => run(id, { onFail: 'stop', onFailInherited: true }),
      (id) => ask(id, 'Well?'),
      (id) => prompt(id, { done: { checks: [{ kind: 'that', is: 'output != "bad"' }], tries: 2 } }),
    ),
    goto.map(
      ([target, when]): Make =>
        (id, siblings) =>
          run(id, { next: [{ when, goto: [...siblings, 'end'][target % (siblings.length + 1)] as string }] }),
    ),
  );
  const kinds = ['sequence', 'parallel', 'parallel1', 'each', 'each2', 'loop', 'while'] as const;
  const tree: fc.Memo<Make> = fc.memo((depth) =>
    depth <= 1
      ? leaf
      : fc.oneof(
          leaf,
          fc
            .tuple(
              fc.constantFrom(...kinds),
              fc.array(tree(depth - 1), { minLength: 1, maxLength: 3 }),
              fc.constantFrom(undefined, 'continue', 'pause'),
              fc.boolean(),
            )
            .map(
              ([kind, makers, onFail, around]): Make =>
                (id, siblings) => {
                  const ids = makers.map((_, index) => `s${index}`);
                  // A branch of a parallel cannot be jumped to: what is around it can.
                  const targets = kind.startsWith('parallel') ? siblings : [...ids, ...siblings];
                  const steps = makers.map((make, index) => make(ids[index] as string, targets));
                  const fields = {
                    onFail: onFail as 'continue' | 'pause' | undefined,
                    ...(around && { enter: [doRun('in')], exit: [doRun('out')] }),
                  };
                  switch (kind) {
                    case 'sequence':
                      return sequence(id, steps, fields);
                    case 'parallel':
                      return parallel(id, steps, fields);
                    case 'parallel1':
                      return parallel(id, steps, fields, 1);
                    case 'loop':
                      return loop(id, { until: 'pass.number == 2' }, 3, steps, fields);
                    case 'while':
                      return loop(id, { while: 'true' }, 2, steps, fields);
                    default:
                      return each(id, '["x", "y", "z"]', steps, {
                        concurrency: kind === 'each' ? 1 : 2,
                        ...fields,
                      });
                  }
                },
            ),
        ),
  );
  const anyWorkflow = fc.array(tree(3), { minLength: 1, maxLength: 3 }).map((makers) => {
    const ids = makers.map((_, index) => `t${index}`);
    return workflow(
      makers.map((make, index) => make(ids[index] as string, ids)),
      { limits: { visits: 3, stopBlocks: 5 } },
    );
  });

  const OVERRIDES: Overrides[] = [
    {},
    { on_error: 'continue' },
    { on_error: 'pause' },
    { on_error: 'stop', max_retries: 1, retry_delay_ms: 0 },
  ];

  /** Whether an effect fails depends on its name alone, so that a resumed run meets the same world. */
  const worldOf = (seed: number): RehearsalOptions => ({
    replies: new Proxy({} as Record<string, Reply>, {
      get: (_, name) => {
        const sum = [...String(name)].reduce(
          (total, letter) => (total * 31 + letter.charCodeAt(0)) % 1009,
          seed,
        );
        return sum % 5 === 0 ? failed(1) : sum % 7 === 0 ? 'bad' : 'good';
      },
    }),
    answers: new Proxy({} as Record<string, Json[]>, { get: () => ['accept'] }),
    overrides: OVERRIDES[seed % OVERRIDES.length],
  });

  const frontier = ({ state }: Rehearsed) =>
    state.ready.size + state.running.size + state.questions.size + state.timers.size;

  it('ends, and leaves nothing open when it has completed', () => {
    fc.assert(
      fc.property(anyWorkflow, fc.boolean(), fc.nat(), (flow, lastFirst, seed) => {
        const played = rehearse(flow, { ...worldOf(seed), lastFirst });
        expect(['completed', 'failed']).toContain(played.state.status);
        if (played.state.status === 'completed') expect(frontier(played)).toBe(0);
      }),
      { numRuns: tries(1_500, 300) },
    );
  });

  it('E4: ends the same wherever it is cut, in whichever order branches finish', () => {
    fc.assert(
      fc.property(anyWorkflow, fc.boolean(), fc.nat(), fc.nat(), (flow, lastFirst, at, seed) => {
        const whole = rehearse(flow, { ...worldOf(seed), lastFirst });
        const cut = whole.entries.slice(0, 1 + (at % whole.entries.length));
        // A run that has ended is not resumed, or is by somebody who wants another end.
        if (cut.some((entry) => entry.kind === 'run-completed' || entry.kind === 'run-failed')) return;
        const resumed = rehearse(flow, { ...worldOf(seed), lastFirst }, cut);
        expect(['completed', 'failed']).toContain(resumed.state.status);
        const sequential =
          !JSON.stringify(flow).includes('"parallel"') && !JSON.stringify(flow).includes('"concurrency":2');
        // Where branches race, which of two failures comes first may differ; in sequence nothing may.
        if (sequential) {
          expect(resumed.state.status).toBe(whole.state.status);
          expect(finished(resumed.entries)).toEqual(finished(whole.entries));
        }
      }),
      { numRuns: tries(1_500, 300) },
    );
  });

  it('a failed run that is resumed goes on without a contradiction', () => {
    fc.assert(
      fc.property(anyWorkflow, fc.boolean(), fc.nat(), (flow, lastFirst, seed) => {
        const first = rehearse(flow, { ...worldOf(seed), lastFirst });
        if (first.state.status !== 'failed' || first.state.error?.class === 'limit') return;
        const mended = rehearse(flow, { ...worldOf(seed), replies: {}, lastFirst }, first.entries);
        expect(['completed', 'failed']).toContain(mended.state.status);
        if (mended.state.status === 'completed') expect(frontier(mended)).toBe(0);
      }),
      { numRuns: tries(1_500, 300) },
    );
  });
});
