import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import type { Gate, Step } from '../model/workflow.ts';
import { play } from './fixtures/play.ts';
import { delivered, failed, many, type Story, shipped, waiting } from './fixtures/stories.ts';
import { command, each, prompt, stepOf, workflowOf } from './fixtures/workflow.ts';
import { renderReport } from './render-report.ts';
import { compactReport } from './report/compact.ts';
import type { Report, Survey } from './report.ts';
import { createRunView } from './run-view.ts';

const survey: Survey = {
  filesChanged: ['src/a.ts', 'test/a.test.ts'],
  commits: [
    { id: 'a1'.repeat(20), subject: 'implement: Read names' },
    { id: 'b2'.repeat(20), subject: 'fix: Bind | the name' },
  ],
};

function reportOn({ workflow, entries }: Story, around: Survey = survey): Report {
  const view = createRunView(workflow);
  for (const entry of entries) view.record(entry);
  return view.report(around);
}

describe('the report of a run', () => {
  const stories = { delivered, shipped, failed, waiting };
  it.each(Object.keys(stories) as (keyof typeof stories)[])('reads well: %s', async (name) => {
    const report = reportOn(stories[name](), name === 'delivered' ? survey : {});
    await expect(renderReport(report)).toMatchFileSnapshot(`golden/report-${name}.md`);
  });

  it('WR44-FR-011: has test results, test-first work, review outcomes and files changed, in short too', async () => {
    const report = reportOn(delivered());
    const lines = compactReport(report).map(({ label, texts }) => `${label}: ${texts.join('; ')}`);
    expect(lines).toMatchInlineSnapshot(`
      [
        "Tests: npm test: run 4 times by Lockstep, 1 failed; last in execute[1]/implement, exit code 0; what the agent claimed was wrong once: execute[1]/implement, try 1",
        "TDD: 2 of 2 functions watched failing first and then passing, say the agents",
        "Reviews: 3 rounds, 3 reviews left out",
        "Reviews: 3 issues found, 1 settled, 2 open",
        "Fixes: 1 fixed, 1 not fixed, say the agents",
        "Required: 1 of 2 requirements met, not R2 (says verify)",
        "Commits: 2 (implement: Read names and fix: Bind | the name)",
        "Published: https://example.com/pull/7, says the agent",
      ]
    `);
    expect(report.filesChanged).toEqual(survey.filesChanged);
  });

  it('RP1: what an agent claims stands beside what Lockstep saw, and is called a claim', () => {
    const { claims } = reportOn(delivered());
    expect(claims.find(({ path }) => path === 'execute[0]/implement')).toEqual({
      ...{ path: 'execute[0]/implement', try: 1, total: 4, passed: 4, failed: 0, exitCode: 0, seen: 0 },
    });
    expect(
      claims.filter(({ path }) => path === 'execute[1]/implement').map(({ try: n, seen }) => [n, seen]),
    ).toEqual([
      [1, 1],
      [2, 0],
    ]);
    const workflow = workflowOf('lies', [
      prompt('implement', { onFail: 'continue', done: { checks: [check()], tries: 1 } }),
    ]);
    const entries = play(workflow, {
      outcome: (place) =>
        place === 'implement'
          ? { output: { testResults: { total: 9, passed: 9, failed: 0, exitCode: 0 } } }
          : { ok: false, exit_code: 1, output: '2 failing' },
    });
    const report = reportOn({ workflow, entries });
    expect(report.claims).toMatchObject([{ exitCode: 0, seen: 1 }]);
    expect(compactReport(report)[0]?.texts).toEqual([
      'npm test: run once by Lockstep, failed; in implement, exit code 1',
      'what the agent claimed was wrong once: implement, try 1',
    ]);
  });

  it('WR47-FR-7.4: stepSummary has these names and these words', () => {
    const workflow = workflowOf('skips', [
      prompt('review-security', { if: 'false' }),
      prompt('review-test-coverage'),
      prompt('style', { check: true }),
      each('all', '[1, 2]', [command('work'), command('never', ['true'], { if: 'item > 5' })]),
    ]);
    const skips = { steps: ['review-test-coverage'], checks: true, dry_run: false };
    const story = { workflow, entries: play(workflow, { skips }) };
    const condition = { name: 'never', reason: 'condition is false: item > 5' };
    const expected = {
      ...{ totalSteps: 7, executed: 2, skipped: 5 },
      skippedSteps: [
        { name: 'review-security', reason: 'disabled in workflow definition' },
        { name: 'review-test-coverage', reason: '--skip-step=review-test-coverage' },
        { name: 'style', reason: '--skip-checks' },
        condition,
        condition,
      ],
    };
    expect(reportOn(story).stepSummary).toEqual(expected);
    const view = createRunView(workflow);
    for (const entry of story.entries) view.record(entry);
    expect(JSON.parse(view.stateJson()).lockstep.stepSummary).toEqual(expected);
    expect(view.summary().stepSummary).toEqual(expected);
  });

  it('WR47-SC-5, WR47-FR-6.3: names every step with its agent, prompt, model and result, and every skip', () => {
    const { steps } = reportOn(delivered());
    expect(steps.find(({ path }) => path === 'execute[0]/implement')).toMatchObject({
      agent: { name: 'implementer', layer: 'builtin', path: 'agents/implementer.md' },
      prompt: { name: 'implement' },
      ...{
        provider: 'claude',
        model: 'opus',
        status: 'done',
        result: '1 file, 4 of 4 tests passed, it says',
      },
    });
    expect(steps.find(({ name }) => name === 'changelog')).toMatchObject({
      skipped: { reason: 'disabled', why: 'disabled in workflow definition' },
    });
    expect(steps.find(({ name }) => name === 'verify')).toMatchObject({
      ...{ agent: { name: 'implementer' }, overriddenBy: 'ada' },
    });
  });

  it('LS-RPT-REVIEWS: tells issues that were settled from those that are open, by the last word of who found them', () => {
    const { reviews } = reportOn(delivered());
    expect(reviews.rounds.map(({ path, of, round }) => [path, of, round])).toEqual([
      ['execute[0]/reviews', 'Read <names>', 1],
      ['execute[0]/fix-loop#1/re-reviews', 'Read <names>', 2],
      ['execute[1]/reviews', 'Print names', 1],
    ]);
    expect(
      reviews.issues.map(({ description, of, foundBy, isOpen }) => [description, of, foundBy, isOpen]),
    ).toEqual([
      ['The name goes into the query | as it is', 'Read <names>', ['security', 'style'], false],
      ['A function of 80 lines', 'Read <names>', ['style'], true],
      ['A function of 80 lines', 'Print names', ['style'], true],
    ]);
    expect(reviews.rounds[0]?.gates).toEqual([
      { gate: 'security', status: 'done', verdict: 'needs revision', issues: 1 },
      { gate: 'style', status: 'done', verdict: 'needs revision', issues: 2 },
      { gate: 'deep', status: 'skipped', issues: 0, why: expect.stringContaining('--gate deep') },
    ]);
    expect(reviews).toMatchObject({ calls: 6, leftOut: 3 });
  });

  it('LS-RPT-REVIEWS: a loop that a person has done once more counts every round and fix of it', () => {
    const gates = (id: string) =>
      stepOf(id, { kind: 'parallel', gates: 'review', steps: [gate('style')] }, { output: 'review' });
    const test = { kind: 'while' as const, cel: 'review.hasActionableIssues' };
    const workflow = workflowOf('again', [
      gates('reviews'),
      stepOf('fix-loop', { kind: 'loop', test, max: 2, steps: [prompt('fix'), gates('re-reviews')] }),
    ]);
    const issues = [{ severity: 'critical', description: 'bad', file: 'a.py', fixInstructions: 'mend it' }];
    let answered = 0;
    const objection = { assessment: 'needs_revision', issues, strengths: [], hasActionableIssues: true };
    const fix = { fixed: [{ description: 'bad', how: 'mended' }], notFixed: [] };
    const entries = play(workflow, {
      outcome: (place): { output: JsonObject } => ({ output: place.endsWith('style') ? objection : fix }),
      answer: () => (answered++ === 0 ? { answer: 'again' } : undefined),
    });
    const report = reportOn({ workflow, entries }, {});
    expect(report.reviews.rounds.map(({ path, round }) => [path, round])).toEqual([
      ['reviews', 1],
      ['fix-loop#1/re-reviews', 2],
      ['fix-loop#2/re-reviews', 3],
      ['fix-loop#1/re-reviews', 4],
      ['fix-loop#2/re-reviews', 5],
    ]);
    expect(compactReport(report)).toEqual([
      { label: 'Reviews', texts: ['5 rounds'], by: 'seen' },
      { label: 'Reviews', texts: ['1 issue found, 0 settled, 1 open'], by: 'claimed' },
      { label: 'Fixes', texts: ['4 fixed, say the agents'], by: 'claimed' },
    ]);
  });

  it('LS-RPT-REVIEWS: a review that failed is told as one, not as one that found nothing', () => {
    const told = (names: string[]) => {
      const work = { kind: 'parallel' as const, gates: 'review', steps: names.map(gate) };
      const workflow = workflowOf('looked', [stepOf('reviews', work)]);
      const outcome = (place: string) =>
        place.endsWith('broken')
          ? { ok: false, error: { class: 'exit' as const, message: 'no model' } }
          : { output: { assessment: 'approved', issues: [], strengths: [], hasActionableIssues: false } };
      return compactReport(reportOn({ workflow, entries: play(workflow, { outcome }) }, {}))[0]?.texts;
    };
    expect(told(['broken'])).toEqual(['1 round, nobody looked, 1 review failed']);
    expect(told(['style', 'broken'])).toEqual([
      '1 round, no issues found by those that looked, 1 review failed',
    ]);
    expect(told(['style'])).toEqual(['1 round, no issues']);
  });

  it('a command is told with how often it was run, as a check or not', () => {
    const test = { kind: 'argv' as const, argv: ['npm', 'test'] };
    const work = prompt('work', { done: { checks: [check()], tries: 1 } });
    const told = (...steps: Step[]) => {
      const workflow = workflowOf('tested', steps);
      const outcome = () => ({ output: '', exit_code: 0 });
      return compactReport(reportOn({ workflow, entries: play(workflow, { outcome }) }, {}))[0]?.texts;
    };
    expect(told(work)).toEqual(['npm test: run once by Lockstep, passed; in work, exit code 0']);
    expect(told(work, stepOf('verify', { kind: 'run', command: test }))).toEqual([
      'npm test: run 2 times by Lockstep, passed each time; last in verify, exit code 0',
    ]);
  });

  it('LS-RPT-COST: says what reviews used, of all calls and all money', () => {
    const { workflow, entries } = delivered();
    const view = createRunView(workflow);
    for (const entry of entries) view.record(entry);
    expect(view.summary().reviewCost).toMatch(
      /^6 of \d+ calls \(\d+%\), 9,000 tokens, \$0\.06 of \$0\.\d+ \(\d+%\)$/,
    );
  });

  it('WR47-FR-7.3: has the results of steps since each checkpoint', () => {
    const call = (handler: string) => ({ kind: 'call' as const, handler, with: {} });
    const steps = [prompt('work'), stepOf('checkpoint', call('save-checkpoint'))];
    const workflow = workflowOf('tasks', [prompt('plan'), each('all', '["T1", "T2"]', steps)]);
    const entries = play(workflow, {
      outcome: (place) =>
        place === 'all[0]/checkpoint'
          ? { output: { task: 'T1', completed: ['T1'], pending: ['T2'] } }
          : undefined,
    });
    const { checkpoints, steps: told } = reportOn({ workflow, entries });
    expect(checkpoints).toEqual([
      {
        path: 'all[0]/checkpoint',
        task: 'T1',
        completed: ['T1'],
        pending: ['T2'],
        steps: ['plan', 'all[0]/work'],
      },
      { path: 'all[1]/checkpoint', completed: [], pending: [], steps: ['all[1]/work'] },
    ]);
    expect(told.find(({ path }) => path === 'all[1]/work')).toMatchObject({ status: 'done', result: 'fine' });
  });

  it('is bounded, however many steps there were, and says how many are not told', () => {
    const items = JSON.stringify(Array.from({ length: 2500 }, (_, index) => index));
    const workflow = workflowOf('wide', [each('all', items, [command('a')])]);
    const report = reportOn({ workflow, entries: play(workflow, { most: 20_000 }) });
    expect(report.steps).toHaveLength(2000);
    expect(report.more).toMatchObject({ steps: 500, commands: 500 });
    expect(report.stepSummary.executed).toBe(2500);
    expect(renderReport(report)).toContain('and 2,300 more steps');
    expect(renderReport(report)).toContain('This report leaves out 500 commands;');
  });

  it('V2: any beginning of a journal has a report', () => {
    for (const story of [delivered(), many()])
      for (let length = 0; length <= story.entries.length; length += 7)
        expect(renderReport(reportOn({ ...story, entries: story.entries.slice(0, length) }))).toContain(
          '## Steps',
        );
  });
});

function check() {
  return { kind: 'run' as const, command: { kind: 'argv' as const, argv: ['npm', 'test'] } };
}

function gate(name: string): Step {
  const own: Gate = { name, source: 0, enabled: true, run: 'always', files: ['**'], again: 'always' };
  return prompt(name, { gate: own });
}
