import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/support/tries.ts';
import { fold, initialState } from '../engine/engine.ts';
import type { Entry } from '../model/entry.ts';
import type { Recover } from '../model/workflow.ts';
import { anyWorkflow, anyWorld } from './fixtures/any-workflow.ts';
import { play, STARTED } from './fixtures/play.ts';
import { failed, many, shipped, waiting } from './fixtures/stories.ts';
import { command, each, loop, parallel, prompt, sequence, workflowOf } from './fixtures/workflow.ts';
import { createOutline, durationAt, type Outline, record, runTimeAt } from './outline.ts';
import type { StepRecord } from './step-record.ts';

function outlineOf(workflow: Parameters<typeof createOutline>[0], entries: Entry[]): Outline {
  const outline = createOutline(workflow);
  for (const entry of entries) record(outline, entry);
  return outline;
}

function at(outline: Outline, path: string): StepRecord {
  const found = outline.byPath.get(path);
  if (!found) throw new Error(`no record of ${path}`);
  return found;
}

describe('the outline of a run', () => {
  it('J1: shows every step with its status, tries, figures and reasons', () => {
    const { workflow, entries } = shipped();
    const outline = outlineOf(workflow, entries);
    expect(outline.status).toBe('completed');
    expect(outline.root.children.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'analyze done',
      'execute done',
      'reviews done',
      'fix done',
      'notes done',
      'publish done',
    ]);
    const analyze = at(outline, 'analyze');
    expect(analyze).toMatchObject({
      title: 'Analyze the specification',
      verb: 'prompt',
      agent: 'implementer',
      provider: 'claude',
      model: 'opus',
      durationMs: 12_400,
      spending: { input_tokens: 1200, cost: 0.04, priced: 1, unpriced: 0 },
    });
    expect(at(outline, 'publish').retries).toBe(1);
    expect(at(outline, 'execute').passes).toMatchObject({ total: 3, done: 3, failed: 0 });
    expect(at(outline, 'fix').passes).toMatchObject({ done: 2 });
    expect(at(outline, 'reviews/security').skip).toEqual({
      reason: 'disabled',
      why: 'disabled in workflow definition',
    });
    expect(outline.totals).toMatchObject({ done: 12, failed: 0, skipped: 3, retries: 1, rejected: 1 });
    expect(outline.notes.doubts.kept).toEqual([{ path: 'execute[1]/implement', remedy: 'rerun' }]);
  });

  it.each<[string, Recover]>([
    ['ask', { kind: 'pause' }],
    ['probe', { kind: 'probe', command: { kind: 'argv', argv: ['probe'] } }],
  ])('one doubt is told once, whatever followed from it: %s', (remedy, recover) => {
    const workflow = workflowOf('doubt', [command('publish', ['push'], { recover })]);
    const entries = play(workflow, { crashAfter: [2], answer: () => ({ answer: 'again' }) });
    expect(entries.map(({ kind }) => kind)).toContain('attempt-in-doubt');
    const outline = outlineOf(workflow, entries);
    expect(outline.notes.doubts).toEqual({ count: 1, kept: [{ path: 'publish', remedy }] });
    expect(at(outline, 'publish').inDoubt).toBe(true);
  });

  it('shows a step under way: its try, what it does now, and what it was sent back for', () => {
    const { workflow, entries } = shipped();
    const upTo = entries.findIndex((entry) => entry.kind === 'attempt-started' && entry.try === 2);
    const outline = outlineOf(workflow, entries.slice(0, upTo + 1));
    const implement = at(outline, 'execute[1]/implement');
    expect(implement).toMatchObject({
      status: 'running',
      try: 2,
      tries: 3,
      title: 'Implement logout',
      inDoubt: true,
    });
    expect(implement.reasons).toEqual([
      '`npm test` ended with exit code 1\n1 failing\n  logout clears the session',
    ]);
    expect(implement.parent).toMatchObject({ kind: 'pass', number: 1, title: 'logout', status: 'running' });
    expect(at(outline, 'execute[1]/lint').status).toBe('pending');
    const now = outline.lastAt + 5000;
    expect(durationAt(outline, implement, now) - durationAt(outline, implement, outline.lastAt)).toBe(5000);
  });

  it('keeps failures, what failed with them, and what was not reached', () => {
    const { workflow, entries } = failed();
    const outline = outlineOf(workflow, entries);
    expect(outline).toMatchObject({ status: 'failed', failedAt: 'verify/test' });
    expect(at(outline, 'verify/test')).toMatchObject({ status: 'failed', exitCode: 1, goes: 'stop' });
    expect(at(outline, 'verify')).toMatchObject({ status: 'failed', error: { class: 'child' } });
    expect(at(outline, 'publish').status).toBe('pending');
    expect(outline.totals).toMatchObject({ done: 1, failed: 2, continuedPast: 1 });
    expect(outline.notes.continued.kept).toEqual([{ path: 'audit', message: '3 vulnerabilities' }]);
  });

  it('keeps open questions, and an unknown cost as unknown', () => {
    const { workflow, entries } = waiting();
    const outline = outlineOf(workflow, entries);
    expect(outline.status).toBe('paused');
    expect([...outline.questions.keys()].sort()).toEqual(['first/colour', 'first/draft']);
    expect(at(outline, 'first/draft')).toMatchObject({ status: 'asking', settled: 'failed', try: 2 });
    expect(outline.totals.spending).toMatchObject({ cost: 0.004, priced: 1, unpriced: 1 });
  });

  it('records the word of a person that overrides the engine', () => {
    const { workflow } = waiting();
    const entries = play(workflow, {
      outcome: () => ({ output: 'bad' }),
      answer: (question) =>
        question.question === 'held'
          ? { answer: 'accept', by: 'grace', note: 'good enough' }
          : { answer: 'red' },
    });
    const outline = outlineOf(workflow, entries);
    expect(outline.status).toBe('completed');
    expect(at(outline, 'first/draft')).toMatchObject({
      status: 'done',
      override: { by: 'grace', note: 'good enough', reasons: ['Say good.'] },
    });
    expect(outline.notes.overrides.kept).toEqual([
      { path: 'first/draft', by: 'grace', answer: 'accept', note: 'good enough' },
    ]);
    expect(outline.totals).toMatchObject({ done: 3, failed: 0 });
  });

  it('does not count a pause or the time after a crash as time the run took', () => {
    const { workflow, entries } = shipped();
    const outline = outlineOf(workflow, entries);
    const wall = outline.lastAt - STARTED;
    expect(wall - outline.runTime).toBeGreaterThan(60_000 + 29_000);
    expect(runTimeAt(outline, outline.lastAt + 10_000)).toBe(outline.runTime);
  });

  it('shows the latest visit of a step that was jumped back to, and remembers the earlier ones', () => {
    const workflow = workflowOf('circle', [
      command('plan'),
      command('check', ['true'], { next: [{ when: 'status == "failed"', goto: 'plan', do: [] }] }),
    ]);
    const entries = play(workflow, {
      outcome: (place, nth) =>
        place.startsWith('check') && nth === 0 && !place.includes('~')
          ? { ok: false, exit_code: 1, error: { class: 'exit', message: 'no' } }
          : undefined,
    });
    const outline = outlineOf(workflow, entries);
    expect(outline.status).toBe('completed');
    const [plan] = outline.root.children;
    expect(plan).toMatchObject({ path: 'plan~2', status: 'done', visit: 2 });
    expect(plan?.earlier).toMatchObject([{ path: 'plan', status: 'done' }]);
    expect(outline.totals.jumps).toBe(1);
  });

  it('marks what a jump left behind, and what was cancelled beside it', () => {
    const workflow = workflowOf('leave', [
      parallel('both', [command('quick', ['true'], { next: [{ goto: 'after', do: [] }] }), command('slow')]),
      command('between'),
      command('after'),
    ]);
    const outline = outlineOf(workflow, play(workflow));
    expect(outline.status).toBe('completed');
    expect(at(outline, 'both')).toMatchObject({ status: 'failed', error: { class: 'left' } });
    expect(at(outline, 'both/slow').status).toBe('cancelled');
    expect(at(outline, 'between').status).toBe('pending');
  });

  it('mends what failed when the run is resumed: nothing counts twice', () => {
    const workflow = workflowOf('mend', [
      each('all', '[1, 2, 3]', [sequence('inner', [command('a'), command('b')])], { concurrency: 3 }),
    ]);
    const entries = play(workflow, {
      resumes: 1,
      outcome: (place, nth) =>
        place.includes('[1]') && place.endsWith('b') && nth === 0
          ? { ok: false, exit_code: 1, error: { class: 'exit', message: 'no' } }
          : undefined,
    });
    const outline = outlineOf(workflow, entries);
    expect(outline.status).toBe('completed');
    expect(outline.totals).toMatchObject({ done: 6, failed: 0 });
    expect(at(outline, 'all').passes).toMatchObject({ done: 3, failed: 0 });
    expect(outline.notes.failed.size).toBe(0);
  });

  it('tells passes of a loop, and says pass n while one runs', () => {
    const workflow = workflowOf('loops', [
      loop('fix', 'pass.number >= 3', 5, [prompt('review'), prompt('mend')]),
    ]);
    const entries = play(workflow);
    const third = entries.findIndex((entry) => 'path' in entry && entry.path === 'fix#3/review');
    const outline = outlineOf(workflow, entries.slice(0, third + 1));
    expect([...(at(outline, 'fix').passes?.open.keys() ?? [])]).toEqual([3]);
    expect(at(outline, 'fix#3/review').status).toBe('running');
    const finished = outlineOf(workflow, entries);
    expect(at(finished, 'fix').passes).toMatchObject({ done: 3 });
    expect(finished.totals.done).toBe(6);
  });
});

describe('the weight of an outline', () => {
  it('E2: stays small over 10,000 items, with exact totals and a bounded number of failures kept', () => {
    const items = Array.from({ length: 10_000 }, (_, index) => index);
    const workflow = workflowOf('large', [
      each('all', 'inputs.items', [command('a'), command('b')], { onFail: 'continue' }),
    ]);
    const outline = createOutline(workflow);
    let n = 0;
    const feed = (body: object): void => void record(outline, { n: ++n, at: STARTED + n, ...body } as Entry);
    feed({
      kind: 'run-started',
      run: { id: 'r' },
      inputs: {},
      vars: {},
      workflow_hash: '',
      workflow_file: '',
    });
    feed({ kind: 'step-opened', path: 'all', items });
    let largest = 0;
    for (const index of items) {
      const finished = (path: string, ok: boolean): void => {
        feed({ kind: 'attempt-started', path, verb: 'run', try: 1 });
        feed({ kind: 'attempt-finished', path, outcome: { ok, output: 'x', duration_ms: 1 } });
      };
      const fails = index % 10 === 0;
      finished(`all[${index}]/a`, true);
      finished(`all[${index}]/b`, !fails);
      if (fails) {
        const error = { class: 'exit', message: 'no' };
        feed({ kind: 'step-failed', path: `all[${index}]/b`, error });
        feed({ kind: 'step-closed', path: `all[${index}]/b`, goes: 'stop' });
        feed({ kind: 'step-failed', path: `all[${index}]`, error: { class: 'child', message: 'no' } });
        feed({ kind: 'step-closed', path: `all[${index}]`, goes: 'stop' });
      }
      largest = Math.max(largest, outline.byPath.size);
    }
    expect(largest).toBeLessThan(100);
    expect(outline.totals).toMatchObject({ done: 19_000, failed: 1000 });
    expect(at(outline, 'all').passes).toMatchObject({ total: 10_000, done: 9000, failed: 1000 });
    expect(at(outline, 'all').passes?.kept.size).toBe(20);
    expect(outline.notes.failed.size).toBe(50);
  });
});

describe('any workflow in any world', () => {
  it('V2: agrees with the engine after every entry', () => {
    fc.assert(
      fc.property(anyWorkflow, anyWorld, (workflow, world) => {
        const entries = play(workflow, world);
        const outline = createOutline(workflow);
        let state = initialState(workflow);
        for (const entry of entries) {
          state = fold(workflow, state, entry);
          record(outline, entry);
          expect([...outline.questions.keys()].sort()).toEqual([...state.questions.keys()].sort());
          const running = [...state.running].filter(([, { verb }]) => verb !== 'sleep' && verb !== 'observe');
          expect(underWay(outline)).toEqual(running.map(([place]) => place).sort());
          expect(outline.runTime).toBe(state.elapsed);
          expect(outline.totals.spending).toMatchObject({
            input_tokens: state.totals.input_tokens,
            output_tokens: state.totals.output_tokens,
          });
        }
        if (state.status !== 'completed') return;
        for (const child of outline.root.children) {
          const result = state.root.scope.steps.get(child.id);
          const engine = result?.status ?? 'pending';
          expect(`${child.id} ${child.status === 'cancelled' ? engine : child.status}`).toBe(
            `${child.id} ${engine}`,
          );
        }
        const open = [...outline.byPath.values()].filter(
          (one) => one.settled === undefined && one.status !== 'pending',
        );
        expect(open.map((one) => one.path)).toEqual([]);
        expect(outline.totals.continuedPast).toBe(state.continuedPast);
      }),
      { numRuns: tries(200, 100) },
    );
  });

  it('O1: never throws, however the journal is cut, shuffled or mixed up with another workflow', () => {
    fc.assert(
      fc.property(
        anyWorkflow,
        anyWorkflow,
        anyWorld,
        fc.integer({ min: 1, max: 7 }),
        (workflow, other, world, step) => {
          const entries = play(workflow, world);
          for (const journal of [
            entries.slice(step),
            entries.filter((_, index) => index % step === 0),
            [...entries].reverse(),
          ]) {
            const outline = outlineOf(workflow, journal);
            expect(outline.totals.attempts).toBeGreaterThanOrEqual(0);
            outlineOf(other, journal);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('O1: never throws on paths that nobody could have written', () => {
    const { workflow } = many();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.constantFrom(
            'convert[3]/rewrite',
            'convert[9999999999]/x',
            'convert#1/rewrite',
            '__proto__',
            'convert[1]',
            '/',
            'convert/rewrite',
            'a'.repeat(9999),
            `${'convert/'.repeat(5000)}x`,
          ),
        ),
        fc.constantFrom(
          'attempt-started',
          'attempt-finished',
          'step-opened',
          'step-failed',
          'step-skipped',
          'jumped',
          'question-asked',
          'loop-tested',
          'retry-scheduled',
        ),
        (path, kind) => {
          const outline = createOutline(workflow);
          const body = {
            n: 1,
            at: 1,
            kind,
            path,
            verb: 'run',
            try: 1,
            outcome: { ok: true, output: 1 },
            error: { class: 'exit', message: '' },
            to: 'x',
            text: '',
            question: 'ask',
          };
          record(outline, body as unknown as Entry);
          expect(outline.n).toBe(1);
        },
      ),
    );
  });
});

function underWay(outline: Outline): string[] {
  const places: string[] = [];
  for (const one of outline.byPath.values()) {
    for (const { part } of one.attempts) places.push(part === undefined ? one.path : `${one.path}.${part}`);
  }
  return places.sort();
}
