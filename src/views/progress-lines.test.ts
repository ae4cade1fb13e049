import { describe, expect, it } from 'vitest';
import type { Entry } from '../model/entry.ts';
import type { Workflow } from '../model/workflow.ts';
import { play, STARTED } from './fixtures/play.ts';
import { ask, command, each, loop, parallel, sequence, stepOf, workflowOf } from './fixtures/workflow.ts';
import { progressLines } from './progress-lines.ts';
import { createRunView } from './run-view.ts';

/** When `path` has just started, `later` milliseconds on. */
function at(workflow: Workflow, path: string, later: number): string[] {
  const entries: Entry[] = play(workflow);
  const index = entries.findIndex((entry) => 'path' in entry && entry.path === path);
  const view = createRunView(workflow);
  for (const entry of entries.slice(0, index + 1)) view.record(entry);
  return progressLines(view.outline, (entries[index]?.at ?? 0) + later);
}

describe('progress lines', () => {
  it('say which step runs, how long, and on which item', () => {
    const items = JSON.stringify(['item1.csv', 'item2.csv', 'item3.csv']);
    const workflow = workflowOf('p', [
      command('List'),
      each('process', items, [command('convert')], { labels: { name: 'ProcessData' } }),
      command('Last'),
    ]);
    expect(at(workflow, 'List', 15_400)).toEqual(['[1/3] List: Running (15s)...']);
    expect(at(workflow, 'process[2]/convert', 13_000)).toEqual([
      '[2/3] ProcessData: Running (15s)...',
      '  └─ for_each: [3/3] Processing item3.csv',
    ]);
  });

  it('go inwards where several steps run in turn or at once', () => {
    const workflow = workflowOf('p', [
      each('Items', '["a"]', [
        command('first'),
        loop('again', 'true', 3, [sequence('group', [command('x'), command('y')])]),
      ]),
      parallel('both', [command('one'), command('two')]),
    ]);
    expect(
      at(workflow, 'Items[0]/again#1/group/x', 125_000).map((line) => line.replace(/\(.*\)/, '()')),
    ).toEqual([
      '[1/2] Items: Running ()...',
      '  └─ for_each: [1/1] Processing a',
      '     └─ again: Running ()...',
      '        └─ loop: [1/3]',
      '           └─ x: Running ()...',
    ]);
    expect(at(workflow, 'both/two', 3_725_000)).toEqual([
      '[2/2] both: Running (1h02m)...',
      '  └─ one: Running (1h02m)...',
      '  └─ two: Running (1h02m)...',
    ]);
  });

  it('tell waiting from running, and say nothing where nothing is under way', () => {
    const wait = stepOf('w', { kind: 'wait', for: 'files', files: ['x'], min: 1, every: 500 });
    const workflow = workflowOf('p', [wait, ask('q', 'Well?')]);
    expect(at(workflow, 'w', 61_000)).toEqual(['[1/2] w: Waiting (1m01s)...']);
    // No time is spent meanwhile.
    expect(at(workflow, 'q', 1000)).toEqual(['[2/2] q: Waiting for a person (0s)...']);
    expect(progressLines(createRunView(workflow).outline, STARTED)).toEqual([]);
  });
});
