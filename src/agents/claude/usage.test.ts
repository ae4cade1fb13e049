import { describe, expect, it } from 'vitest';
import type { ModelUsage, ResultMessage } from './messages.ts';
import { totalsOf, usageByModel, usageOf } from './usage.ts';

const model = (cost: number, more: ModelUsage = {}): ModelUsage => ({
  inputTokens: 10,
  outputTokens: 5,
  cacheReadInputTokens: 100,
  cacheCreationInputTokens: 1000,
  costUSD: cost,
  costBasis: 'list',
  ...more,
});
const result = (more: Partial<ResultMessage>): ResultMessage => ({
  type: 'result',
  subtype: 'success',
  ...more,
});
const fresh = { resumed: false, totals: undefined };

describe('a client that counts by dispatch', () => {
  it('U1: what came from a cache or went into one was read', () => {
    const one = result({ model_usage_since_last_result: { opus: model(0.5) } });
    expect(usageOf([one], 2, fresh)).toEqual({ input_tokens: 1110, output_tokens: 5, cost: 0.5, turns: 2 });
  });

  it('V1: all results and all models of a dispatch count, subagents’ too', () => {
    const results = [
      result({ model_usage_since_last_result: { opus: model(0.5), haiku: model(0.25) } }),
      result({ model_usage_since_last_result: { opus: model(1) } }),
    ];
    expect(usageOf(results, 3, fresh)).toEqual({
      input_tokens: 3330,
      output_tokens: 15,
      cost: 1.75,
      turns: 3,
    });
    expect(usageByModel(results)).toEqual([
      { model: 'opus', usage: { input_tokens: 2220, output_tokens: 10, cost: 1.5, turns: 0 } },
      { model: 'haiku', usage: { input_tokens: 1110, output_tokens: 5, cost: 0.25, turns: 0 } },
    ]);
  });

  it('AG-CLAUDE-CUMULATIVE: a session that goes on is not counted twice, whatever its totals say', () => {
    const again = result({
      total_cost_usd: 100,
      modelUsage: { opus: model(100) },
      model_usage_since_last_result: { opus: model(0.5) },
    });
    expect(usageOf([again], 1, { resumed: true, totals: undefined }).cost).toBe(0.5);
    expect(totalsOf(again)?.cost).toBe(100);
  });

  it('U2: AG-CLAUDE-PRICE: a price that is a guess is unknown, and so is the sum', () => {
    const results = [
      result({
        total_cost_usd: 3,
        model_usage_since_last_result: { opus: model(1), mine: model(2, { costBasis: 'unknown' }) },
      }),
    ];
    expect(usageOf(results, 1, fresh).cost).toBeNull();
    expect(usageByModel(results).map(({ usage }) => usage.cost)).toEqual([1, null]);
  });
});

describe('an older client, which counts over the life of a session', () => {
  const older = (more: Partial<ResultMessage> = {}) =>
    result({
      usage: { input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 5 },
      total_cost_usd: 3,
      modelUsage: { opus: model(3) },
      ...more,
    });

  it('a fresh session costs what it says', () => {
    expect(usageOf([older()], 1, fresh)).toEqual({ input_tokens: 110, output_tokens: 5, cost: 3, turns: 1 });
  });

  it('AG-CLAUDE-CUMULATIVE: one that goes on costs the difference', () => {
    const totals = { input_tokens: 1, output_tokens: 1, cost: 2, turns: 1 };
    expect(usageOf([older()], 1, { resumed: true, totals }).cost).toBe(1);
  });

  it('AG-CLAUDE-PRICE: what it had cost before is not known: neither is the difference', () => {
    expect(usageOf([older()], 1, { resumed: true, totals: undefined }).cost).toBeNull();
    const guess = older({ modelUsage: { mine: model(3, { costBasis: 'unknown' }) } });
    expect(usageOf([guess], 1, fresh).cost).toBeNull();
  });

  it('one that could not begin has cost nothing, and says nothing of the session', () => {
    const failed = result({
      subtype: 'error_during_execution',
      total_cost_usd: 0,
      modelUsage: {},
      usage: {},
    });
    expect(usageOf([failed], 0, { resumed: true, totals: undefined }).cost).toBe(0);
    expect(totalsOf(failed)).toBeUndefined();
  });
});
