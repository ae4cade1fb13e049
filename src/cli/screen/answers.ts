// answers: what a person typed, read as an answer to a question. Numbers, whole words, and beginnings of words that
// mean one thing only.

import type { Json } from '../../model/json.ts';
import { heldMeaning } from '../../views/next-commands.ts';
import type { Question } from '../../views/step-record.ts';
import { plain } from '../../views/text/plain.ts';
import { either } from '../../views/text/words.ts';

export interface Reply {
  answer: Json;
  note?: string;
}

export interface Option {
  answer: Json;
  /** What to type. */
  word: string;
  meaning: string;
  /** Further words that mean the same. */
  also: string[];
}

const YES = ['yes', 'y', 'ok'];
const NO = ['no', 'n'];

/** What may be chosen; empty where the answer is free text. */
export function optionsOf(question: Question): Option[] {
  switch (question.question) {
    case 'approve':
      return [
        { answer: 'approve', word: 'approve', meaning: 'go on', also: [...YES, ...question.accept] },
        {
          answer: 'reject',
          word: 'reject',
          meaning: 'send it back, with your reason',
          also: [...NO, ...question.reject],
        },
      ];
    case 'held':
      return [
        { answer: 'again', word: 'again', meaning: heldMeaning(question, 'again'), also: ['retry'] },
        {
          answer: 'accept',
          word: 'accept',
          meaning: heldMeaning(question, 'accept'),
          also: [],
        },
        { answer: 'fail', word: 'fail', meaning: heldMeaning(question, 'fail'), also: [] },
      ];
    case 'in-doubt':
      return [
        { answer: 'again', word: 'again', meaning: 'it did not happen: run it once more', also: ['retry'] },
        {
          answer: 'accept',
          word: 'accept',
          meaning: 'it did happen: go on; recorded as your decision',
          also: [],
        },
        { answer: 'fail', word: 'fail', meaning: 'let the step fail', also: [] },
      ];
    case 'blocker':
      return [
        ...choicesOf(question),
        {
          answer: 'fail',
          word: 'fail',
          meaning: 'let the step fail; anything else is your answer',
          also: [],
        },
      ];
    case 'ask':
      return choicesOf(question);
  }
}

function choicesOf({ choices = [] }: Question): Option[] {
  return choices.map((choice) => ({
    answer: choice,
    word: plain(typeof choice === 'string' ? choice : JSON.stringify(choice)),
    meaning: '',
    also: [],
  }));
}

export function readReply(question: Question, typed: string): Reply | { problem: string } {
  const text = typed.trim();
  const options = optionsOf(question);
  if (text === '') return { problem: options.length === 0 ? 'Type an answer.' : `Type ${wordsOf(options)}.` };
  if (options.length === 0) return { answer: text };
  const exact = options.find((option) => same(option, text));
  if (exact) return { answer: exact.answer };
  const number = /^\d{1,4}$/.test(text) ? options[Number(text) - 1] : undefined;
  if (number) return { answer: number.answer };
  // What the agent offers is a help: a person may say anything.
  if (question.question === 'blocker') return { answer: text };
  const { word, rest } = firstWord(text);
  const begun = options.filter((option) => option.word.toLowerCase().startsWith(text.toLowerCase()));
  if (begun.length === 1 && begun[0]) return { answer: begun[0].answer };
  const led = question.question === 'ask' ? undefined : options.find((option) => same(option, word));
  if (led && rest !== '') return { answer: led.answer, note: rest };
  return { problem: `"${plain(text)}" is not an answer to this. Type ${wordsOf(options)}.` };
}

function same(option: Option, text: string): boolean {
  const typed = text.toLowerCase();
  return option.word.toLowerCase() === typed || option.also.some((word) => word.toLowerCase() === typed);
}

function firstWord(text: string): { word: string; rest: string } {
  const match = /^([\p{L}\p{N}_-]+)[\s,.:;]*([\s\S]*)$/u.exec(text);
  return { word: match?.[1] ?? text, rest: match?.[2]?.trim() ?? '' };
}

function wordsOf(options: Option[]): string {
  if (options.length > 5) return `a number from 1 to ${options.length}`;
  return `${either(options.map((option) => option.word))}, or the number`;
}
