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

  it('S3: says where a secret is also written into env', () => {
    expect(
      problemsOf('steps: [{ id: a, run: x, secrets: [TOKEN, OTHER], env: { TOKEN: x, LOG: debug } }]\n'),
    ).toEqual([
      '3: secret-in-env: `TOKEN` is both a secret and in `env`: the command gets what stands in `env`, where anybody can read it → A secret is passed through from outside: take it out of `env`.',
    ]);
  });
});
