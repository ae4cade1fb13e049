// spending: what the agents that are running now have used, against the limits of the run. `decide` looks at limits
// before it hands out a prompt; this looks while one is being answered.

import type { Usage } from '../model/entry.ts';
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
