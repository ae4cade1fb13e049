import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Drive, drive } from '../../../test/support/drive.ts';
import { agentOf, eventually, lives } from '../../../test/support/stage.ts';
import {
  ask,
  each,
  loop,
  noop,
  parallel,
  prompt,
  type run,
  sequence,
  step,
  workflow,
} from '../../../test/support/workflow.ts';
import type { HeldRun } from '../../hosting/hosting.ts';
import type { Entry } from '../../model/entry.ts';
import type { Step } from '../../model/workflow.ts';

let stage: Drive;
beforeEach(() => {
  stage = drive();
});
afterEach(() => stage.remove());

const sh = (id: string, line: string, fields?: Parameters<typeof run>[1]): Step =>
  step(id, { kind: 'run', command: { kind: 'shell', line } }, fields);
const kinds = (entries: Entry[]) => entries.map((entry) => entry.kind);

describe('the run drive', () => {
  it('runs every step in order, with the output of one in the next', async () => {
    const flow = workflow(
      [sh('a', 'echo one'), sh('b', 'echo {{ steps.a.output }} two > out.txt'), sh('c', 'cat out.txt')],
      {
        outputs: { said: '{{ steps.c.output }}' },
      },
    );
    const end = await stage.start(flow);
    expect(end).toMatchObject({ exitCode: 0, state: { status: 'completed', outputs: { said: 'one two' } } });
  });

  it('J2: an attempt is durable before its effect starts, and its end before the next one shows', async () => {
    let atEffect: Entry[] = [];
    const store = stage.store;
    const seen: string[] = [];
    const flow = workflow([sh('a', 'touch a'), sh('b', 'touch b')]);
    const end = await stage.start(flow, {
      observer: {
        changed: ({ entry }) => {
          // What is shown is durable: the store already has it.
          const id = store.list().at(-1) as string;
          const durable = store.read(id).journal().entries;
          expect(durable.at(-1)?.n).toBeGreaterThanOrEqual(entry.n);
          if (entry.kind === 'attempt-started') {
            seen.push(entry.path);
            atEffect = durable;
          }
        },
      },
    });
    expect(end.exitCode).toBe(0);
    expect(seen).toEqual(['a', 'b']);
    // finished(a) and started(b) share one flush.
    expect(kinds(atEffect).slice(-2)).toEqual(['attempt-finished', 'attempt-started']);
  });

  it('R1: branches advance as their effects complete, whatever the order', async () => {
    const branch = (name: string, delay: string) =>
      sequence(name, [
        sh('one', `sleep ${delay}; echo ${name}1 >> order`),
        sh('two', `echo ${name}2 >> order`),
      ]);
    const end = await stage.start(workflow([parallel('p', [branch('slow', '0.4'), branch('quick', '0')])]));
    expect(end.exitCode).toBe(0);
    expect(readFileSync(join(stage.root, 'order'), 'utf8').trim().split('\n')).toEqual([
      'quick1',
      'quick2',
      'slow1',
      'slow2',
    ]);
  });

  it('S2: a run is resumed from what was pinned, whatever the definition says by then', async () => {
    const flow = workflow([sh('a', 'test -f go'), sh('b', 'echo pinned > b')]);
    const first = await stage.start(flow);
    expect(first.exitCode).toBe(1);
    flow.steps[1] = sh('b', 'echo edited > b');
    writeFileSync(join(stage.root, 'go'), '');
    expect((await stage.resume(first.id)).exitCode).toBe(0);
    expect(readFileSync(join(stage.root, 'b'), 'utf8')).toBe('pinned\n');
  });

  it('S3: a secret is nowhere in journal, documents or logs, and reaches only the steps that declare it', async () => {
    stage.remove();
    stage = drive({ environment: { TOKEN: 'hunter2-and-more' } });
    const flow = workflow([
      sh('shown', 'echo "token=$TOKEN"; echo "$TOKEN" | base64; echo "$TOKEN" >&2', {
        secrets: ['TOKEN'],
        saveTo: 'own.txt',
      }),
      sh('hidden', 'echo "none=$TOKEN"'),
      sh('later', 'echo got {{ steps.shown.output }}'),
    ]);
    const end = await stage.start(flow);
    const journal = JSON.stringify(stage.entries(end.id));
    expect(journal).not.toContain('hunter2');
    expect(journal).not.toContain(Buffer.from('hunter2-and-more').toString('base64').slice(0, 12));
    const stored = stage.store.read(end.id);
    for (const name of stored.logs())
      expect(Buffer.from(stored.readLog(name, 0) ?? []).toString()).not.toContain('hunter2');
    expect(stored.document('state.json')).not.toContain('hunter2');
    expect(readFileSync(join(stage.root, 'own.txt'), 'utf8')).toContain('hunter2');
    expect(
      stage.entries(end.id).find((entry) => entry.kind === 'attempt-finished' && entry.path === 'hidden'),
    ).toMatchObject({
      outcome: { output: 'none=' },
    });
  });

  it('S3: a secret that is also the id of a step masks what is said, not what the step is called', async () => {
    stage.remove();
    stage = drive({ environment: { TOKEN: 'plan' } });
    const end = await stage.start(
      workflow([
        sh('plan', 'echo the plan', { secrets: ['TOKEN'] }),
        sh('b', 'echo {{ steps.plan.status }}'),
      ]),
    );
    expect(end.exitCode).toBe(0);
    expect(
      stage.entries(end.id).find((entry) => entry.kind === 'attempt-finished' && entry.path === 'plan'),
    ).toMatchObject({ outcome: { output: 'the ***' } });
  });

  it('names all missing secrets at once before the step starts', async () => {
    const end = await stage.start(
      workflow([sh('a', 'touch started', { secrets: ['ONE_MISSING', 'TWO_MISSING'] })]),
    );
    expect(end.state.error?.message).toMatch(/ONE_MISSING.*TWO_MISSING/s);
    expect(existsSync(join(stage.root, 'started'))).toBe(false);
  });

  it('an interrupt ends what runs, records it, and resume runs it again', async () => {
    const flow = workflow([sh('a', 'echo $$ > pid; test -f go || sleep 60'), sh('b', 'true')]);
    let opened: HeldRun | undefined;
    const running = stage.start(flow, { onOpen: (run) => (opened = run) });
    await eventually(
      () => existsSync(join(stage.root, 'pid')) && readFileSync(join(stage.root, 'pid'), 'utf8') !== '',
    );
    opened?.interrupt('SIGINT');
    const first = await running;
    expect(first).toMatchObject({ exitCode: 130, state: { status: 'paused' } });
    expect(lives(Number(readFileSync(join(stage.root, 'pid'), 'utf8')))).toBe(false);
    expect(kinds(stage.entries(first.id))).toContain('run-interrupted');
    writeFileSync(join(stage.root, 'go'), '');
    const second = await stage.resume(first.id);
    expect(second.exitCode).toBe(0);
    expect(kinds(stage.entries(first.id))).not.toContain('attempt-in-doubt');
  });

  it('S4: files() outside the workspace fails the step, once', async () => {
    const end = await stage.start(workflow([noop('a', { if: 'size(files("../x")) == 0' })]));
    expect(end).toMatchObject({ exitCode: 1, state: { error: { class: 'expression' } } });
    expect(end.state.error?.message).toContain('../x');
  });

  it('limits.duration ends the run with the reason, and a raised limit lets it go on', async () => {
    const flow = workflow([sh('a', 'test -f go || sleep 60'), noop('b')], {
      limits: { visits: 50, stopBlocks: 5, duration: 150 },
    });
    const first = await stage.start(flow);
    expect(first).toMatchObject({ exitCode: 1, state: { error: { class: 'limit' } } });
    expect(first.state.error?.message).toContain('limits.duration');
    writeFileSync(join(stage.root, 'go'), '');
    expect((await stage.resume(first.id, { limits: { duration: 60_000 } })).exitCode).toBe(0);
  });

  it('the time-out of a block ends what runs in it', async () => {
    const flow = workflow([
      sequence('o', [sh('x', 'sleep 60'), noop('y')], { timeout: 150, onFail: 'continue' }),
      noop('z'),
    ]);
    const end = await stage.start(flow);
    expect(end.exitCode).toBe(0);
    expect(
      stage.entries(end.id).find((entry) => entry.kind === 'step-failed' && entry.path === 'o'),
    ).toMatchObject({ exit_code: 124 });
  });

  it('a spent limit aborts the agent that is running', async () => {
    const flow = workflow([prompt('p')], { limits: { visits: 50, stopBlocks: 5, cost: 1 } });
    const script = { answers: { p: [{ usage: { input: 1, output: 1, cost: 5 }, text: 'x' }] } };
    const end = await stage.start(workflow([prompt('p'), prompt('q')], { limits: flow.limits }), {
      script: { answers: { ...script.answers, q: [{ text: 'y' }] } },
    });
    expect(end).toMatchObject({ exitCode: 1, state: { error: { class: 'limit' } } });
    expect(
      stage.entries(end.id).some((entry) => entry.kind === 'attempt-started' && entry.path === 'q'),
    ).toBe(false);
  });

  it('a signal sent before its wait is kept, and serves one wait', async () => {
    const wait = (id: string): Step =>
      step(id, { kind: 'wait', for: 'signal', signal: 'go', timeout: 10_000 });
    const flow = workflow([sh('a', 'until test -f sent; do sleep 0.05; done'), wait('w1'), wait('w2')], {
      outputs: { one: '{{ steps.w1.output }}', two: '{{ steps.w2.output }}' },
    });
    let id = '';
    const running = stage.start(flow, { onOpen: (run) => (id = run.id) });
    await eventually(() => id !== '' && kinds(stage.entries(id)).includes('attempt-started'));
    stage.store.post(id, { kind: 'signal', name: 'go', data: 'first', by: 'tester' });
    writeFileSync(join(stage.root, 'sent'), '');
    await eventually(() =>
      stage.entries(id).some((entry) => entry.kind === 'attempt-started' && entry.path === 'w2'),
    );
    stage.store.post(id, { kind: 'signal', name: 'go', data: 'second', by: 'tester' });
    expect((await running).state.outputs).toEqual({ one: 'first', two: 'second' });
  });

  it('pauses for a person with exit code 3; an answer in the inbox lets the resumed run go on', async () => {
    const flow = workflow([ask('q', 'Which?', ['a', 'b'], { output: 'pick' })], {
      outputs: { pick: '{{ pick }}' },
    });
    const first = await stage.start(flow);
    expect(first).toMatchObject({ exitCode: 3, state: { status: 'paused' } });
    expect(stage.store.read(first.id).document('blocker.json')).toContain('Which?');
    stage.store.post(first.id, { kind: 'answer', path: 'q', answer: 'b', by: 'ada' });
    const second = await stage.resume(first.id);
    expect(second).toMatchObject({ exitCode: 0, state: { outputs: { pick: 'b' } } });
    expect(stage.store.read(first.id).document('blocker.json')).toBeUndefined();
  });

  it('rule 11: asks in place where somebody can be asked, again when the answer does not fit, and goes on', async () => {
    const flow = workflow([ask('q', 'Which?', ['a', 'b'], { output: 'pick' })], {
      outputs: { pick: '{{ pick }}' },
    });
    const asked: (string | undefined)[] = [];
    const end = await stage.start(flow, {
      observer: {
        interlocutor: {
          name: 'ada',
          ask: async (question) => {
            asked.push(question.problem);
            return { answer: asked.length === 1 ? 'c' : 'a' };
          },
        },
      },
    });
    expect(end.state.outputs).toEqual({ pick: 'a' });
    expect(asked).toEqual([undefined, 'the answer must be one of a, b']);
  });

  it('a cancel in the inbox ends the run for good', async () => {
    let id = '';
    const running = stage.start(workflow([sh('a', 'sleep 60')]), { onOpen: (run) => (id = run.id) });
    await eventually(() => id !== '' && kinds(stage.entries(id)).includes('attempt-started'));
    stage.store.post(id, { kind: 'cancel', by: 'ada', why: 'enough' });
    expect(await running).toMatchObject({ exitCode: 1, state: { status: 'cancelled' } });
    await expect(stage.resume(id)).rejects.toMatchObject({ code: 'run-ended' });
  });

  it('refuses what needs a live session, before anything is made', async () => {
    const flow = workflow([noop('a')], {
      refused: [{ what: '`say`', where: 'x.yaml:3:1', needs: 'session' }],
    });
    await expect(stage.start(flow)).rejects.toMatchObject({ code: 'needs-session', exitCode: 2 });
    expect(stage.store.list()).toEqual([]);
  });

  it('rule 12: without an agent for its prompts a run is refused before anything is made, and --script is named', async () => {
    await expect(stage.start(workflow([prompt('p')]))).rejects.toMatchObject({
      code: 'agent-unavailable',
      exitCode: 2,
      hint: expect.stringContaining('--script'),
    });
    expect(stage.store.list()).toEqual([]);
  });

  it('runs an each of many passes and a loop, and the views keep up', async () => {
    const many = Array.from({ length: 200 }, (_, index) => index);
    const flow = workflow([
      each('e', 'inputs.many', [noop('w')]),
      loop('l', { until: 'pass.number == 3' }, 5, [noop('b')]),
    ]);
    const end = await stage.start(flow, { inputs: { many } });
    expect(end.exitCode).toBe(0);
    const state = JSON.parse(stage.store.read(end.id).document('state.json') ?? '{}') as {
      status: string;
      steps: { e: unknown[] };
    };
    expect(state.status).toBe('completed');
    expect(state.steps.e).toHaveLength(200);
  });

  it('S3: what a person answers is masked on its way into the journal', async () => {
    stage.remove();
    stage = drive({ environment: { TOKEN: 'hunter2-and-more' } });
    const flow = workflow([ask('q', 'Well?'), noop('a', { secrets: ['TOKEN'] })]);
    const first = await stage.start(flow);
    stage.store.post(first.id, { kind: 'answer', path: 'q', answer: 'it is hunter2-and-more', by: 'ada' });
    await stage.resume(first.id);
    const journal = JSON.stringify(stage.entries(first.id));
    expect(journal).toContain('it is ***');
    expect(journal).not.toContain('hunter2');
  });

  it('what was cancelled for good says so, and is not to be done again', async () => {
    let id = '';
    const running = stage.start(workflow([sh('a', 'sleep 60')]), { onOpen: (run) => (id = run.id) });
    await eventually(() => id !== '' && kinds(stage.entries(id)).includes('attempt-started'));
    stage.store.post(id, { kind: 'cancel', by: 'ada' });
    await running;
    expect(stage.entries(id).find((entry) => entry.kind === 'attempt-finished')).toMatchObject({
      outcome: { error: { class: 'cancelled' } },
    });
  });

  it('limits.cost aborts an agent that is over it while it still answers', async () => {
    const usage = { input_tokens: 1, output_tokens: 1, cost: 5, turns: 1 };
    const spender = agentOf(async (request) => {
      request.onEvent({ kind: 'usage', usage });
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      return { text: '', error: { class: 'cancelled', message: 'told to end' } };
    });
    stage.hosting.agentsFor = () => ({ find: () => spender });
    const end = await stage.start(
      workflow([prompt('p')], { limits: { visits: 50, stopBlocks: 5, cost: 1 } }),
    );
    expect(end).toMatchObject({ exitCode: 1, state: { error: { class: 'limit' } } });
    expect(end.state.error?.message).toContain('$5.00');
  });
});
