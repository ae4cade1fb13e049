import { describe, expect, it } from 'vitest';
import { rehearse } from '../../test/support/rehearsal.ts';
import { gate, gates, prompt, run, workflow } from '../../test/support/workflow.ts';
import type { Entry } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import type { Workflow } from '../model/workflow.ts';
import { reportStep } from './report/step.ts';
import { gateText, readReview } from './review.ts';
import { createRunView } from './run-view.ts';
import { stepRows } from './teller/step-rows.ts';

const story = (entry: Entry) => stepRows['reviews-gathered'].story(entry as never, undefined as never);
const GOOD: JsonObject = { assessment: 'approved', issues: [], strengths: [] };
const BAD: JsonObject = {
  ...GOOD,
  issues: [{ severity: 'critical', description: 'eval', file: 'a.js', line: 1, fixInstructions: 'Drop it.' }],
};

/** The status of a step after every entry that changes it. */
function statuses(flow: Workflow, entries: Entry[], path: string): string[] {
  const view = createRunView(flow);
  const seen: string[] = [];
  for (const entry of entries) {
    view.record(entry);
    const status = view.outline.byPath.get(path)?.status;
    if (status !== undefined && seen.at(-1) !== status) seen.push(status);
  }
  return seen;
}

describe('gates', () => {
  const flow = workflow([gates('reviews', [gate('a'), gate('b', { run: 'manual' })]), run('after')]);
  const played = rehearse(flow, { replies: { 'reviews/a': { outcome: { output: BAD } } } });

  it('have ended once there is one review of them', () => {
    const gathered = played.entries.findIndex(({ kind }) => kind === 'reviews-gathered');
    expect(statuses(flow, played.entries.slice(0, gathered), 'reviews').at(-1)).toBe('running');
    expect(statuses(flow, played.entries.slice(0, gathered + 1), 'reviews').at(-1)).toBe('done');
  });

  it('are told in a sentence: how many, what is to be fixed, what each said, and the issues', () => {
    const entry = played.entries.find(({ kind }) => kind === 'reviews-gathered') as Entry;
    expect(story(entry)).toEqual({
      text: 'reviews: 2 gates said: 1 issue to be fixed, of 1.',
      tone: 'ask',
      details: [
        'a: needs revision, 1 issue',
        'b: skipped: manual gate: run with --gate b',
        'critical a.js:1: eval (a)',
      ],
    });
  });

  it('V4: that nobody looked is told as that', () => {
    const left = rehearse(workflow([gates('reviews', [gate('b', { run: 'manual' })])]));
    const entry = left.entries.find(({ kind }) => kind === 'reviews-gathered') as Entry;
    expect(story(entry)).toMatchObject({
      text: 'reviews: nobody looked: every gate was left out.',
      tone: 'ask',
    });
  });

  it('the report tells the verdict of a gate that its issues make, not its own', () => {
    const view = createRunView(flow);
    for (const entry of played.entries) view.record(entry);
    const record = view.outline.byPath.get('reviews/a');
    expect(record && reportStep(record).result).toBe('needs revision, 1 issue');
  });

  it('whatever a journal holds is read', () => {
    expect(readReview({ issues: 'x', gates: [{ gate: 'a' }, 3] })).toMatchObject({
      approved: false,
      issues: [],
      actionable: 0,
      gates: [{ gate: 'a', status: '', issues: 0, carried: false }],
    });
    expect(gateText({ gate: 'a', status: 'skipped', assessment: 'approved', issues: 2, carried: true })).toBe(
      'a: approved, 2 issues before, not asked again',
    );
  });
});

it('a step that is blocked has not ended, and runs again with the answer, also where it has no checks', () => {
  const flow = workflow([prompt('a'), run('b')]);
  const played = rehearse(flow, {
    replies: { a: [{ outcome: { output: { blocker: 'Which?' } } }, { outcome: { output: 'done' } }] },
    answers: { a: ['accept'] },
  });
  expect(statuses(flow, played.entries, 'a')).toEqual(['pending', 'running', 'asking', 'running', 'done']);
  // "accept" is an answer like any other here, not an override.
  const view = createRunView(flow);
  for (const entry of played.entries) view.record(entry);
  expect(view.outline.byPath.get('a')?.override).toBeUndefined();
});
