// prompt-answer: what a person types in a live session, as the answer to what is asked there.
// Owns: the words that mean yes and no where the workflow names none. Never: takes a prompt that says both for an answer.

import { validateAnswer } from '../../engine/engine.ts';
import type { OpenQuestion } from '../../model/state.ts';
import { agrees, NO, YES } from './slash.ts';

type CheckedAnswer = ReturnType<typeof validateAnswer>;

export function answerIn(question: OpenQuestion, prompt: string): CheckedAnswer {
  const said = prompt.trim();
  switch (question.question) {
    case 'held':
    case 'in-doubt':
      return validateAnswer(question, said.toLowerCase().replace(/[.!]+$/, ''));
    case 'approve': {
      if (!hasNoWords(question)) return validateAnswer(question, said);
      const checked = validateAnswer({ ...question, accept: YES, reject: NO }, said);
      // "Yes, but do not touch the parser" agrees to something else than what is shown.
      const isYes = 'answer' in checked && checked.answer === 'approve' && !/^approve$/i.test(said);
      return isYes && !agrees(said) ? { problem: 'it says yes and no' } : checked;
    }
    default:
      return validateAnswer(question, said);
  }
}

/** The question, and how it is answered. */
export function askedText(question: OpenQuestion): string {
  return `Lockstep asks: ${question.text} ${answersTo(question)}`;
}

/** What a person may answer, for the question as it is shown to them. */
export function answersTo(question: OpenQuestion): string {
  switch (question.question) {
    case 'held':
    case 'in-doubt':
      return 'Answer again, accept or fail.';
    case 'approve':
      if (hasNoWords(question)) return 'Answer yes, or no and why.';
      return `Answer ${question.accept[0] ?? 'approve'}, or ${question.reject[0] ?? 'reject'} and why.`;
    case 'ask': {
      const words = (question.choices ?? []).map((choice) =>
        typeof choice === 'string' ? choice : JSON.stringify(choice),
      );
      return words.length === 0 ? 'Your next prompt is the answer.' : `Answer one of: ${words.join(', ')}.`;
    }
    default:
      return 'Your next prompt is the answer.';
  }
}

function hasNoWords({ accept, reject }: OpenQuestion): boolean {
  return accept.length === 0 && reject.length === 0;
}
