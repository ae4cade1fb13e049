import { describe, expect, it } from 'vitest';
import type { Question } from '../../views/step-record.ts';
import { optionsOf, readReply } from './answers.ts';

function question(kind: Question['question'], more: Partial<Question> = {}): Question {
  return {
    path: 'x',
    question: kind,
    text: 'Well?',
    reasons: [],
    askedAt: 0,
    accept: [],
    reject: [],
    ...more,
  };
}

describe('readReply', () => {
  it.each([
    ['approve', 'approve'],
    ['APPROVE', 'approve'],
    ['y', 'approve'],
    ['Yes', 'approve'],
    ['ok', 'approve'],
    ['1', 'approve'],
    ['app', 'approve'],
    ['lgtm', 'approve'],
    ['reject', 'reject'],
    ['no', 'reject'],
    ['2', 'reject'],
    ['nope', 'reject'],
    [' reject ', 'reject'],
  ])('reads %j to an approval as %j', (typed, answer) => {
    expect(readReply(question('approve', { accept: ['lgtm'], reject: ['nope'] }), typed)).toEqual({ answer });
  });

  it('takes what follows the word as the reason', () => {
    expect(readReply(question('approve'), 'reject: no tests yet')).toEqual({
      answer: 'reject',
      note: 'no tests yet',
    });
    expect(readReply(question('held'), 'accept, it is a prototype')).toEqual({
      answer: 'accept',
      note: 'it is a prototype',
    });
  });

  it.each(['', 'maybe', '3', '0', 'a', 'yesterday'])(
    'does not take %j for an answer to an approval',
    (typed) => {
      const reply = readReply(question('approve', { accept: ['absolutely'], reject: ['away'] }), typed);
      if (typed === 'a') expect(reply).toEqual({ answer: 'approve' });
      else expect(reply).toHaveProperty('problem');
    },
  );

  it.each(['held', 'in-doubt'] as const)('offers again, accept and fail when a step is %s', (kind) => {
    expect(optionsOf(question(kind)).map(({ word }) => word)).toEqual(['again', 'accept', 'fail']);
    expect(['again', '2', 'f', 'retry'].map((typed) => readReply(question(kind), typed))).toEqual([
      { answer: 'again' },
      { answer: 'accept' },
      { answer: 'fail' },
      { answer: 'again' },
    ]);
    // "a" begins two of the words.
    expect(readReply(question(kind), 'a')).toEqual({
      problem: '"a" is not an answer to this. Type again, accept or fail, or the number.',
    });
  });

  it('gives back the chosen value itself, whatever its type', () => {
    const choices = ['red', 'dark blue', 3, { deep: true }, '2'];
    const read = (typed: string) => readReply(question('ask', { choices }), typed);
    expect(read('dark blue')).toEqual({ answer: 'dark blue' });
    expect(read('dark')).toEqual({ answer: 'dark blue' });
    expect(read('4')).toEqual({ answer: { deep: true } });
    // A choice that is itself a number is meant before its place in the list.
    expect(read('2')).toEqual({ answer: '2' });
    expect(read('3')).toEqual({ answer: 3 });
    expect(read('green')).toHaveProperty('problem');
  });

  it('LS-BLOCK-TERMINAL: takes any text for a blocker; what the agent suggests has a number; fail is fail', () => {
    const asked = question('blocker', { choices: ['SQLite', { kind: 'Postgres' }] });
    expect(optionsOf(asked).map(({ word }) => word)).toEqual(['SQLite', '{"kind":"Postgres"}', 'fail']);
    expect(['1', '2', 'fail', 'sq', 'fail it is not'].map((typed) => readReply(asked, typed))).toEqual([
      { answer: 'SQLite' },
      { answer: { kind: 'Postgres' } },
      { answer: 'fail' },
      { answer: 'sq' },
      { answer: 'fail it is not' },
    ]);
    expect(readReply(asked, ' ')).toHaveProperty('problem');
  });

  it('takes any text where there are no choices, but not nothing', () => {
    expect(readReply(question('ask'), '  42 apples ')).toEqual({ answer: '42 apples' });
    expect(readReply(question('ask'), '   ')).toEqual({ problem: 'Type an answer.' });
  });
});
