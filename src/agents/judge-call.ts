// judge-call: a call that names several paths is let through if it may be for each of them, whole or not at all.

import type { JsonObject } from '../model/json.ts';
import type { ToolEvent, ToolGuard, Verdict } from '../ports/agent.ts';

/** What a client is to do instead, in its own words; undefined: it cannot be told so. */
export type HandBack = (event: ToolEvent, input: JsonObject) => JsonObject | undefined;

const UNTOLD = 'a rule rewrites this call into something that the client cannot be told';

export async function judgeCall(
  events: readonly ToolEvent[],
  guard: ToolGuard,
  handBack: HandBack = (_, input) => input,
): Promise<Verdict> {
  const advice: string[] = [];
  let input: JsonObject | undefined;
  for (const event of events) {
    const asked = input === undefined ? event : withInput(event, input);
    const verdict = await guard.decide(asked);
    if (verdict.kind === 'deny') return verdict;
    if (verdict.kind === 'rewrite') input = handBack(asked, verdict.input);
    if (verdict.kind === 'rewrite' && input === undefined) return { kind: 'deny', reason: UNTOLD };
    if (verdict.advice !== undefined && !advice.includes(verdict.advice)) advice.push(verdict.advice);
  }
  const said = advice.length > 0 ? { advice: advice.join('\n') } : {};
  return input === undefined ? { kind: 'allow', ...said } : { kind: 'rewrite', input, ...said };
}

/** Who rewrites a call does so for the whole: the paths after are as they are then. */
function withInput(event: ToolEvent, input: JsonObject): ToolEvent {
  const file = event.field === undefined ? undefined : input[event.field];
  return { ...event, input, ...(typeof file === 'string' && { file }) };
}
