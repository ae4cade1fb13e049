import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../model/entry.ts';
import type { Workflow } from '../../model/workflow.ts';
import { anyWorkflow, anyWorld } from '../../views/fixtures/any-workflow.ts';
import { play } from '../../views/fixtures/play.ts';
import { shipped, waiting } from '../../views/fixtures/stories.ts';
import {
  command,
  each,
  parallel,
  prompt,
  sequence,
  stepOf,
  workflowOf,
} from '../../views/fixtures/workflow.ts';
import { createOutline, type Outline, record } from '../../views/outline.ts';
import { symbols } from '../../views/text/symbols.ts';
import { displayWidth } from '../../views/text/width.ts';
import { type FrameContext, frame } from './frame.ts';

function outlineAt(workflow: Workflow, entries: Entry[], stop: (entry: Entry) => boolean): Outline {
  const outline = createOutline(workflow);
  for (const entry of entries) {
    record(outline, entry);
    if (stop(entry)) break;
  }
  return outline;
}

function context(
  outline: Outline,
  columns: number,
  rows = 24,
  more: Partial<FrameContext> = {},
): FrameContext {
  return {
    now: outline.lastAt + 3400,
    size: { columns, rows },
    color: false,
    marks: symbols(true),
    tick: 2,
    activity: new Map(),
    ...more,
  };
}

const started = (path: string) => (entry: Entry) =>
  entry.kind === 'attempt-started' && entry.path === path && entry.part === undefined;

describe('the live tree', () => {
  it.each([80, 60, 120])(
    'shows what runs, what has ended and what is to come, at %i columns',
    async (columns) => {
      const { workflow, entries } = shipped();
      const outline = outlineAt(
        workflow,
        entries,
        (entry) => entry.kind === 'attempt-started' && entry.try === 2,
      );
      const activity = new Map([
        ['execute[1]/implement', 'Edit src/logout.ts: clear the session and everything that hangs on it'],
      ]);
      const text = frame(outline, context(outline, columns, 24, { activity })).join('\n');
      await expect(`${text}\n`).toMatchFileSnapshot(`golden/frame-shipped-${columns}.txt`);
    },
  );

  it.each([
    ['rate-limit', 'rate limited, again in 9 s (retry 1 of 2)'],
    ['overloaded', 'overloaded, again in 9 s (retry 1 of 2)'],
    ['timeout', 'retry 1 of 2 in 9 s'],
  ] as const)('AG-BACKOFF: says how long it waits for somebody who is busy: %s', (of, words) => {
    const retry = { max: 2, delay: 1000, on: [] };
    const workflow = workflowOf('w', [prompt('p', { retry })]);
    const error = { class: of, message: 'not now', details: { retry_after_ms: 12_000 } };
    const entries = play(workflow, { outcome: () => ({ ok: false, exit_code: 1, error }) });
    const outline = outlineAt(workflow, entries, (entry) => entry.kind === 'retry-scheduled');
    expect(frame(outline, context(outline, 80)).join('\n')).toContain(words);
  });

  it('shows a check under way, a retry that is waited for, a pass of a loop and a question', () => {
    const { workflow, entries } = shipped();
    const shown = (stop: (entry: Entry) => boolean) => {
      const outline = outlineAt(workflow, entries, stop);
      return frame(outline, context(outline, 80)).join('\n');
    };
    expect(shown((entry) => entry.kind === 'attempt-started' && entry.part === 'done[1]')).toContain(
      'checking: npm test',
    );
    expect(shown((entry) => entry.kind === 'retry-scheduled')).toMatch(
      /◌ publish {2}retry 1 of 2 in 0 s · 4 s/,
    );
    expect(shown(started('fix#2/review'))).toMatch(/fix {2}pass 2 of 3 · 20 s · \$0\.08\n {4}⠹ review/);
    expect(shown((entry) => entry.kind === 'question-asked')).toMatch(
      /\? notes {2}Ready to publish\? · 12 s · \$0\.04/,
    );
  });

  it('gives every pass of a concurrent each one row, with what runs in it', () => {
    const workflow = workflowOf('wide', [
      each('all', '[{"title": "日本語"}, {"name": "b"}, {"x": 1}]', [prompt('write'), command('check')], {
        concurrency: 3,
      }),
    ]);
    const entries = play(workflow, {
      outcome: (place) => (place.includes('[0]') ? { output: '' } : undefined),
    });
    const outline = outlineAt(workflow, entries, started('all[0]/check'));
    expect(frame(outline, context(outline, 80)).slice(2)).toEqual([
      '  ⠹ all  0 of 3 items done, 3 running · 4 s · cost unknown',
      '    ⠹ 日本語 → check  3 s',
      '    ⠹ b → write  4 s',
      '      starting claude',
      '    ⠹ item 3 → write  4 s',
      '      starting claude',
    ]);
  });

  it('UX-CONCURRENT-EACH: shows what the agent of each pass does, and that it is starting before it says a word', () => {
    const workflow = workflowOf('wide', [each('all', '["a", "b"]', [prompt('write')], { concurrency: 2 })]);
    const outline = outlineAt(workflow, play(workflow), started('all[1]/write'));
    const activity = new Map([['all[0]/write', 'Edit src/a.ts']]);
    expect(frame(outline, { ...context(outline, 80), activity }).slice(3)).toEqual([
      expect.stringContaining('a → write'),
      '      Edit src/a.ts',
      expect.stringContaining('b → write'),
      '      starting claude',
    ]);
  });

  it('shows a wait with what it waits for, a failure beside what still runs, and that it is stopping', () => {
    const workflow = workflowOf('mixed', [
      parallel('both', [
        command('bad', ['false']),
        stepOf('inbox', { kind: 'wait', for: 'files', files: ['inbox/*.task'], min: 1, every: 500 }),
        sequence('deep', [command('a'), command('b')]),
      ]),
    ]);
    const entries = play(workflow, {
      outcome: (place) =>
        place === 'both/bad'
          ? { ok: false, exit_code: 1, error: { class: 'exit', message: 'exit code 1' } }
          : undefined,
    });
    const outline = outlineAt(workflow, entries, (entry) => entry.kind === 'step-failed');
    record(outline, { n: 99, at: outline.lastAt, kind: 'end-requested', to: 'interrupted', by: 'SIGINT' });
    expect(frame(outline, context(outline, 80))).toEqual([
      '',
      '⠹ mixed  step 1 of 1 · 4 s · 1 failed · stopping',
      '  ⠹ both  4 s',
      '    ✗ bad  exit code 1: fine',
      '    ◌ inbox  wait for inbox/*.task · 4 s',
      '    ⠹ deep  4 s',
      '      ⠹ a  4 s',
      '      ○ b',
    ]);
  });

  it('folds when there are too few rows: what asks, fails and runs stays longest', () => {
    const workflow = workflowOf('crowd', [
      command('before'),
      parallel('all', [
        ...Array.from({ length: 30 }, (_, index) => command(`s${index}`)),
        command('bad'),
        stepOf('ask', { kind: 'ask', question: 'Go on?' }),
      ]),
      command('after'),
    ]);
    const entries = play(workflow, {
      pick: () => 0,
      outcome: (place) =>
        place === 'all/bad' ? { ok: false, error: { class: 'exit', message: 'no' } } : undefined,
    });
    const asked = entries.findIndex((entry) => entry.kind === 'question-asked');
    const bad = entries.slice(0, asked + 1);
    const outline = createOutline(workflow);
    for (const entry of bad) record(outline, entry);
    const next = { n: 999, at: outline.lastAt + 1, path: 'all/bad' };
    record(outline, {
      ...next,
      kind: 'attempt-finished',
      outcome: { ok: false, output: null, duration_ms: 1 },
    });
    record(outline, { ...next, kind: 'step-failed', error: { class: 'exit', message: 'no' } });
    expect(frame(outline, context(outline, 80, 10))).toEqual([
      '',
      '⠹ crowd  step 2 of 3 · 4 s · 1 failed · 1 question',
      '  ⠹ all  3 s',
      '    ⠹ s0  3 s',
      '    ⠹ s1  3 s',
      '    ✗ bad  no',
      '    ? ask  Go on? · 3 s',
      '  … and 28 more',
    ]);
    expect(frame(outline, context(outline, 80, 3))).toEqual([
      '⠹ crowd  step 2 of 3 · 4 s · 1 failed · 1 question',
      '  … and 33 more',
    ]);
    expect(frame(outline, context(outline, 80, 1))).toHaveLength(1);
  });

  it('is never wider nor taller than the terminal, at any moment of any run', () => {
    const title = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(
        anyWorkflow,
        anyWorld,
        title,
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 40 }),
        (workflow, world, name, columns, rows) => {
          const named = {
            ...workflow,
            name,
            steps: workflow.steps.map((step) => ({ ...step, title: name })),
          };
          const outline = createOutline(named);
          for (const entry of play(workflow, { ...world, most: 120 })) {
            record(outline, entry);
            const lines = frame(outline, context(outline, columns, rows));
            expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
            for (const line of lines) {
              expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(1, columns - 1));
              expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('shows a waiting run', () => {
    const { workflow, entries } = waiting();
    const outline = outlineAt(
      workflow,
      entries,
      (entry) => entry.kind === 'question-asked' && entry.question === 'held',
    );
    expect(frame(outline, context(outline, 80)).slice(1, 5)).toEqual([
      '⠹ decide  step 1 of 2 · 2 s · at least $0.004 · 1 failed · 2 questions',
      '  ⠹ first  2 s · at least $0.004',
      '    ? draft  "first/draft" was not accepted. What now? · 2 s · at least $0.004',
      '    ? colour  Which colour? · 2 s',
    ]);
  });
});
