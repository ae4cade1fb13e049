import { describe, expect, it } from 'vitest';
import { failed, rehearse, story } from '../../test/support/rehearsal.ts';
import { ask, doRun, prompt, run, workflow } from '../../test/support/workflow.ts';
import type { RunAgent } from '../model/command.ts';
import type { OpenQuestion } from '../model/state.ts';
import { validateAnswer } from './engine.ts';

const that = (is: string, otherwise?: string) => ({ kind: 'that' as const, is, else: otherwise });
const check = (name: string) => ({ kind: 'run' as const, command: { kind: 'argv' as const, argv: [name] } });
const approve = (text: string) => ({ kind: 'approve' as const, ask: text, accept: [], reject: [] });
const schema = { kind: 'schema' as const, name: 'review', schema: {} };
const agentCommands = (played: ReturnType<typeof rehearse>) =>
  played.commands.filter((command): command is RunAgent => command.kind === 'run-agent');

describe('done', () => {
  it('sends the work back with all reasons, in the same session, until it holds', () => {
    const steps = [
      prompt('p', {
        done: { checks: [schema, that('output.n > 1', 'n is too small'), that('output.ok')], tries: 3 },
      }),
    ];
    const played = rehearse(workflow(steps), {
      replies: {
        p: [
          { outcome: { output: { n: 1, ok: false }, violations: ['/x is missing'], session: 's1' } },
          { outcome: { output: { n: 2, ok: true }, violations: [], session: 's1' } },
        ],
      },
    });
    const [first, second] = agentCommands(played);
    expect(first).toMatchObject({
      feedback: [],
      session: undefined,
      dispatch: { path: 0, id: 0 },
      schema: { name: 'review' },
    });
    expect(second).toMatchObject({
      feedback: ['/x is missing', 'n is too small', 'this does not hold: output.ok'],
      session: 's1',
      dispatch: { path: 1, id: 1 },
    });
    expect(played.state.status).toBe('completed');
  });

  it('what does not fit its schema is told that, whatever other checks would have read in it; a person is asked in the end', () => {
    const played = rehearse(
      workflow([prompt('p', { done: { checks: [schema, that('size(output.tasks) > 0')], tries: 2 } })]),
      { replies: { p: [{ outcome: { output: 'prose', violations: ['it is no JSON object'] } }] } },
    );
    expect(agentCommands(played)[1]).toMatchObject({ feedback: ['it is no JSON object'] });
    expect(played.state.status).toBe('paused');
    expect([...played.state.questions.values()][0]).toMatchObject({ reasons: ['it is no JSON object'] });
  });

  it('a final check is not sent back, whether it does not hold or cannot be answered', () => {
    const final = { ...that('output.code == 0', 'tests fail'), final: true as const };
    const flow = workflow([
      prompt('p', { done: { checks: [schema, final], tries: 2 }, onFail: 'stop' }),
      run('after'),
    ]);
    const ends = (...outcomes: object[]) => {
      const { state, performed } = rehearse(flow, {
        replies: { p: outcomes.map((outcome) => ({ outcome })) as never },
      });
      return [state.status, performed];
    };
    expect(ends({ output: { code: 1 }, violations: [] })).toEqual(['failed', ['p']]);
    expect(ends({ output: {}, violations: [] })).toEqual(['failed', ['p']]);
    // What can be mended is mended first.
    const mended = { output: { code: 0 }, violations: [] };
    expect(ends({ output: {}, violations: ['/code is missing'] }, mended)).toEqual([
      'completed',
      ['p', 'p', 'after'],
    ]);
  });

  it('rule 3: not accepted after all tries pauses for a person; accept is recorded, fail stops', () => {
    const flow = workflow(
      [prompt('p', { done: { checks: [that('false')], tries: 2 }, output: 'x' }), run('after')],
      {
        outputs: { x: '{{ x }}' },
      },
    );
    const paused = rehearse(flow, { replies: { p: 'v' } });
    expect(paused.state.status).toBe('paused');
    expect(paused.performed).toEqual(['p', 'p']);
    const accepted = rehearse(flow, { replies: { p: 'v' }, answers: { p: ['accept'] } });
    expect(accepted.state).toMatchObject({ status: 'completed', outputs: { x: 'v' } });
    expect(accepted.entries.find((entry) => entry.kind === 'question-answered')).toMatchObject({
      answer: 'accept',
      by: 'tester',
    });
    const stopped = rehearse(flow, { replies: { p: 'v' }, answers: { p: ['fail'] } });
    expect(stopped.state).toMatchObject({ status: 'failed', error: { class: 'rejected' } });
  });

  it('rule 11: again runs the step from its beginning', () => {
    const flow = workflow([
      prompt('p', { enter: [doRun('in')], done: { checks: [that('output == "good"')], tries: 1 } }),
    ]);
    const played = rehearse(flow, { replies: { p: ['bad', 'good'] }, answers: { p: ['again'] } });
    expect(played.performed).toEqual(['p.enter[0]', 'p', 'p.enter[0]', 'p']);
    expect(played.state.status).toBe('completed');
  });

  it.each([
    ['not found', 127, 'exit', 'sh: tset: not found'],
    ['not to be started', 126, 'error', ''],
  ] as const)(
    'a command that is %s goes back once, for what it needs may be installed; then a person is asked, whatever tries are left',
    (why, exit_code, failure, stderr) => {
      const flow = workflow([prompt('p', { done: { checks: [check('tset')], tries: 3 } }), run('after')]);
      const message = 'tset is not executable';
      const outcome = { ok: false, exit_code, output: '', stderr, error: { class: failure, message } };
      const replies = { 'p.done[0]': [{ outcome }, { outcome }, null] };
      const paused = rehearse(flow, { replies });
      expect([paused.state.status, paused.performed]).toEqual([
        'paused',
        ['p', 'p.done[0]', 'p', 'p.done[0]'],
      ]);
      const [question] = paused.state.questions.values();
      expect(question).toMatchObject({ question: 'held', text: '"p" was not accepted. What now?' });
      expect(question?.reasons).toEqual([
        `the check \`tset\` could not be run (exit code ${exit_code}: a command is ${why}), so nobody knows whether the work holds. See that the command is right and that what it needs is installed in this checkout.\n${stderr || message}`,
      ]);
      const mended = rehearse(flow, { replies, answers: { p: ['again'] } });
      expect(mended.state.status).toBe('completed');
      expect(mended.performed).toEqual([...paused.performed, 'p', 'p.done[0]', 'after']);
    },
  );

  it('asks in order of cost: no command while a cheap check says no, no approval while the command fails', () => {
    const flow = workflow([
      prompt('p', { done: { checks: [that('output == 2'), check('test'), approve('ok?')], tries: 3 } }),
    ]);
    const played = rehearse(flow, {
      replies: {
        p: [1, 2, 2],
        'p.done[1]': [{ outcome: { ok: false, exit_code: 1, output: 'boom', stderr: 'trace' } }, null],
      },
      answers: { p: ['approve'] },
    });
    expect(played.performed).toEqual(['p', 'p', 'p.done[1]', 'p', 'p.done[1]']);
    expect(agentCommands(played)[2]?.feedback[0]).toBe('`test` ended with exit code 1\nboom\ntrace');
    expect(played.state.status).toBe('completed');
  });

  it('a rejected approval sends the work back with the note', () => {
    const flow = workflow([prompt('p', { done: { checks: [approve('ok?')], tries: 2 } })]);
    const first = rehearse(flow);
    const n = first.entries.length;
    const rejectedEntry = {
      n: n + 1,
      at: 1e6,
      kind: 'question-answered' as const,
      path: 'p',
      answer: 'reject',
      by: 'ada',
      note: 'too long',
    };
    const played = rehearse(flow, { answers: { p: ['approve'] } }, [...first.entries, rejectedEntry]);
    expect(agentCommands(played)[0]?.feedback).toEqual(['too long']);
    expect(played.state.status).toBe('completed');
  });

  it('an approval nobody gave in time is a rejection', () => {
    const flow = workflow([run('r', { done: { checks: [{ ...approve('ok?'), timeout: 10 }] } })]);
    const first = rehearse(flow);
    const late = rehearse(flow, {}, [
      ...first.entries,
      { n: first.entries.length + 1, at: 1e6, kind: 'question-expired', path: 'r' },
    ]);
    expect(story(late)).toContain('work-rejected r');
  });

  it('approve.if leaves the question out', () => {
    const flow = workflow([run('r', { done: { checks: [{ ...approve('ok?'), if: 'false' }] } })]);
    expect(rehearse(flow).state.status).toBe('completed');
  });

  it('rule 16: a check on a value that is not there never holds: it is a reason while tries are left, then exit code 2', () => {
    const flow = workflow([prompt('p', { done: { checks: [that('output.missing == 1')], tries: 2 } })]);
    const played = rehearse(flow, { replies: { p: { other: 1 } } });
    expect(played.performed).toEqual(['p', 'p']);
    expect(played.entries.find((entry) => entry.kind === 'step-failed')).toMatchObject({
      exit_code: 2,
      error: { class: 'expression' },
    });
    expect(played.state.status).toBe('failed');
  });
});

describe('retry (rule 4)', () => {
  const retry = { max: 2, delay: 5, on: [1, 'rate-limit'] as (number | string)[] };

  it('is for a dispatch that failed, on the codes and classes named', () => {
    const played = rehearse(workflow([run('r', { retry })]), {
      replies: { r: [failed(1), failed(1), 'ok'] },
    });
    expect(played.performed).toEqual(['r', 'r', 'r']);
    expect(played.state.status).toBe('completed');
    expect(rehearse(workflow([run('r', { retry })]), { replies: { r: failed(2) } }).performed).toEqual(['r']);
  });

  it('ends after max further dispatches', () => {
    const played = rehearse(workflow([run('r', { retry })]), { replies: { r: failed(1) } });
    expect(played.performed).toHaveLength(3);
    expect(played.state.status).toBe('failed');
  });

  it('waits at least as long as a server said', () => {
    const limited = {
      outcome: {
        ok: false,
        exit_code: 1,
        error: { class: 'rate-limit' as const, message: 'slow', details: { retry_after_ms: 900 } },
      },
    };
    const played = rehearse(workflow([prompt('p', { retry })]), { replies: { p: [limited, 'ok'] } });
    expect(played.entries.find((entry) => entry.kind === 'retry-scheduled')).toMatchObject({ delay_ms: 900 });
  });

  it('both retry and tries take the next scripted answer', () => {
    const flow = workflow([prompt('p', { retry, done: { checks: [that('output == "good"')], tries: 2 } })]);
    const played = rehearse(flow, { replies: { p: [failed(1), 'bad', 'good'] } });
    expect(agentCommands(played).map((command) => command.dispatch.path)).toEqual([0, 1, 2]);
  });
});

describe('limits', () => {
  const usage = { input_tokens: 100, output_tokens: 50, cost: 1.5, turns: 3 };
  it.each([
    ['cost', { cost: 1 }],
    ['tokens', { tokens: 120 }],
    ['turns', { turns: 3 }],
  ])('%s stops the next dispatch with the reason', (limit, limits) => {
    const flow = workflow([prompt('a'), prompt('b')], { limits: { visits: 50, stopBlocks: 5, ...limits } });
    const played = rehearse(flow, { replies: { a: { outcome: { usage } } } });
    expect(played.performed).toEqual(['a']);
    expect(played.entries.find((entry) => entry.kind === 'limit-reached')).toMatchObject({
      limit,
      path: 'b',
    });
    expect(played.state.status).toBe('failed');
  });
});

describe('people', () => {
  it('an ask step has the answer as its output', () => {
    const flow = workflow([ask('q', 'Which?', ['a', 'b'], { output: 'pick' })], {
      outputs: { pick: '{{ pick }}' },
    });
    expect(rehearse(flow, { answers: { q: ['b'] } }).state.outputs).toEqual({ pick: 'b' });
  });

  it('an ask step that nobody answered in time has failed with exit code 124', () => {
    const flow = workflow([ask('q', 'Which?', undefined, { timeout: 10, onFail: 'continue' }), run('after')]);
    const first = rehearse(flow);
    const late = rehearse(flow, {}, [
      ...first.entries,
      { n: first.entries.length + 1, at: 1e6, kind: 'question-expired', path: 'q' },
    ]);
    expect(late.performed).toEqual(['after']);
    expect(late.entries.find((entry) => entry.kind === 'step-failed')).toMatchObject({
      path: 'q',
      exit_code: 124,
    });
  });

  const question = (fields: Partial<OpenQuestion>) =>
    ({ accept: [], reject: [], reasons: [], ...fields }) as unknown as OpenQuestion;
  it.each([
    [question({ question: 'held' }), 'again', { answer: 'again' }],
    [question({ question: 'held' }), 'yes', { problem: 'the answer must be one of again, accept, fail' }],
    [question({ question: 'approve' }), 'Approve', { answer: 'approve' }],
    [question({ question: 'approve' }), 'reject: too long', { answer: 'reject', note: 'too long' }],
    [question({ question: 'approve', accept: ['ship it'] }), 'Ship it!', { answer: 'approve' }],
    [
      question({ question: 'approve', accept: ['yes'], reject: ['no'] }),
      'nope',
      { problem: 'the answer must be approve or reject' },
    ],
    [question({ question: 'ask', choices: ['a', 'b'] }), 'c', { problem: 'the answer must be one of a, b' }],
    [question({ question: 'ask', choices: [1, 2] }), '2', { answer: 2 }],
    [question({ question: 'ask' }), 'free text', { answer: 'free text' }],
  ])('checks an answer before it is journaled (%#)', (asked, given, expected) => {
    expect(validateAnswer(asked, given)).toEqual(expected);
  });
});
