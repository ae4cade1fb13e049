import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../model/entry.ts';
import { play, RUN } from './fixtures/play.ts';
import { failed, many, type Story, shipped, waiting } from './fixtures/stories.ts';
import { command, each, prompt, workflowOf } from './fixtures/workflow.ts';
import { renderSummary } from './render-summary.ts';
import { createRunView } from './run-view.ts';
import type { Summary, Surroundings } from './summary.ts';
import { displayWidth } from './text/width.ts';

const around: Surroundings = {
  filesChanged: ['src/login.ts', 'src/logout.ts', 'test/login.test.ts'],
  logs: `.lockstep/runs/${RUN}/logs`,
};

function summaryOf({ workflow, entries }: Story, more: Surroundings = around): Summary {
  const view = createRunView(workflow);
  for (const entry of entries) view.record(entry);
  return view.summary(more);
}

const stories = { shipped, failed, waiting, many };
const golden = (name: string): string => `golden/summary-${name}.txt`;

describe('the summary of a run', () => {
  it.each(['shipped', 'failed', 'waiting', 'many'] as const)('reads well at 80 columns: %s', async (name) => {
    const text = renderSummary(summaryOf(stories[name]()), { width: 80, color: false, unicode: true });
    await expect(`${text}\n`).toMatchFileSnapshot(golden(`${name}-80`));
  });

  it.each([60, 120])('reads well at %i columns', async (width) => {
    const text = renderSummary(summaryOf(shipped()), { width, color: false, unicode: true });
    await expect(`${text}\n`).toMatchFileSnapshot(golden(`shipped-${width}`));
  });

  it('reads well in colour, and in ASCII', async () => {
    const summary = summaryOf(failed());
    const colour = renderSummary(summary, { width: 80, color: true, unicode: true });
    await expect(`${colour.replaceAll('\x1b', '\\e')}\n`).toMatchFileSnapshot(golden('failed-colour'));
    const ascii = renderSummary(summary, { width: 80, color: false, unicode: false });
    expect(ascii).toMatch(/^[\x20-\x7e\n]*$/);
    await expect(`${ascii}\n`).toMatchFileSnapshot(golden('failed-ascii'));
  });

  it('fits a screen of 24 lines for an ordinary workflow, done or failed', () => {
    for (const story of [shipped, failed]) {
      const lines = renderSummary(summaryOf(story()), { width: 80, color: false, unicode: true }).split('\n');
      expect(lines.length).toBeLessThanOrEqual(24);
    }
  });

  it('says exactly which commands go on with a paused, failed, interrupted or abandoned run', () => {
    const paused = summaryOf(waiting());
    expect(paused.questions.flatMap(({ answers }) => answers.map(({ command }) => command))).toEqual([
      `lockstep answer ${RUN} --step first/colour red`,
      `lockstep answer ${RUN} --step first/colour 'dark blue'`,
      `lockstep answer ${RUN} --step first/colour 3`,
      `lockstep answer ${RUN} --step first/draft again`,
      `lockstep answer ${RUN} --step first/draft accept`,
      `lockstep answer ${RUN} --step first/draft fail`,
    ]);
    expect(summaryOf(failed()).next.map(({ command }) => command)).toEqual([
      `lockstep logs ${RUN} verify/test`,
      `lockstep resume ${RUN}`,
    ]);
    const { workflow, entries } = shipped();
    const cut = entries.slice(0, 9);
    const interrupted = [...cut, { n: 10, at: 1, kind: 'run-interrupted', by: 'SIGINT' } as Entry];
    expect(summaryOf({ workflow, entries: interrupted }).next).toMatchObject([
      { command: `lockstep resume ${RUN}` },
    ]);
    expect(summaryOf({ workflow, entries: cut }, { held: false }).next).toMatchObject([
      { command: `lockstep resume ${RUN}` },
    ]);
    expect(summaryOf({ workflow, entries: cut }, { held: true }).next).toEqual([]);
  });

  it('does not say a cost it does not know', () => {
    const workflow = workflowOf('free', [prompt('a')]);
    const entries = play(workflow);
    expect(summaryOf({ workflow, entries }).cost).toBe('cost unknown');
    const none = workflowOf('none', [command('a')]);
    expect(summaryOf({ workflow: none, entries: play(none) }).cost).toBeUndefined();
  });

  it('is never wider than asked for, whatever titles, reasons and messages say', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 });
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 30, max: 130 }),
        fc.boolean(),
        (title, message, width, unicode) => {
          const workflow = workflowOf(title, [
            command('a', [message], { title, onFail: 'continue' }),
            command('b', [], { if: 'false' }),
            command('c'),
          ]);
          const entries = play(workflow, {
            outcome: (place) =>
              place === 'b'
                ? undefined
                : { ok: false, stderr: message, error: { class: 'exit', message, hint: title } },
          });
          const rendered = renderSummary(
            summaryOf({ workflow, entries }, { filesChanged: [message, title] }),
            { width, color: false, unicode },
          );
          for (const line of rendered.split('\n')) {
            // A command that somebody is to copy is never cut.
            if (!line.includes('lockstep ')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
            expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('LS-GROW-FAILURES: counts every failure, also those that it keeps no record of', () => {
    const items = Array.from({ length: 120 }, (_, index) => index);
    const outcome = () => ({ ok: false, exit_code: 1, error: { class: 'exit' as const, message: 'no' } });
    const told = (more: object) => {
      const workflow = workflowOf('w', [
        each('all', 'inputs.items', [command('one', ['false'], more)], { concurrency: 120 }),
      ]);
      const view = createRunView(workflow);
      for (const entry of play(workflow, { inputs: { items }, outcome })) view.record(entry);
      const summary = view.summary();
      return { summary, text: renderSummary(summary, { width: 80, color: false, unicode: true }) };
    };
    const stopped = told({});
    const { failed } = stopped.summary.totals;
    expect(failed).toBeGreaterThan(50);
    expect(stopped.summary.failures.length).toBeLessThan(failed);
    expect(stopped.summary.failureCount).toBe(failed);
    expect(stopped.text).toContain(`and ${failed - 5} more failures`);
    const past = told({ onFail: 'continue' });
    expect(past.summary.totals).toMatchObject({ failed: 120, continuedPast: 120 });
    expect(past.summary.failureCount).toBe(0);
  });
});
