import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import { play } from './fixtures/play.ts';
import { delivered, type Story } from './fixtures/stories.ts';
import { prompt, workflowOf } from './fixtures/workflow.ts';
import { renderReport } from './render-report.ts';
import { renderSummary } from './render-summary.ts';
import { compactReport } from './report/compact.ts';
import type { Report, Survey } from './report.ts';
import { createRunView, type RunView } from './run-view.ts';

const USAGE = { input_tokens: 10, output_tokens: 5, cost: 0.01, turns: 1 };

function viewOf({ workflow, entries }: Story): RunView {
  const view = createRunView(workflow);
  for (const entry of entries) view.record(entry);
  return view;
}
const reportOn = (story: Story, survey: Survey = {}): Report => viewOf(story).report(survey);

/** A run of one prompt, `verify`, which answers this. */
function verified(output: JsonObject, more: Parameters<typeof prompt>[1] = {}): Story {
  const workflow = workflowOf('w', [prompt('verify', more)]);
  return { workflow, entries: play(workflow, { outcome: () => ({ output, usage: USAGE }) }) };
}
const suite = (testSuite: JsonObject): JsonObject => ({ testSuite, requirements: [], gitClean: true });

describe('whose word it is', () => {
  it('EV-REPORT-BASIS: every line of the short report says it, and so does every part of the data', () => {
    const report = reportOn(delivered(), { filesChanged: ['a.ts'], commits: [] });
    expect(compactReport(report).map(({ label, by }) => `${label}: ${by}`)).toEqual([
      'Tests: seen',
      'TDD: claimed',
      'Reviews: seen',
      'Reviews: claimed',
      'Fixes: claimed',
      'Required: claimed',
      'Published: claimed',
    ]);
    const { basis, ...parts } = report;
    for (const part of Object.keys(parts)) expect(basis, part).toHaveProperty(part);
    // That a person accepted it over the engine's head was seen.
    for (const { verb, status, by, overriddenBy } of report.steps)
      expect(by).toBe(verb === 'prompt' && status === 'done' && !overriddenBy ? 'claimed' : 'seen');
    for (const { by } of report.reviews.issues) expect(by).toBe('claimed');
  });

  it('EV-REPORT-BASIS: in report.md every line of the head is marked, and every section', () => {
    const text = renderReport(reportOn(delivered(), { filesChanged: ['a.ts'], commits: [] }));
    const [head = '', ...sections] = text.split('\n## ');
    const lines = head.split('\n').filter((line) => line.startsWith('- '));
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).toMatch(/\*\((?:seen|claimed)\)\*$/);
    for (const section of sections.filter((one) => !one.startsWith('How to go on')))
      expect(section, section.slice(0, 40)).toMatch(/\*\((?:seen|claimed)\)\*|\| (?:seen|claimed) \|/);
  });

  it('EV-REPORT-BASIS: on the screen claims stand apart from what was seen', () => {
    const view = viewOf(delivered());
    const text = renderSummary(view.summary({ report: compactReport(view.report({})) }), {
      ...{ width: 100, color: false, unicode: true },
    });
    const [seen = '', claimed = ''] = text.split('Claimed by agents');
    expect(seen).toContain('Seen by Lockstep');
    expect(seen).toContain('run 4 times by Lockstep');
    expect(seen).not.toContain('requirements met');
    expect(claimed).toContain('1 of 2 requirements met');
  });
});

it('EV-REPORT-DELETED: test files that are gone are called deleted, in short and before all other files', () => {
  const report = reportOn(verified({}), {
    filesChanged: ['src/a.ts', 'src/gone.ts', 'test/a.test.ts'],
    filesDeleted: ['src/gone.ts', 'test/a.test.ts'],
  });
  expect(compactReport(report)).toContainEqual({
    ...{ label: 'Tests', by: 'seen' },
    texts: ['1 test file deleted: test/a.test.ts'],
  });
  expect(renderReport(report)).toMatch(
    /3 files changed, of which 2 were deleted: .*\n\n- `src\/gone.ts` \*\*deleted\*\*\n- `test\/a.test.ts` \*\*deleted\*\*, a test file\n- `src\/a.ts`\n/,
  );
});

it('EV-REPORT-REVIEWS: a verification that is marked as a check is no review, nor counted as one', () => {
  const report = reportOn(verified(suite({ total: 1, passed: 1, failed: 0, exitCode: 0 }), { check: true }));
  expect(report.reviews).toMatchObject({ rounds: [], calls: 0, allCalls: 1, leftOut: 0 });
  expect(renderReport(report)).toContain('No review ran.');
  expect(renderReport(report)).not.toContain('Reviews used');
});

it('EV-REPORT-REVIEWS: a prompt that answers as a review does is one, marked or not', () => {
  const answer = { assessment: 'approved', issues: [], strengths: [], hasActionableIssues: false };
  for (const check of [true, false]) {
    const report = reportOn(verified(answer, { check }));
    expect(report.reviews).toMatchObject({ rounds: [{ gates: [{ status: 'done' }] }], calls: 1 });
    expect(renderReport(report)).not.toContain('No review ran.');
  }
});

it.each([
  [{ total: 3, passed: 2, failed: 1, exitCode: 1 }, 'the tests did not pass'],
  [{ total: 3, passed: 1, failed: 2, exitCode: 0 }, 'tests failed, and the exit code is 0'],
  [{ total: 0, passed: 0, failed: 0, exitCode: 0 }, 'no test ran'],
  [{ total: 1, passed: 2, failed: 0, exitCode: 0 }, 'more passed and failed than there are'],
])('EV-REPORT-VERIFIER: %j is told in head and table, however the run ended', (testSuite, doubt) => {
  const report = reportOn(verified(suite(testSuite)));
  expect(report.status).toBe('completed');
  const text = renderReport(report);
  expect(text).toMatch(new RegExp(`- Tests: verify says: exit code .*${doubt} \\*\\(claimed\\)\\*`));
  expect(text).toContain(`**${doubt}**`);
});
