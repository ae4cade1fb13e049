// answer: what a person may say to a question, before it becomes an entry.

import type { Json } from '../model/json.ts';
import type { OpenQuestion } from '../model/state.ts';

export type CheckedAnswer = { answer: Json; note?: string } | { problem: string };

const HELD = ['again', 'accept', 'fail'];

/** Whole leading words, any case; both kinds present is no answer. */
function leads(text: string, words: string[]): boolean {
  const said = text.trim().toLowerCase();
  return words.some((word) => {
    const wanted = word.toLowerCase();
    return said === wanted || (said.startsWith(wanted) && /[^\p{L}\p{N}_]/u.test(said.charAt(wanted.length)));
  });
}

export function validateAnswer(question: OpenQuestion, given: Json): CheckedAnswer {
  switch (question.question) {
    case 'held':
    case 'in-doubt': {
      if (typeof given === 'string' && HELD.includes(given)) return { answer: given };
      return { problem: `the answer must be one of ${HELD.join(', ')}` };
    }
    case 'approve': {
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      const yes = leads(text, ['approve', ...question.accept]);
      const no = leads(text, ['reject', ...question.reject]);
      if (yes === no) return { problem: 'the answer must be approve or reject' };
      if (yes) return { answer: 'approve' };
      return { answer: 'reject', note: leads(text, ['reject']) ? rest(text) : text };
    }
    case 'blocker':
      if (typeof given === 'string' && given.trim() === '') return { problem: 'the answer is empty' };
      return { answer: given };
    case 'ask': {
      const { choices } = question;
      if (!choices) return { answer: given };
      const chosen = choices.find((choice) => same(choice, given));
      if (chosen !== undefined) return { answer: chosen };
      return {
        problem: `the answer must be one of ${choices.map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice))).join(', ')}`,
      };
    }
  }
}

function rest(text: string): string | undefined {
  const note = text.trim().replace(/^reject\W*/i, '');
  return note === '' ? undefined : note;
}

function same(choice: Json, given: Json): boolean {
  if (typeof given === 'string' && typeof choice !== 'string') return JSON.stringify(choice) === given;
  return JSON.stringify(choice) === JSON.stringify(given);
}
