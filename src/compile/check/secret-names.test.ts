import { expect, it } from 'vitest';
import { problemsOf } from '../fixtures/sample-problems.ts';

it('S3: says where a secret is also written into env', () => {
  expect(
    problemsOf('steps: [{ id: a, run: x, secrets: [TOKEN, OTHER], env: { TOKEN: x, LOG: debug } }]\n'),
  ).toEqual([
    '3: secret-in-env: `TOKEN` is both a secret and in `env`: the command gets what stands in `env`, where anybody can read it → A secret is passed through from outside: take it out of `env`.',
  ]);
});
