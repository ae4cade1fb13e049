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

  it('says which steps run in a dry run, and what was found is shown where it is used', () => {
    const test = { kind: 'run' as const, command: { kind: 'input' as const, expression: 'inputs.test' } };
    const flow = workflowOf(
      'x',
      [prompt('a', { dryRun: true, done: { checks: [test], tries: 2 } }), command('b')],
      { inputs: { test: { type: 'string', find: 'test-command' } } },
    );
    const skips = { steps: [], checks: false, dry_run: true };
    const look = { width: 100, color: false, unicode: true };
    const before = renderPlan(planWorkflow(flow, skips), look);
    expect(before).toContain('input test: string, found in the project (test-command), else required');
    const given = { inputs: { test: 'npm test' }, found: { test: { from: 'package.json' } } };
    const text = renderPlan(planWorkflow(flow, skips, given), look);
    expect(text).toContain('input test: string, "npm test" from package.json');
    expect(text).toContain('done when: npm test ends with 0');
    expect(text.match(/dry run: this one runs/g)).toHaveLength(1);
  });

  it('keeps the tree whole and within the width, however deep a long detail stands', () => {
    const long = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');
    let step = command('leaf', ['true'], { if: long });
    for (const id of ['d', 'c', 'b', 'a'])
      step = sequence(id, [step, command(`${id}2`, ['true'], { if: long })]);
    for (const width of [50, 61, 80]) {
      const lines = renderPlan(planWorkflow(workflowOf('x', [step])), {
        width,
        color: false,
        unicode: true,
      }).split('\n');
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      const tree = lines.slice(lines.indexOf('') + 1, lines.lastIndexOf(''));
      expect(tree.filter((line) => !/^[├└│ ]/.test(line) || /^ {2}\S/.test(line))).toEqual([]);
    }
  });

  it('counts the steps that do something, blocks left out', () => {
    const plan = planWorkflow(workflowOf('x', [sequence('s', [command('a'), command('b')]), command('c')]));
    expect(countSteps(plan.steps)).toBe(3);
  });
});
