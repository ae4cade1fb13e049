// What SPEC-000047 says of steps, answers and groups, seen from outside.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { journal } from '../cli/started.ts';
import { prompts, type Small, small } from './small-project.ts';

const entries = (one: Small, kind: string) => journal(one.project).filter((entry) => entry.kind === kind);

describe('answers of any form, and conditions on them', () => {
  let one: Small;
  beforeAll(() => {
    one = small(
      `
  - { name: analyze, agent: looker, prompt: look, output: analysis }
  - { name: plan, type: code, handler: create-issues, input: analysis, output: issues }
  - { name: prose, agent: looker, prompt: look, output: prose }
  - { name: wrong, agent: looker, prompt: look, output: review, model: haiku }
  - { name: fix, prompt: do, condition: review.hasActionableIssues }
  - { name: fix-count, prompt: do, condition: review.criticalCount > 0 || prose.hasActionableIssues }
  - { name: fix-none, prompt: do, condition: '!review.hasActionableIssues && prose.includes("fine")' }
  - { name: off, prompt: tell, enabled: false, condition: prose, input: analysis.tasks }
  - { name: off-loop, type: loop, enabled: false, condition: prose, maxRetries: 1, steps: [ { name: in, prompt: tell, input: review } ] }
  - { name: off-tasks, type: per-task, enabled: false, source: analysis.tasks, steps: [ { name: each, prompt: tell, input: task } ] }
  - { name: tell, prompt: tell }
`,
      {
        files: prompts({
          tell: '{{{prose}}} {{review.summary}} {{#each issues}}{{title}}#{{issue}}{{/each}}',
        }),
        answers: {
          analyze: { output: { tasks: [{ id: 'T1', title: 'One', description: 'First.' }] } },
          prose: { text: 'All is fine, I skip the rest.\n' },
          wrong: { output: { verdict: 'no idea', skip: ['tell'], summary: { a: [1, null] } } },
        },
      },
    );
  });
  afterAll(() => one.project.remove());

  it('WR47-FR-2c.1, WR47-FR-2c.2: an answer is kept as it came, whatever the prompt asked for', () => {
    expect(one.ended.exitCode, one.ended.stdout + one.ended.stderr).toBe(0);
    expect(one.prompt('tell')).toContain('All is fine, I skip the rest.\n {"a":[1,null]} One#1');
  });

  it('WR47-FR-2c.3: a condition on what is not there is false, and nothing breaks', () => {
    const skipped = entries(one, 'step-skipped').map(({ path }) => path);
    expect(skipped).toEqual(['fix', 'fix-count', 'off', 'off-loop', 'off-tasks']);
  });

  it('WR47-FR-2c.4, WR47-NFR-5: the raw answer of every step is on record, and that it started and ended', () => {
    const outcomes = Object.fromEntries(
      entries(one, 'attempt-finished').map(({ path, outcome }) => [
        path,
        (outcome as { output: unknown }).output,
      ]),
    );
    expect(outcomes.prose).toBe('All is fine, I skip the rest.\n');
    expect(outcomes.wrong).toEqual({ verdict: 'no idea', skip: ['tell'], summary: { a: [1, null] } });
    expect(Object.keys(outcomes)).toEqual(one.started);
  });

  it('WR47-FR-2b.1: a code step calls a handler with its input, and no agent', () => {
    const [started] = entries(one, 'attempt-started').filter(({ path }) => path === 'plan');
    expect(JSON.stringify(started)).not.toContain('"agent":');
    expect(one.project.sh('ls .lockstep/issues').stdout).toMatch(/^0001-one\.md$/m);
  });

  it('WR47-FR-5.2: `enabled: false` leaves a step out with that reason, whatever its kind, its condition and what it reads; `model` is for one step', () => {
    const off = entries(one, 'step-skipped').filter(({ path }) => String(path).startsWith('off'));
    expect(off).toHaveLength(3);
    for (const entry of off) expect(JSON.stringify(entry)).toContain('disabled in workflow definition');
    const models = entries(one, 'attempt-started').map(({ path, model }) => [path, model]);
    expect(models.filter(([, model]) => model !== undefined)).toEqual([['wrong', 'haiku']]);
  });

  it('WR47-FR-2.6, WR47-SC-3: every step that is neither disabled nor false runs in its order, whatever an agent says', () => {
    expect(one.started).toEqual(['analyze', 'plan', 'prose', 'wrong', 'fix-none', 'tell']);
  });
});

describe('a parallel group', () => {
  const group = `
  - name: reviews
    type: parallel
    steps:
      - { name: one, agent: looker, prompt: look, output: first }
      - { name: two, agent: looker, prompt: look }
      - { name: three, agent: looker, prompt: look }
  - { name: after, prompt: do }
`;
  it('WR47-FR-4.1, WR47-NFR-2: starts all its steps before any of them ends, and goes on once all have', () => {
    const slow = { delay: '300ms', output: {} };
    const one = small(group, { answers: { one: slow, two: slow, three: slow } });
    const order = journal(one.project).flatMap(({ kind, path }) =>
      kind === 'attempt-started' || kind === 'attempt-finished' ? [`${kind.slice(8)} ${path}`] : [],
    );
    const when = (wanted: string) =>
      new Map(
        journal(one.project).flatMap(({ kind, path, at }) =>
          kind === wanted && String(path).startsWith('reviews/') ? [[path, Number(at)] as const] : [],
        ),
      );
    const [starts, ends] = [when('attempt-started'), when('attempt-finished')];
    one.project.remove();
    // All begin before any ends: then the whole takes less than twice what the slowest does, however slow the machine is.
    const slowest = Math.max(...[...ends].map(([path, end]) => end - (starts.get(path) ?? 0)));
    expect(slowest).toBeGreaterThan(0);
    expect(Math.max(...ends.values()) - Math.min(...starts.values())).toBeLessThan(2 * slowest);
    expect(order.slice(0, 3).every((line) => line.startsWith('started reviews/'))).toBe(true);
    expect(order.slice(3, 6).every((line) => line.startsWith('finished reviews/'))).toBe(true);
    expect(order[6]).toBe('started after');
  });

  it('WR47-FR-4.2: has failed where one of its steps has; the others end first, and nothing follows', () => {
    const answers = { two: { exit: 3 }, three: { delay: '200ms', output: {} } };
    const one = small(group, { answers });
    const ends = entries(one, 'attempt-finished').map(({ path }) => path);
    const steps = one.state().steps as Record<string, { status: string }>;
    one.project.remove();
    expect(one.ended.exitCode).toBe(1);
    expect(ends.sort()).toEqual(['reviews/one', 'reviews/three', 'reviews/two']);
    expect(steps.after?.status).toBe('pending');
  });
});
