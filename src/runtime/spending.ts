// spending: what the agents that are running now have used, against the limits of the run. `decide` looks at limits
// before it hands out a prompt; this looks while one is being answered.

import type { Outcome, Usage } from '../model/entry.ts';
import type { State } from '../model/state.ts';

export function overspent(
  state: State,
  running: Iterable<Usage>,
): { limit: string; message: string } | undefined {
  const { limits, totals } = state;
  let { cost, turns } = totals;
  let tokens = totals.input_tokens + totals.output_tokens;
  for (const usage of running) {
    cost += usage.cost ?? 0;
    turns += usage.turns;
    tokens += usage.input_tokens + usage.output_tokens;
  }
  if (limits.cost !== undefined && cost > limits.cost) {
    return { limit: 'cost', message: `$${cost.toFixed(2)} spent, and limits.cost is $${limits.cost}` };
  }
  if (limits.tokens !== undefined && tokens > limits.tokens) {
    return { limit: 'tokens', message: `${tokens} tokens used, and limits.tokens is ${limits.tokens}` };
  }
  if (limits.turns !== undefined && turns > limits.turns) {
    return { limit: 'turns', message: `${turns} turns taken, and limits.turns is ${limits.turns}` };
  }
  return undefined;
}

/** A limit that could not count this answer: an unknown price is not zero, and nobody should think it was counted. */
export function uncounted({ limits }: State, { ok, usage, provider = 'agent' }: Outcome): string | undefined {
  if (!ok) return undefined;
  const names = (['cost', 'tokens', 'turns'] as const).filter((name) => limits[name] !== undefined);
  if (usage === undefined && names.length > 0) {
    const which = names.map((name) => `limits.${name}`).join(', ');
    return `\`${provider}\` does not tell what it uses: ${which} cannot hold it`;
  }
  if (usage?.cost === null && limits.cost !== undefined)
    return `\`${provider}\` does not know the price of its answers: limits.cost counts only those that have one`;
  return undefined;
}
