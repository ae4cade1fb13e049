import { describe, expect, it } from 'vitest';
import { play } from './fixtures/play.ts';
import { ship } from './fixtures/play-stories.ts';
import { command, prompt, sequence, stepOf, workflowOf } from './fixtures/workflow.ts';
import { countSteps, planWorkflow, renderPlan } from './plan.ts';
import { displayWidth } from './text/width.ts';

const golden = (name: string): string => `golden/plan-${name}.txt`;

const full = workflowOf(
  'full',
  [
    prompt('draft', {
      title: 'Write {{ inputs.x }}',
      enter: [{ work: { kind: 'set', values: { n: 1 } } }, { work: { kind: 'say', text: 'Mind the gap.' } }],
      exit: [
        {
          when: 'status == "failed"',
          work: { kind: 'run', command: { kind: 'shell', line: 'git checkout -- .' } },
        },
      ],
      done: {
        checks: [
          { kind: 'schema', name: 'Review', schema: {} },
          { kind: 'that', is: 'output.ok' },
          { kind: 'approve', ask: 'Good?', accept: [], reject: [] },
        ],
        tries: 3,
      },
      retry: { max: 2, delay: 1000, on: [1, 'rate-limit'] },
      timeout: 600_000,
      onFail: 'pause',
      recover: { kind: 'pause' },
      next: [
        { when: 'output.again', goto: 'draft', do: [{ work: { kind: 'set', values: {} } }] },
        { do: [] },
      ],
    }),
    stepOf('inbox', { kind: 'wait', for: 'files', files: ['inbox/*.task'], min: 2, every: 500 }),
    stepOf('signal', { kind: 'wait', for: 'signal', signal: 'go' }, { onFail: 'continue' }),
    stepOf('pause', { kind: 'wait', for: 'time', duration: 90_000 }, { onFail: 'stop' }),
    stepOf('note', { kind: 'call', handler: 'write-file', with: {} }),
    stepOf('gates', { kind: 'parallel', gates: 'gates/', steps: [] }),
    stepOf(
      'test',
      { kind: 'run', command: { kind: 'input', expression: 'inputs.test' } },
      {
        recover: { kind: 'probe', command: { kind: 'argv', argv: ['test', '-f', 'a b'] } },
      },
    ),
    stepOf('sub', { kind: 'workflow', workflow: 'inner', with: {} }),
    stepOf('file', {
      kind: 'prompt',
      prompt: { kind: 'file', path: 'prompts/x.md' },
      performer: { params: {}, tools: { deny: [] } },
      with: {},
    }),
  ],
  { workflows: { inner: workflowOf('inner', [command('leaf', ['echo', 'two words']), command('other')]) } },
);

describe('the plan', () => {
  it.each([80, 60, 120])(
    'shows every step, who does it and when it counts as done, at %i columns',
    async (width) => {
      const text = renderPlan(planWorkflow(ship), { width, color: false, unicode: true });
      for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      await expect(`${text}\n`).toMatchFileSnapshot(golden(`ship-${width}`));
    },
  );

  it('shows everything that surrounds a step', async () => {
    const text = renderPlan(planWorkflow(full), { width: 80, color: false, unicode: false });
    await expect(`${text}\n`).toMatchFileSnapshot(golden('full-ascii'));
  });

  it('says what will be left out, with the words the run will use for it', () => {
    const skips = { steps: ['execute', 'reviews/style'], checks: true, dry_run: false };
    const plan = planWorkflow(ship, skips);
    const planned = new Map<string, string | undefined>();
    const walk = (steps: typeof plan.steps): void => {
      for (const step of steps) {
        planned.set(step.place, step.skipped);
        walk(step.children);
      }
    };
    walk(plan.steps);
    const skipped = play(ship, {
      skips,
      answer: () => ({ answer: 'approve' }),
      outcome: () => ({ output: 'ok' }),
    }).flatMap((entry) =>
      entry.kind === 'step-skipped' && entry.reason !== 'condition'
        ? [[entry.path.replace(/#\d+/g, ''), entry.why]]
        : [],
    );
    expect(skipped.length).toBeGreaterThan(3);
    for (const [path, why] of skipped)
      expect(`${path}: ${planned.get(path as string)}`).toBe(`${path}: ${why}`);
  });

  it('counts the steps that do something, blocks left out', () => {
    const plan = planWorkflow(workflowOf('x', [sequence('s', [command('a'), command('b')]), command('c')]));
    expect(countSteps(plan.steps)).toBe(3);
  });
});
