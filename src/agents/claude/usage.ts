// usage: what one dispatch used, out of counters that go on over the life of a session.
//
// U1. Tokens that were read from a cache, or put into one, were read: they count as input.
// U2. A price that the client only guesses at is unknown (null), and so is the sum it is part of.
// U3. A turn is a request to the model in the main conversation. (The client’s own `num_turns` counts tool results.)

import type { Usage } from '../../model/entry.ts';
import type { ModelUsage, ResultMessage, TokenCounts } from './messages.ts';

/** Whether the session went on from an earlier dispatch, and what it had used then. */
export interface Before {
  resumed: boolean;
  totals: Usage | undefined;
}

const NOTHING: Usage = { input_tokens: 0, output_tokens: 0, cost: 0, turns: 0 };

export function usageOf(results: readonly ResultMessage[], turns: number, before: Before): Usage {
  const last = results.at(-1);
  const counted = results.every((result) => result.model_usage_since_last_result !== undefined);
  if (counted || last === undefined)
    return results.reduce((sum, result) => plus(sum, modelsUsage(result.model_usage_since_last_result)), {
      ...NOTHING,
      turns,
    });
  // An older client: tokens of the main conversation turn by turn, the cost of the whole session.
  const tokens = results.reduce((sum, result) => plus(sum, tokensUsage(result.usage)), NOTHING);
  const isNothing = turns === 0 && tokens.input_tokens === 0 && tokens.output_tokens === 0;
  return { ...tokens, turns, cost: isNothing ? 0 : costSince(last, before) };
}

/** The same by model, where the client tells; the turns are the dispatch's, not a model's. */
export function usageByModel(results: readonly ResultMessage[]): { model: string; usage: Usage }[] {
  const models = new Map<string, Usage>();
  for (const result of results) {
    for (const [model, used] of Object.entries(result.model_usage_since_last_result ?? {}))
      models.set(model, plus(models.get(model) ?? NOTHING, modelsUsage({ [model]: used })));
  }
  return [...models].map(([model, usage]) => ({ model, usage }));
}

/** The session's own counters, for the next dispatch that goes on in it. */
export function totalsOf(last: ResultMessage): Usage | undefined {
  // One that could not even begin has its counters at zero, whatever the session had used.
  if (last.modelUsage === undefined || last.subtype === 'error_during_execution') return undefined;
  return modelsUsage(last.modelUsage);
}

/** Of the requests seen so far, while it works: how much comes out of one is told at the end only. */
export function tokensUsage(tokens: TokenCounts | undefined): Usage {
  return {
    input_tokens:
      count(tokens?.input_tokens) +
      count(tokens?.cache_creation_input_tokens) +
      count(tokens?.cache_read_input_tokens),
    output_tokens: count(tokens?.output_tokens),
    cost: null,
    turns: 0,
  };
}

function costSince(last: ResultMessage, { resumed, totals }: Before): number | null {
  const total = modelsUsage(last.modelUsage).cost === null ? null : (last.total_cost_usd ?? null);
  if (!resumed || total === null) return total;
  // What it had cost before is not known: neither is the difference.
  return totals?.cost == null ? null : Math.max(0, total - totals.cost);
}

function modelsUsage(models: Readonly<Record<string, ModelUsage>> | undefined): Usage {
  return Object.values(models ?? {}).reduce<Usage>(
    (sum, model) =>
      plus(sum, {
        input_tokens:
          count(model.inputTokens) +
          count(model.cacheReadInputTokens) +
          count(model.cacheCreationInputTokens),
        output_tokens: count(model.outputTokens),
        cost: model.costBasis === 'unknown' ? null : (model.costUSD ?? null),
        turns: 0,
      }),
    NOTHING,
  );
}

export function plus(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
    turns: a.turns + b.turns,
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
