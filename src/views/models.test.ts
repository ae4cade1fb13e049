import { describe, expect, it } from 'vitest';
import type { Outcome, Usage } from '../model/entry.ts';
import { auditRun, renderAudit } from './audit.ts';
import { play } from './fixtures/play.ts';
import { prompt, workflowOf } from './fixtures/workflow.ts';
import { renderSummary } from './render-summary.ts';
import { createRunView } from './run-view.ts';

const LOOK = { width: 100, color: false, unicode: true };
const usage = (input: number, output: number, cost: number | null): Usage => ({
  input_tokens: input,
  output_tokens: output,
  cost,
  turns: 1,
});

function played(answers: Record<string, Partial<Outcome>>) {
  const workflow = workflowOf(
    'w',
    Object.keys(answers).map((id) => prompt(id)),
  );
  const entries = play(workflow, { outcome: (place) => answers[place] });
  const view = createRunView(workflow);
  for (const entry of entries) view.record(entry);
  const state = JSON.parse(view.stateJson()) as {
    steps: Record<string, { lockstep: Record<string, unknown> }>;
    lockstep: { totals: Record<string, unknown> };
  };
  return {
    state,
    text: renderSummary(view.summary(), LOOK),
    story: renderAudit(auditRun(workflow, entries), LOOK),
    summary: view.summary(),
  };
}

describe('cost and tokens by step, run and model', () => {
  it('AG-COST: each model with what it used, in summary, state.json and audit', () => {
    const { state, text, story, summary } = played({
      plan: { usage: usage(1000, 200, 0.3), provider: 'claude', model: 'opus' },
      build: { usage: usage(500, 100, 0.1), provider: 'claude', model: 'opus' },
      review: { usage: usage(2000, 50, null), provider: 'codex', model: 'gpt' },
    });
    expect(text).toContain('Cost      at least $0.40 · 3,500 tokens in, 350 out · 1 answer without a price');
    expect(text).toContain('Models    opus (claude): $0.40 · 1,500 tokens in, 300 out · 2 answers');
    expect(text).toContain('          gpt (codex): cost unknown · 2,000 tokens in, 50 out · 1 answer');
    expect(text).toMatch(/plan .* \$0\.30 {2}1\.2k tokens/);
    expect(text).toMatch(/review .* cost unknown {2}2\.\dk tokens/);
    expect(summary.steps.map(({ tokens }) => tokens)).toEqual([
      { input: 1000, output: 200 },
      { input: 500, output: 100 },
      { input: 2000, output: 50 },
    ]);
    expect(state.lockstep.totals).toMatchObject({ cost: 0.4, unpriced: 1, input_tokens: 3500 });
    expect(state.lockstep.totals.models).toEqual([
      {
        model: 'opus',
        provider: 'claude',
        answers: 2,
        input_tokens: 1500,
        output_tokens: 300,
        turns: 2,
        cost: 0.4,
        unpriced: 0,
      },
      {
        model: 'gpt',
        provider: 'codex',
        answers: 1,
        input_tokens: 2000,
        output_tokens: 50,
        turns: 1,
        cost: null,
        unpriced: 1,
      },
    ]);
    expect(state.steps.plan?.lockstep).toMatchObject({ cost: 0.3, input_tokens: 1000, model: 'opus' });
    expect(state.steps.review?.lockstep).toMatchObject({ cost: null, input_tokens: 2000 });
    expect(story).toContain('used: at least $0.40, 3,500 tokens in, 350 out');
    expect(story).toContain('gpt (codex): cost unknown, 2,000 tokens in, 50 out, 1 answer');
    expect(story).toMatch(/review was answered \(.*, cost unknown, 2,000 tokens in, 50 out, gpt\)/);
  });

  it('AG-COST: a price nobody knows is unknown, never zero, by step, run and model', () => {
    const { state, text } = played({ one: { usage: usage(10, 10, null), provider: 'codex', model: 'gpt' } });
    expect(text).toMatch(/one .* cost unknown/);
    expect(text).toContain('Cost      unknown · 10 tokens in, 10 out');
    expect(text).not.toContain('$0');
    expect(state.lockstep.totals).toMatchObject({ cost: null, unpriced: 1 });
    expect(state.steps.one?.lockstep.cost).toBeNull();
  });

  it('AG-COST: one dispatch of several models is told apart, and counted once', () => {
    const { state, text } = played({
      one: {
        usage: usage(110, 20, 0.2),
        provider: 'claude',
        model: 'opus',
        usage_by_model: [
          { model: 'opus', usage: usage(100, 10, 0.19) },
          { model: 'haiku', usage: usage(10, 10, 0.01) },
        ],
      },
    });
    expect(text).toContain('Models    opus (claude): $0.19 · 100 tokens in, 10 out · 1 answer');
    expect(text).toContain('haiku (claude): $0.01 · 10 tokens in, 10 out · 1 answer');
    expect(state.lockstep.totals).toMatchObject({ cost: 0.2, input_tokens: 110 });
  });

  it('a client that tells nothing has an unknown price; no model is made up', () => {
    const { state, text } = played({ one: { provider: 'mine' } });
    expect(text).toContain('Cost      unknown');
    expect(text).not.toContain('Models');
    expect(state.lockstep.totals.models).toMatchObject([{ model: null, provider: 'mine', cost: null }]);
  });

  it('names that clients make up without end share a place', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`s${n}`, { usage: usage(1, 0, 0), model: `m${n}` }]),
    );
    const { state } = played(many);
    const models = state.lockstep.totals.models as { input_tokens: number }[];
    expect(models).toHaveLength(50);
    expect(models.reduce((sum, model) => sum + model.input_tokens, 0)).toBe(60);
  });

  it('AG-DENIALS: the story tells which calls were denied, and why', () => {
    const denials = { count: 3, calls: [{ tool: 'Write', about: 'a.ts', reason: 'this step only reads' }] };
    const { story } = played({ one: { denials } });
    expect(story).toContain('denied: Write a.ts: this step only reads');
    expect(story).toContain('and 2 more denied calls');
  });
});
