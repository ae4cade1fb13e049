import { expect, it } from 'vitest';
import { byHand } from '../../test/support/by-hand.ts';
import { ask, parallel, run, workflow } from '../../test/support/workflow.ts';
import type { EntryBody } from '../model/entry.ts';
import { fold } from './engine.ts';
import { isSpending } from './places.ts';

const HOUR = 3_600_000;

/** Plays on, with an hour before the entry. */
function anHourLater(
  b: ReturnType<typeof byHand>,
  flow: Parameters<typeof byHand>[0],
  body: EntryBody,
): number {
  const before = b.state.elapsed;
  fold(flow, b.state, { n: b.state.n + 1, at: b.state.lastAt + HOUR, ...body });
  return b.state.elapsed - before;
}

const answered: EntryBody = { kind: 'question-answered', path: 'q', answer: 'x', by: 'me' };

it('LS-ENGINE-ELAPSED: while only a person is waited for no time is spent, whether the pause is on record yet or not', () => {
  const flow = workflow([ask('q', 'Well?'), run('a')]);
  const b = byHand(flow);
  expect(b.entries.map(({ kind }) => kind)).toEqual(['run-started', 'question-asked', 'run-paused']);
  const cut = byHand(flow);
  cut.state.status = 'running'; // a crash came before `run-paused`
  expect(isSpending(cut.state)).toBe(false);
  expect(anHourLater(cut, flow, { kind: 'run-paused', questions: ['q'] })).toBe(0);
  expect(anHourLater(b, flow, answered)).toBe(0);
});

it('LS-ENGINE-ELAPSED: time is spent while an effect runs beside the question, and while something is to be decided', () => {
  const flow = workflow([parallel('p', [ask('q', 'Well?'), run('a')]), run('b')]);
  const b = byHand(flow);
  const q: EntryBody = { ...answered, path: 'p/q' } as EntryBody;
  expect(isSpending(b.state)).toBe(true);
  expect(anHourLater(b, flow, q)).toBe(HOUR);
  const outcome = { ok: true, output: null, duration_ms: 1 };
  expect(anHourLater(b, flow, { kind: 'attempt-finished', path: 'p/a', outcome })).toBe(HOUR);
  // `b` is ready.
  expect(anHourLater(b, flow, { kind: 'end-requested', to: 'interrupted', by: 'me' })).toBe(HOUR);
});
