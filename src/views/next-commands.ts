// next-commands: the command lines that go on with a run, exactly as they can be typed.

import type { Json } from '../model/json.ts';
import { shellWord } from '../text/shell/quote.ts';
import type { Question } from './step-record.ts';
import { plain } from './text/plain.ts';

export interface Advice {
  command: string;
  /** What it does, a few words. */
  meaning: string;
}

/** As it can be typed; and what is shown does not move the cursor. */
export function wordToType(text: string): string {
  return shellWord(plain(text));
}

export function resumeCommand(run: string): string {
  return `lockstep resume ${wordToType(run)}`;
}

export function logsCommand(run: string, path: string): string {
  return `lockstep logs ${wordToType(run)} ${wordToType(path)}`;
}

/** What may be answered. `several`: more than one question is open, so the step must be named. */
export function answerCommands(run: string, question: Question, several: boolean): Advice[] {
  const step = several ? ` --step ${wordToType(question.path)}` : '';
  // An approval is for what was shown: pasted later, when something else is asked, it is refused.
  const digest = question.question === 'approve' ? question.shown?.digest : undefined;
  const shown = digest ? ` --shown ${digest.slice(0, 16)}` : '';
  const answer = (word: string, meaning: string): Advice => ({
    command: `lockstep answer ${wordToType(run)}${step} ${word}${shown}`,
    meaning,
  });
  switch (question.question) {
    case 'approve':
      return [answer('approve', 'go on'), answer('reject --note "why"', 'send it back with your reason')];
    case 'held':
      return [
        answer(
          question.takesNote ? 'again --note "what to change"' : 'again',
          heldMeaning(question, 'again'),
        ),
        answer('accept', heldMeaning(question, 'accept')),
        answer('fail', heldMeaning(question, 'fail')),
      ];
    case 'in-doubt':
      return [
        answer('again', 'it did not happen: run it once more'),
        answer('accept', 'it did happen: go on; recorded as your decision'),
        answer('fail', 'let the step fail'),
      ];
    case 'blocker':
      return [
        ...(question.choices ?? []).map((choice) => answer(choiceWord(choice), 'one of its own suggestions')),
        answer('"your answer"', 'tell it in your own words; it goes on from there'),
        answer('fail', 'let the step fail'),
      ];
    case 'ask': {
      const { choices } = question;
      if (!choices || choices.length === 0) return [answer('"your answer"', 'answer in your own words')];
      return choices.map((choice) => answer(choiceWord(choice), ''));
    }
  }
}

const HELD = {
  again: 'run the step once more',
  accept: 'take it as it is; recorded as your decision',
  fail: 'let it fail',
};

/** What an answer does to a step that is held. */
export function heldMeaning({ means }: Question, answer: keyof typeof HELD): string {
  return plain(means?.[answer] ?? HELD[answer]);
}

function choiceWord(choice: Json): string {
  return wordToType(typeof choice === 'string' ? choice : JSON.stringify(choice));
}
