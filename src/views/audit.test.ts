import { describe, expect, it } from 'vitest';
import { auditRun, renderAudit } from './audit.ts';
import { play } from './fixtures/play.ts';
import { failed, shipped, waiting } from './fixtures/stories.ts';
import { command, parallel, prompt, stepOf, workflowOf } from './fixtures/workflow.ts';

const golden = (name: string): string => `golden/audit-${name}.txt`;

describe('the audit', () => {
  it.each([
    ['shipped', shipped, 80],
    ['failed', failed, 80],
    ['waiting', waiting, 60],
    ['shipped', shipped, 120],
  ] as const)('tells the story of %s', async (name, story, width) => {
    const { workflow, entries } = story();
    const text = renderAudit(auditRun(workflow, entries), { width, color: false, unicode: true });
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    await expect(`${text}\n`).toMatchFileSnapshot(golden(`${name}-${width}`));
  });

  it('has as data who was given what from which layer, and what came of it', () => {
    const { workflow, entries } = shipped();
    const facts = auditRun(workflow, entries).flatMap((line) =>
      line.path === 'analyze' && line.facts ? [line.facts] : [],
    );
    expect(facts).toMatchObject([
      {
        agent: {
          name: 'implementer',
          layer: 'builtin',
          path: 'agents/implementer.md',
          hash: '99'.repeat(32),
        },
        prompt: { name: 'analyze' },
        model: 'opus',
      },
      { duration_ms: expect.any(Number), output: expect.anything() },
    ]);
  });

  it('S1: names every skip with its reason, and every override with who said so', () => {
    const { workflow } = waiting();
    const entries = play(workflow, {
      skips: { steps: ['paint'], checks: false, dry_run: false },
      outcome: () => ({ output: 'bad' }),
      answer: ({ question }) =>
        question === 'held' ? { answer: 'accept', by: 'grace', note: 'fine' } : { answer: 3 },
    });
    const told = auditRun(workflow, entries).map(({ text }) => text);
    expect(told).toContain('first/draft: grace accepted it, over what the engine had found, saying: fine.');
    expect(told).toContain('paint was skipped: --skip-step paint.');
    expect(told).toContain('first/colour: ada answered "3".');
  });

  it('has a line for every kind of thing that happens, and says what is under way where the journal ends', () => {
    const workflow = workflowOf(
      'kinds',
      [
        stepOf('wait', { kind: 'wait', for: 'signal', signal: 'go' }),
        stepOf(
          'call',
          { kind: 'workflow', workflow: 'inner', with: {} },
          {
            enter: [{ work: { kind: 'set', values: { x: '1' } } }],
            exit: [{ when: 'false', work: { kind: 'run', command: { kind: 'shell', line: 'rm x' } } }],
          },
        ),
        parallel('both', [
          command('slow', ['sleep']),
          command('quick', ['true'], {
            next: [
              {
                when: 'status == "done"',
                goto: 'last',
                do: [{ work: { kind: 'run', command: { kind: 'shell', line: 'echo x' } } }],
              },
            ],
          }),
        ]),
        command('last', ['true'], { recover: { kind: 'probe', command: { kind: 'argv', argv: ['probe'] } } }),
      ],
      { vars: { x: '0' }, workflows: { inner: workflowOf('inner', [prompt('ask-it')]) } },
    );
    const entries = play(workflow, {
      pick: (length) => length - 1,
      outcome: (place) => (place === 'call/ask-it' ? { warnings: ['no such tool'] } : undefined),
    });
    const begun = entries.findIndex((entry) => entry.kind === 'attempt-started' && entry.path === 'last');
    const lines = auditRun(workflow, entries.slice(0, begun + 1));
    const told = lines.map(({ text }) => text);
    expect(told).toEqual([
      'ada on host1 started kinds (.lockstep/workflows/kinds.yaml, sha256 ab12cd34ef56) as run 20261115T101500Z-a3f8c2, with lockstep 0.1.0.',
      'wait waits for signal go.',
      'wait ended well (1.0 s).',
      'call began: workflow inner.',
      'call.enter[0] set x = 1.',
      'call called its workflow.',
      'call/ask-it was given to agent implementer (built in; claude, opus) with prompt ask-it.',
      'call/ask-it was answered (1.0 s).',
      'call: its workflow returned.',
      'call.exit[0] was passed over: condition is false: false.',
      'both began: all at once.',
      'both/quick: run true ended well (1.0 s).',
      'both/quick: rule 1 of next holds (status == "done").',
      'both/quick.do[0]: run echo x ended well (1.0 s).',
      'both/quick: the run goes to last, since status == "done".',
      expect.stringMatching(/^both\/slow was told to end: ./),
      'both/slow: run sleep ended badly (1.0 s).',
      expect.stringMatching(/^both\/slow failed: ./),
      expect.stringMatching(/^both failed: ./),
      'last is under way since 5.0 s: run true.',
    ]);
    expect(lines[0]?.details).toEqual(['var x = 0']);
    expect(lines[7]?.details).toEqual(['no such tool']);
    expect(lines.at(-1)).toMatchObject({ path: 'last', kind: 'attempt-started', tone: 'live' });
  });

  it('gives structured lines that survive JSON', () => {
    const { workflow, entries } = shipped();
    const lines = auditRun(workflow, entries);
    expect(JSON.parse(JSON.stringify(lines))).toEqual(lines);
    expect(lines.find(({ path }) => path === 'execute[1]/implement')).toMatchObject({
      depth: 2,
      kind: 'attempt-started',
    });
  });
});
