import { expect, it } from 'vitest';
import { type GuardChoice, readChoice, writeChoice } from './choice.ts';

it('what is written of a choice is what is read of it: `engine_down` and the switch too', () => {
  const choice: GuardChoice = {
    ...{ workflow: 'plan', lifecycles: ['watch'], vars: { a: 1 }, inputs: { b: 'two' }, engineDown: 'allow' },
    disabled: { by: 'ada', at: '2026-01-01', why: 'out' },
  };
  expect(readChoice(writeChoice(choice))).toEqual(choice);
});
