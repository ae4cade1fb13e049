import { describe, expect, it } from 'vitest';
import { byHand } from '../../test/support/by-hand.ts';
import { rehearse, story } from '../../test/support/rehearsal.ts';
import { parallel, prompt, run, workflow } from '../../test/support/workflow.ts';
import type { RunAgent } from '../model/command.ts';
import type { Json } from '../model/json.ts';
import type { OpenQuestion } from '../model/state.ts';
import { validateAnswer } from './answer.ts';

const blocked = (blocker: Json, more = {}) => ({ outcome: { output: { blocker }, session: 's1', ...more } });
const questionOf = (blocker: Json): OpenQuestion | undefined => {
  const played = rehearse(workflow([prompt('a')]), { replies: { a: blocked(blocker) } });
  return [...played.state.questions.values()][0];
};
const agents = (played: ReturnType<typeof rehearse>) =>
  played.commands.filter((command): command is RunAgent => command.kind === 'run-agent');

describe('LS-BLOCK-ASKS: a blocker is what a person is asked', () => {
  it.each<[Json, Partial<OpenQuestion>]>([
    [' Which? ', { text: 'Which?', reasons: [] }],
    [{ question: 'Which?' }, { text: 'Which?' }],
    [{ reason: 'Two say different things.' }, { text: 'Two say different things.', reasons: [] }],
    [{ description: 'No access.' }, { text: 'No access.' }],
    [
      { description: 'd', reason: 'r', question: 'q', options: ['x', { y: 1 }], details: { at: 3 } },
      { text: 'q', reasons: ['r', 'd', '{\n  "at": 3\n}'], choices: ['x', { y: 1 }] },
    ],
    [{ message: 'No key.' }, { text: 'No key.' }],
    [['Which?'], { text: 'Which?' }],
    [[{ question: 'a?', options: ['x'] }, '', 'b?'], { text: 'a?\nb?' }],
    [{ needs: 'a key' }, { text: '{\n  "needs": "a key"\n}' }],
    [{ options: ['a'] }, { choices: ['a'] }],
    [true, { text: 'It says that it is blocked, and no more: true' }],
  ])('%j', (blocker, expected) => {
    expect(questionOf(blocker)).toMatchObject({ question: 'blocker', ...expected });
  });

  it.each<[Json]>([
    [null],
    [''],
    ['  '],
    [{}],
    [{ question: '' }],
    [{ options: [] }],
    [[[]]],
    [['']],
    [false],
  ])('%j is none', (blocker) => {
    expect(questionOf(blocker)).toBeUndefined();
  });

  it('of a prompt only, and only where it is a key of the answer', () => {
    const played = rehearse(workflow([run('a'), prompt('b')]), {
      replies: { a: blocked('x'), b: 'blocker: no' },
    });
    expect(played.state.status).toBe('completed');
  });
});

describe('LS-BLOCK-ANSWER: the answer goes back to the agent', () => {
  const schema = { kind: 'schema', name: 's', schema: { type: 'object' } } as const;
  const flow = workflow([prompt('a', { done: { checks: [schema], tries: 2 } }), run('b')]);

  it('in the same session, with the question; no try is used up, and what does not fit the schema does not matter', () => {
    const played = rehearse(flow, {
      replies: {
        a: [blocked('Which?', { violations: ['no'] }), { outcome: { output: { ok: 1 }, session: 's1' } }],
      },
      answers: { a: ['sqlite'] },
    });
    expect(played.state.status).toBe('completed');
    expect(agents(played)).toMatchObject([
      { try: 1, feedback: [] },
      { try: 1, session: 's1', answered: true, told: [{ question: 'Which?', answer: 'sqlite' }] },
    ]);
    expect(story(played)).not.toContain('work-rejected a');
  });

  it('what it was told stays known through a rejected try, and several questions add up', () => {
    const wrong = { outcome: { output: {}, session: 's1', violations: ['no x'] } };
    const played = rehearse(flow, {
      replies: { a: [blocked('1?'), blocked('2?'), wrong, { outcome: { output: {} } }] },
      answers: { a: ['one', { two: 2 }] },
    });
    const [, second, third, fourth] = agents(played);
    expect(second).toMatchObject({ told: [{ answer: 'one' }], answered: true });
    const told = [{ answer: 'one' }, { question: '2?', answer: '{"two":2}' }];
    expect(third).toMatchObject({ told, answered: true, try: 1 });
    expect(fourth).toMatchObject({ told, feedback: ['no x'], session: 's1', try: 2 });
    expect(fourth).not.toHaveProperty('answered');
  });

  it('fail lets the step fail, on the word of that person: nobody is asked again', () => {
    const played = rehearse(workflow([prompt('a', { onFail: 'pause' })]), {
      replies: { a: blocked('Which?') },
      answers: { a: ['fail'] },
    });
    expect(played.state).toMatchObject({ status: 'failed', error: { class: 'rejected', by_person: true } });
  });

  it('a dispatch that breaks after the answer is retried with it', () => {
    const broke = { outcome: { ok: false, exit_code: 1, error: { class: 'exit' as const, message: 'x' } } };
    const retry = { max: 1, delay: 0, on: [1] };
    const played = rehearse(workflow([prompt('a', { retry })]), {
      replies: { a: [blocked('Which?'), broke, { outcome: { output: 'done' } }] },
      answers: { a: ['x'] },
    });
    expect(agents(played)[2]).toMatchObject({ told: [{ answer: 'x' }], answered: true, session: 's1' });
    expect(played.state.status).toBe('completed');
  });
});

it('other branches go on, and the run pauses once nothing else can', () => {
  const flow = workflow([parallel('p', [prompt('a'), run('b')]), run('after')]);
  const hand = byHand(flow)
    .finish('p/a', { output: { blocker: 'Which?' } })
    .quiet();
  expect(hand.state).toMatchObject({ status: 'running' });
  hand.finish('p/b').quiet();
  expect(hand.state.status).toBe('paused');
  expect([...hand.state.questions.keys()]).toEqual(['p/a']);
});

it('E4: cut after any entry, the run ends the same way', () => {
  const flow = workflow([prompt('a'), run('b')], { outputs: { a: '{{ steps.a.output }}' } });
  const options = () => ({
    replies: { a: [blocked('Which?'), { outcome: { output: 'x' } }] },
    answers: { a: ['x'] },
  });
  const whole = rehearse(flow, options());
  for (let length = 1; length < whole.entries.length; length += 1) {
    const again = rehearse(flow, options(), whole.entries.slice(0, length));
    expect(again.state.outputs).toEqual(whole.state.outputs);
  }
});

it('any text that is not empty answers it', () => {
  const question = questionOf({ question: 'Which?', options: ['a'] }) as OpenQuestion;
  expect(validateAnswer(question, 'something else')).toEqual({ answer: 'something else' });
  expect(validateAnswer(question, ' ')).toHaveProperty('problem');
});
