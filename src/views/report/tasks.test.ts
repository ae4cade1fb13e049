import { describe, expect, it } from 'vitest';
import type { Json } from '../../model/json.ts';
import { play } from '../fixtures/play.ts';
import { command, stepOf, workflowOf } from '../fixtures/workflow.ts';
import { renderReport } from '../render-report.ts';
import type { Report } from '../report.ts';
import { createRunView } from '../run-view.ts';
import { compactReport } from './compact.ts';

describe('the tasks', () => {
  const isDry = { dryRun: true };
  const plan = stepOf('plan', { kind: 'call', handler: 'create-issues', with: {} }, isDry);
  const workflow = workflowOf('planned', [plan, command('work')]);
  const output: Json = [
    { id: 'a', title: 'Read | dates', requirements: ['x', 'y'], dependencies: [], issue: 7 },
    { id: 'b', title: 'Print dates', dependencies: ['a'] },
  ];
  const reportOf = (dry_run: boolean): Report => {
    const view = createRunView(workflow);
    const outcome = (place: string) => (place === 'plan' ? { output } : undefined);
    const skips = { steps: [], checks: false, dry_run };
    for (const entry of play(workflow, { outcome, skips })) view.record(entry);
    return view.report({});
  };

  it('are in the report in their order, with how much they ask for and what they wait for', () => {
    const report = reportOf(false);
    expect(report.tasks).toEqual([
      { id: 'a', title: 'Read | dates', requirements: 2, dependencies: [], issue: 7 },
      { id: 'b', title: 'Print dates', requirements: 0, dependencies: ['a'] },
    ]);
    expect(renderReport(report)).toContain('| 2 | Print dates | `b` | 0 | a |  |');
    expect(compactReport(report).map(({ label }) => label)).not.toContain('Tasks');
  });

  it('of a dry run are told at its end', () => {
    const report = reportOf(true);
    expect(compactReport(report)[0]).toEqual({
      label: 'Tasks',
      by: 'seen',
      texts: [
        '1. Read | dates (2 requirements)',
        '2. Print dates (after a)',
        'This was a dry run: no issues were made of them.',
      ],
    });
  });
});
