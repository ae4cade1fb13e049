import { describe, expect, it } from 'vitest';
import type { OpenQuestion } from '../../model/state.ts';
import { answerIn, answersTo } from './prompt-answer.ts';

const question = (given: Partial<OpenQuestion>): OpenQuestion =>
  ({ question: 'approve', text: 'Go on?', reasons: [], accept: [], reject: [], ...given }) as OpenQuestion;

describe('GOB-APPROVAL-WORDS: what a person types as the answer', () => {
  it.each([
    ['yes', { answer: 'approve' }],
    ['Yes, do it.', { answer: 'approve' }],
    ['ok', { answer: 'approve' }],
    ['approve', { answer: 'approve' }],
    ['go ahead!', { answer: 'approve' }],
    ['no: name the files', { answer: 'reject', note: 'no: name the files' }],
    ['Stop', { answer: 'reject', note: 'Stop' }],
    ['reject: name the files', { answer: 'reject', note: 'name the files' }],
  ])('an approval without words of its own: %s', (said, expected) => {
    expect(answerIn(question({}), said)).toEqual(expected);
  });

  it.each(['yesterday it worked', 'why this file?', 'yes, but do not touch the parser', 'Is it ok?'])(
    'is no answer to it: %s',
    (said) => {
      expect(answerIn(question({}), said)).toHaveProperty('problem');
    },
  );

  it('the words of the workflow are the only ones where it has some', () => {
    const own = question({ accept: ['ship it'], reject: ['hold'] });
    expect(answerIn(own, 'ship it now')).toEqual({ answer: 'approve' });
    expect(answerIn(own, 'yes')).toHaveProperty('problem');
    expect(answersTo(own)).toBe('Answer ship it, or hold and why.');
  });

  it('says what may be answered', () => {
    expect(answersTo(question({}))).toBe('Answer yes, or no and why.');
    expect(answersTo(question({ question: 'held' }))).toBe('Answer again, accept or fail.');
    expect(answerIn(question({ question: 'held' }), 'Accept.')).toEqual({ answer: 'accept' });
    expect(answersTo(question({ question: 'ask', choices: ['a', 2] }))).toBe('Answer one of: a, 2.');
    expect(answersTo(question({ question: 'ask' }))).toBe('Your next prompt is the answer.');
    expect(answersTo(question({ question: 'blocker' }))).toBe('Your next prompt is the answer.');
    expect(answerIn(question({ question: 'ask' }), ' blue ')).toEqual({ answer: 'blue' });
  });
});
