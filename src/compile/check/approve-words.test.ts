import { describe, expect, it } from 'vitest';
import { problemsOf } from '../fixtures/sample-problems.ts';

describe('words', () => {
  it('of an approval mean yes or no, not both', () => {
    const step = (id: string, words: string) =>
      `  - { id: ${id}, run: x, done: { approve: { ask: ok?, ${words} } } }\n`;
    expect(
      problemsOf(
        `steps:\n${step('a', 'accept: [yes, ok], reject: [no]')}${step('b', 'accept: [yes, OK], reject: [ok]')}${step('c', 'accept: [Reject]')}${step('d', 'reject: [approve]')}${step('e', 'accept: [" "]')}`,
      ),
    ).toEqual([
      '5: approve-words: "ok" would mean both yes and no',
      '6: approve-words: "reject" would mean both yes and no',
      '7: approve-words: "approve" would mean both yes and no',
      '8: approve-words: an empty word cannot be an answer',
    ]);
  });
});
