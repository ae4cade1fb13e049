import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../../test/support/drive.ts';
import { eventually } from '../../../test/support/stage.ts';
import { ask, noop, parallel, prompt, sequence, step, workflow } from '../../../test/support/workflow.ts';
import type { Entry } from '../../model/entry.ts';
import type { Action } from '../../model/workflow.ts';
import type { Interlocutor } from '../../runtime/conversation.ts';

let d: Drive;
beforeEach(() => {
  d = drive();
});
afterEach(() => d.remove());
const silent: Interlocutor = {
  name: 'tester',
  ask: (_q, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
};
const within = <T>(ms: number, p: Promise<T>) =>
  Promise.race([p, new Promise<'hangs'>((r) => setTimeout(() => r('hangs'), ms))]);
const sh = (id: string, line: string, fields = {}) =>
  step(id, { kind: 'run', command: { kind: 'shell', line } }, fields);

/** Until the only run has such an entry. */
const journaled = (kind: Entry['kind'], count = 1) =>
  eventually(() => {
    const [id] = d.store.list();
    return id !== undefined && d.entries(id).filter((entry) => entry.kind === kind).length >= count;
  });

describe('runtime', () => {
  it('approve with a timeout expires at the terminal', async () => {
    const w = workflow([
      sh('a', 'true', {
        done: { checks: [{ kind: 'approve', ask: 'ok?', timeout: 50, accept: [], reject: [] }] },
      }),
    ]);
    // It is then held (not accepted), which the silent person leaves open: only the expiry is looked at.
    let interrupt = (_: string) => {};
    const started = d.start(w, {
      observer: { interlocutor: silent },
      onOpen: (r) => {
        interrupt = r.interrupt;
      },
    });
    await journaled('question-expired');
    interrupt('SIGINT');
    await within(2000, started);
    const [id] = d.store.list();
    expect(d.entries(id as string).map((e) => e.kind)).toContain('question-expired');
  });
  it('approve with a timeout that passed while nobody was there expires on resume', async () => {
    const w = workflow([
      sh('a', 'true', {
        done: { checks: [{ kind: 'approve', ask: 'ok?', timeout: 50, accept: [], reject: [] }] },
      }),
    ]);
    const end = await d.start(w);
    expect(end.exitCode).toBe(3);
    const deadline = Date.now() + 60;
    await eventually(() => Date.now() > deadline);
    await d.resume(end.id);
    expect(d.entries(end.id).map((e) => e.kind)).toContain('question-expired');
  });
  it('cancel reaches a run that is paused at a terminal', async () => {
    const started = d.start(workflow([ask('q', 'Well?')]), {
      observer: { interlocutor: silent, changed() {} },
    });
    await journaled('run-paused');
    const [id] = d.store.list();
    d.store.post(id as string, { kind: 'cancel', by: 'me' });
    const end = await within(3000, started);
    expect(end).not.toBe('hangs');
    expect((end as { state: { status: string } }).state.status).toBe('cancelled');
  });
  it('a cancel taken while paused at a terminal is not lost when the question is then answered', async () => {
    let answer: (a: { answer: string }) => void = () => {};
    const person: Interlocutor = {
      name: 't',
      ask: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    };
    const started = d.start(workflow([ask('q', 'Well?'), noop('z')]), { observer: { interlocutor: person } });
    await journaled('run-paused');
    const [id] = d.store.list();
    d.store.post(id as string, { kind: 'cancel', by: 'me' });
    await journaled('end-requested');
    answer({ answer: 'yes' });
    const end = await within(3000, started);
    expect((end as { state: { status: string } }).state.status).toBe('cancelled');
  });
  it('SIGINT ends a run that waits for a person and for a command', async () => {
    let interrupt = (_: string) => {};
    const started = d.start(workflow([parallel('p', [ask('q', 'Well?'), sh('s', 'sleep 20')])]), {
      observer: { interlocutor: silent },
      onOpen: (r) => {
        interrupt = r.interrupt;
      },
    });
    await journaled('attempt-started');
    await journaled('question-asked');
    interrupt('SIGINT');
    const end = await within(5000, started);
    expect(end).not.toBe('hangs');
    expect((end as { exitCode: number }).exitCode).toBe(130);
  });
  it('what a prompt action used is counted once', async () => {
    const action: Action = {
      work: {
        kind: 'prompt',
        prompt: { kind: 'template', text: 'x' },
        performer: { params: {}, tools: { deny: [] } },
        with: {},
      },
    };
    const w = workflow([noop('a', { exit: [action] }), prompt('b')], {
      limits: { visits: 50, stopBlocks: 5, tokens: 250 },
    });
    const end = await d.start(w, {
      script: { answers: { '*': [{ text: 'ok', usage: { input: 60, output: 40 } }] } },
    });
    expect(end.state.totals.input_tokens + end.state.totals.output_tokens).toBe(200);
    expect(end.state.status).toBe('completed');
  });
  it('an approve with a timeout that already passed does not wait for another step', async () => {
    const w = workflow([
      parallel('p', [
        sh('a', 'true', {
          done: { checks: [{ kind: 'approve', ask: 'ok?', timeout: 50, accept: [], reject: [] }] },
        }),
        sh('s', 'sleep 1'),
      ]),
    ]);
    const end = await within(5000, d.start(w));
    expect(d.entries(d.store.list()[0] as string).map((e) => e.kind)).toContain('question-expired');
    expect(end).not.toBe('hangs');
  });
  it('ask with a timeout, while something else runs, is asked once', async () => {
    const w = workflow([parallel('p', [ask('q', 'Well?', undefined, { timeout: 50 }), sh('s', 'sleep 1')])]);
    await d.start(w);
    const kinds = d.entries(d.store.list()[0] as string).map((e) => e.kind);
    expect(kinds.filter((k) => k === 'question-asked').length).toBe(1);
  });
  it('S3: the reason given to cancel a run nobody drives is masked', async () => {
    const { tellRun } = await import('../../hosting/hosting.ts');
    d.remove();
    d = drive({ environment: { TOKEN: 'sesame-open' } });
    const end = await d.start(workflow([ask('q', 'Well?', undefined, { secrets: ['TOKEN'] })]));
    await tellRun(d.hosting, end.id, { kind: 'cancel', by: 'me', why: 'because of sesame-open' });
    expect(JSON.stringify(d.entries(end.id))).not.toContain('sesame-open');
  });
  it('the id of an inbox message survives masking', async () => {
    d.remove();
    const probe = drive();
    probe.remove();
    d = drive({ environment: { TOKEN: '0001' } });
    const end = await d.start(workflow([ask('q', 'Well?', undefined, { secrets: ['TOKEN'] })]));
    d.store.post(end.id, { kind: 'answer', path: 'q', answer: 'x', by: 'me' });
    const again = await d.resume(end.id);
    const answered = d.entries(end.id).find((e) => e.kind === 'question-answered') as { message: string };
    expect(again.state.status).toBe('completed');
    expect(answered.message).not.toContain('***');
  });
  it('a wait that was interrupted goes on where it was', async () => {
    let interrupt = (_: string) => {};
    const w = workflow([step('w', { kind: 'wait', for: 'time', duration: 1500 })]);
    const started = d.start(w, {
      onOpen: (r) => {
        interrupt = r.interrupt;
      },
    });
    await journaled('attempt-started');
    interrupt('SIGINT');
    const end = await started;
    expect(end.exitCode).toBe(130);
    await d.resume(end.id);
    // From when it began, not from the resume: the time on record is the one asked for, once.
    const [first, ...later] = d.entries(end.id).filter((entry) => 'path' in entry && entry.path === 'w');
    expect(first?.kind).toBe('attempt-started');
    expect(later.map((entry) => entry.kind)).toEqual([
      'attempt-finished',
      'attempt-in-doubt',
      'attempt-finished',
    ]);
    const took = (later.at(-1)?.at ?? 0) - (first?.at ?? 0);
    expect(took).toBeGreaterThanOrEqual(1490);
    expect(took).toBeLessThan(2900);
  });
  it('a retry delay that was interrupted is kept', async () => {
    let interrupt = (_: string) => {};
    const w = workflow([sh('a', 'exit 1', { retry: { max: 1, delay: 1000, on: [] } })]);
    const started = d.start(w, {
      onOpen: (r) => {
        interrupt = r.interrupt;
      },
    });
    await journaled('retry-scheduled');
    interrupt('SIGINT');
    const end = await started;
    await d.resume(end.id);
    const at = (kind: Entry['kind']) => d.entries(end.id).find((entry) => entry.kind === kind)?.at ?? 0;
    expect(at('retry-due') - at('retry-scheduled')).toBeGreaterThanOrEqual(990);
  });
  it('signals: two waits for one name take two signals, one each', async () => {
    const w = workflow([
      parallel('p', [
        step('a', { kind: 'wait', for: 'signal', signal: 'go' }),
        step('b', { kind: 'wait', for: 'signal', signal: 'go' }),
      ]),
    ]);
    const started = d.start(w);
    await journaled('attempt-started', 2);
    const [id] = d.store.list();
    d.store.post(id as string, { kind: 'signal', name: 'go', data: 1, by: 'me' });
    d.store.post(id as string, { kind: 'signal', name: 'go', data: 2, by: 'me' });
    const end = await within(3000, started);
    expect(end).not.toBe('hangs');
  });
  it('resume raises stop_blocks under the name of the language', async () => {
    const end = await d.start(workflow([ask('q', 'Well?')]));
    const again = await d.resume(end.id, { limits: { stop_blocks: 9 } });
    expect(again.state.limits.stopBlocks).toBe(9);
  });
  it('a run over its duration starts nothing on resume unless it is raised', async () => {
    const w = workflow([sh('s', 'sleep 5'), noop('z')], {
      limits: { visits: 50, stopBlocks: 5, duration: 100 },
    });
    const end = await d.start(w);
    expect(end.state.status).toBe('failed');
    const n = d.entries(end.id).length;
    await d.resume(end.id);
    expect(
      d
        .entries(end.id)
        .slice(n)
        .map((e) => e.kind),
    ).not.toContain('attempt-started');
  });
  it('a block time-out counts what was spent before a resume', async () => {
    const w = workflow([sequence('s', [ask('q', 'Well?'), sh('x', 'sleep 3')], { timeout: 500 })]);
    const end = await d.start(w);
    d.store.post(end.id, { kind: 'answer', path: 's/q', answer: 'x', by: 'me' });
    const again = await within(2500, d.resume(end.id));
    expect((again as { state: { status: string } }).state.status).toBe('failed');
  });
});
describe('conversation', () => {
  it('a question answered elsewhere that becomes another at the same path is put anew', async () => {
    const kinds: string[] = [];
    const person: Interlocutor = {
      name: 't',
      ask: (q, signal) =>
        new Promise((resolve) => {
          kinds.push(q.kind);
          signal.addEventListener('abort', () => resolve(undefined));
        }),
    };
    let interrupt = (_: string) => {};
    const w = workflow([
      sh('a', 'true', { done: { checks: [{ kind: 'approve', ask: 'ok?', accept: [], reject: [] }] } }),
    ]);
    const started = d.start(w, {
      observer: { interlocutor: person },
      onOpen: (r) => {
        interrupt = r.interrupt;
      },
    });
    await eventually(() => kinds.length === 1);
    d.store.post(d.store.list()[0] as string, { kind: 'answer', path: 'a', answer: 'reject', by: 'me' });
    await eventually(() => kinds.length === 2);
    interrupt('SIGINT');
    await within(2000, started);
    expect(kinds).toEqual(['approve', 'held']);
  });
  it('__proto__ and constructor as ids and keys', async () => {
    const w = workflow(
      [
        sh('__proto__', `echo '{"__proto__": {"x": 1}, "constructor": 2, "n": 3}'`, {
          capture: { as: 'json', limit: 1e6, onParseError: 'fail' },
          output: 'got',
        }),
        sh('constructor', 'echo hi', {}),
        parallel('p', [sh('__proto__', 'echo in'), sh('b', 'echo b')]),
      ],
      {
        vars: { n: 0 },
        outputs: {
          a: '{{ got.n }}',
          b: '{{ steps["constructor"].output }}',
          c: '{{ steps.p.output["__proto__"] }}',
          d: '{{ got["__proto__"] }}',
        },
      },
    );
    const end = await d.start(w);
    expect(end.state.error).toBeUndefined();
    expect(end.state.outputs).toMatchObject({
      a: 3,
      b: expect.stringContaining('hi'),
      c: expect.stringContaining('in'),
    });
  });
});

describe('J2', () => {
  it('J2: a question is durable before it is put to anybody', async () => {
    let durable: boolean | undefined;
    const person: Interlocutor = {
      name: 't',
      ask: async () => {
        durable ??= d.entries(d.store.list()[0] as string).some((e) => e.kind === 'question-asked');
        return { answer: 'x' };
      },
    };
    const w = workflow([parallel('p', [ask('q', 'Well?'), noop('n', { if: 'size(files("*.md")) == 0' })])]);
    await d.start(w, { observer: { interlocutor: person } });
    expect(durable).toBe(true);
  });
  it('rule 11: again on a held loop whose `if` has become false still runs it', async () => {
    const w = workflow(
      [
        sh('a', 'exit 1', {
          if: 'vars.go',
          exit: [{ work: { kind: 'set', values: { go: '{{ false }}' } } }],
          onFail: 'pause',
        }),
      ],
      { vars: { go: true } },
    );
    const end = await d.start(w);
    d.store.post(end.id, { kind: 'answer', path: 'a', answer: 'again', by: 'me' });
    await d.resume(end.id);
    expect(d.entries(end.id).filter((e) => e.kind === 'attempt-started').length).toBe(2);
  });
});
