import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../model/entry.ts';
import type { Workflow } from '../model/workflow.ts';
import { anyWorkflow, anyWorld } from './fixtures/any-workflow.ts';
import { play } from './fixtures/play.ts';
import { shipped, waiting } from './fixtures/stories.ts';
import { command, prompt, workflowOf } from './fixtures/workflow.ts';
import { type LineLevel, type LogLine, logLines } from './log-lines.ts';
import { createRunView } from './run-view.ts';
import { RANKS } from './teller/level.ts';

function told(story: { workflow: Workflow; entries: Entry[] }, least: LineLevel): LogLine[] {
  const view = createRunView(story.workflow);
  return story.entries.flatMap((entry) => logLines(view.outline, view.record(entry), least));
}
const texts = (lines: LogLine[]): string[] =>
  lines.map(
    ({ level, path, part, message }) => `${level} ${path}${part === undefined ? '' : `.${part}`}: ${message}`,
  );

describe('lines of the log', () => {
  it('tell the beginning and the end of every step, and of the run', () => {
    const lines = texts(told(shipped(), 'info'));
    expect(lines[0]).toMatch(/^info : run \S+ started: ship \(/);
    expect(lines).toContain('info execute: started');
    expect(lines.some((line) => /^info execute\[1\]\/lint: skipped: condition is false/.test(line))).toBe(
      true,
    );
    expect(lines.at(-1)).toMatch(/^info : run completed after /);
    expect(texts(told(waiting(), 'info')).some((line) => line.includes('asks a person'))).toBe(true);
  });

  it('tell why: a retry, what was sent back, a warning, a failed check', () => {
    const workflow = workflowOf('why', [
      prompt('p', {
        retry: { max: 1, delay: 2000, on: [] },
        done: { checks: [{ kind: 'that', is: 'output == "good"', else: 'Say good.' }], tries: 2 },
      }),
      command('c', ['false'], { onFail: 'stop' }),
    ]);
    const entries = play(workflow, {
      outcome: (place, nth) => {
        if (place === 'c')
          return { ok: false, exit_code: 1, error: { class: 'exit', message: 'two\nlines' } };
        if (nth === 0)
          return { ok: false, exit_code: 1, error: { class: 'rate-limit', message: 'too fast' } };
        return { output: nth === 1 ? 'bad' : 'good', warnings: nth === 1 ? ['no way to take this'] : [] };
      },
    });
    expect(texts(told({ workflow, entries }, 'warn'))).toEqual([
      'warn p: rate limited, again in 2.0 s (retry 1 of 1): too fast',
      'warn p: no way to take this',
      'warn p: sent back after try 1 of 2: Say good.',
      'error c: failed with exit code 1 (1.0 s): two lines',
      expect.stringMatching(/^error : run failed after .* at c: two lines$/),
    ]);
    expect(texts(told({ workflow, entries }, 'error'))).toHaveLength(2);
  });

  it('V2: of any journal are single lines, none below the level that was asked for', () => {
    const level = fc.constantFrom<LineLevel>('debug', 'info', 'warn', 'error');
    fc.assert(
      fc.property(anyWorkflow, anyWorld, level, (workflow, world, least) => {
        for (const line of told({ workflow, entries: play(workflow, world) }, least)) {
          expect(RANKS[line.level]).toBeGreaterThanOrEqual(RANKS[least]);
          expect(line.message).not.toMatch(/[\n\r]/);
          expect(line.message).not.toBe('');
        }
      }),
      { numRuns: 40 },
    );
  });
});
