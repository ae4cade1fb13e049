import { expect, it } from 'vitest';
import type { Entry, Outcome } from '../../src/model/entry.ts';
import { onlyWhatMustBeSame } from './same-journal.ts';

const finished = (outcome: Partial<Outcome>, at = 1): Entry => ({
  n: 1,
  at,
  kind: 'attempt-finished',
  path: 'work',
  outcome: { ok: true, output: 'done', duration_ms: at, ...outcome },
});
const same = (first: Entry, second: Entry) => {
  const [left, right] = [first, second].map((entry) => onlyWhatMustBeSame([entry], '/tmp/x'));
  return JSON.stringify(left) === JSON.stringify(right);
};

it('time, session, provider and what the client itself warns of may differ', () => {
  const mine = finished({ provider: 'codex', session: 'a', warnings: ['codex: no such model'] }, 1);
  const yours = finished({ provider: 'gemini', session: 'b' }, 2);
  expect(same(mine, yours)).toBe(true);
});

it('where the project is, and how long its tests took, may differ', () => {
  const mine = onlyWhatMustBeSame([finished({ output: 'duration_ms: 1.5 in /tmp/x/a.js' })], '/tmp/x');
  const yours = onlyWhatMustBeSame([finished({ output: 'duration_ms: 2 in /tmp/y/a.js' })], '/tmp/y');
  expect(mine).toEqual(yours);
});

it.each<[string, Partial<Outcome>]>([
  ['what came of it', { ok: false }],
  ['the output', { output: 'other' }],
  ['the exit code', { exit_code: 1 }],
  ['a warning of ours', { warnings: ['provider `codex` has no way to take this: `tools` is not enforced'] }],
])('%s may not', (_, outcome) => {
  expect(same(finished({}), finished(outcome))).toBe(false);
});
