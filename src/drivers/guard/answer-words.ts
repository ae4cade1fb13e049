// answer-words: what a person types in a session, as the answer to what is asked there. Nobody knows the words of `lockstep answer` in
// a chat: where the author names none, yes and no will do, and the question says so.

import { validateAnswer } from '../../engine/engine.ts';
import type { Json } from '../../model/json.ts';
import type { OpenQuestion } from '../../model/state.ts';

const YES = ['yes', 'approved', 'go ahead'];
const NO = ['no', 'not yet'];

export function answerIn(question: OpenQuestion, said: string): ReturnType<typeof validateAnswer> {
  return validateAnswer(inWords(question), said);
}

/** `Lockstep asks: … ` and how it is answered. */
export function askedText(question: OpenQuestion): string {
  return `Lockstep asks: ${question.text} ${howTo(inWords(question))}`;
}

function inWords(question: OpenQuestion): OpenQuestion {
  if (question.question !== 'approve') return question;
  const { accept, reject } = question;
  return {
    ...question,
    accept: accept.length > 0 ? accept : YES,
    reject: reject.length > 0 ? reject : NO,
  };
}

function howTo({ question, choices, accept, reject }: OpenQuestion): string {
  switch (question) {
    case 'approve':
      return `(Answer with a prompt that begins with "${accept[0]}", or with "${reject[0]}" and why.)`;
    case 'held':
    case 'in-doubt':
      return '(Answer again, accept or fail.)';
    default:
      return choices
        ? `(Answer ${choices.map((choice) => shown(choice)).join(' or ')}.)`
        : '(Your next prompt is the answer.)';
  }
}

function shown(choice: Json): string {
  return typeof choice === 'string' ? choice : JSON.stringify(choice);
}
