// guard: (what binds a step, a tool call) → may it happen?
// Owns: the order deny, allow, rules (rules 8 and 9), and what a rule's expressions see. Never: looks at the world,
// remembers a call, asks anybody.
//
// G1. Depends on its arguments only. What it would have to look at it asks for (`needs`), and is asked again.
// G2. A list that is denied by or not allowed ends it; no rule lets through what a list withholds.
// G3. Rules are read in order, the workflow's first. The first `block` or `ask` that holds ends it; a `rewrite` that
//     holds is judged again, lists first, by the rules after it.
// G4. A `block` rule that cannot be evaluated blocks; any other is noted and passed by.
// G5. Our own control tools are never filtered out: those of servers that this run started, by their exact names.
// G9. A rule is evaluated once for each name of the file (as spelt, as where links lead); the strictest answer counts.
// G10. What is denied has a reason in words: some clients let a call through that is denied without one.

import type { Bindings } from '../expressions/evaluation.ts';
import { renderDeep, renderText, test } from '../expressions/expressions.ts';
import type { Fact, Need } from '../model/entry.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { withoutMarks } from '../model/mask-mark.ts';
import { NO_EVENT, NO_SESSION } from '../model/session-view.ts';
import type { OpenStep, State } from '../model/state.ts';
import type { Denied, SessionFacts, ToolAct, Verdict } from '../model/tool-call.ts';
import type { Rule, ToolPolicy } from '../model/workflow.ts';
import { bindingsAt, factKey } from './bindings.ts';
import { namesOf } from './guard/protected-places.ts';
import { isOwnTool, type Surroundings, whyWithheld } from './guard/tool-lists.ts';
import { effectAt } from './places.ts';

export { pathReadings } from './guard/path-readings.ts';
export { namesOf } from './guard/protected-places.ts';
export { type Surroundings, whyWriteWithheld } from './guard/tool-lists.ts';

/** What binds an agent at one place of a run. */
export interface Bounds {
  tools: ToolPolicy;
  rules: readonly Rule[];
  /** What the rules may name, `event` and `session` aside. */
  names: Bindings;
  around: Surroundings;
}

export interface Moment {
  session: SessionFacts;
  /** What was seen of the world for this call. */
  facts: ReadonlyMap<string, Fact>;
  /** After a rewrite: the rules before this one have had their say. */
  from?: number;
}

/** What has to be looked at first; else the verdict, with what rules said on the way to it. */
export type Judged = { kind: 'needs'; needs: Need[] } | (Verdict & Said);

interface Said {
  /** Of `warn` rules that hold. */
  warnings: string[];
  /** Rules that could not be evaluated, and why. */
  notes: string[];
}

/** The rules that bind the effect, and what they may name; undefined: it is not under way. */
export function rulesAt(state: State, effect: string): Pick<Bounds, 'rules' | 'names'> | undefined {
  const open = effectAt(state, effect)?.open;
  return open && rulesOf(state, open);
}

/** Those of the step and of its workflow. */
export function rulesOf(state: State, open: OpenStep): Pick<Bounds, 'rules' | 'names'> {
  const { rules } = open.scope.workflow;
  return { rules: [...rules, ...open.step.rules], names: bindingsAt(state, open.scope, open) };
}

export function judge(bounds: Bounds, call: ToolAct, moment: Moment): Judged {
  const said: Said = { warnings: [], notes: [] };
  if (isOwnTool(call.tool, bounds.around)) return { kind: 'allow', ...said };
  const withheld = whyWithheld(bounds.tools, call, bounds.around);
  if (withheld !== undefined) return { kind: 'deny', reason: withheld, by: 'tools', ...said };
  const sights = sightsOf(bounds, call, moment);
  for (const [index, rule] of bounds.rules.entries()) {
    if (index < (moment.from ?? 0)) continue;
    const endings = sights.flatMap((seen) => apply(rule, index, call, seen, said) ?? []);
    const ending = strictest(endings);
    if (ending !== undefined) return ending;
  }
  return { kind: 'allow', ...said };
}

const STRICTNESS: readonly ((one: Judged) => boolean)[] = [
  ({ kind }) => kind === 'needs',
  (one) => one.kind === 'deny' && one.asks === undefined,
  ({ kind }) => kind === 'deny',
  ({ kind }) => kind === 'rewrite',
  () => true,
];

/** What has to be looked at comes first: nothing is said before all is known. */
function strictest(endings: readonly Judged[]): Judged | undefined {
  const isIt = STRICTNESS.find((one) => endings.some(one));
  return isIt && endings.find(isIt);
}

function apply(rule: Rule, index: number, call: ToolAct, seen: Bindings, said: Said): Judged | undefined {
  const holds = test(rule.when, seen);
  const deny = (reason: string): Denied & Said => ({
    kind: 'deny',
    reason,
    by: 'rule',
    rule: rule.when,
    ...said,
  });
  if (holds.kind === 'needs') return holds;
  if (holds.kind === 'error') {
    const problem = `the rule \`${rule.when}\` cannot be evaluated: ${holds.message}`;
    if (rule.block !== undefined) return deny(problem);
    note(said.notes, problem);
    return undefined;
  }
  if (!holds.value) return undefined;
  if (rule.rewrite !== undefined) return rewritten(rule, index, call, seen, said);
  const text = renderText(rule.block ?? rule.ask ?? rule.warn ?? '', seen);
  if (text.kind === 'needs') return text;
  // The rule holds, whatever became of its words.
  const why = text.kind === 'error' ? ` (${text.message})` : '';
  const words =
    text.kind === 'value' && isSaid(text.value)
      ? withoutMarks(text.value)
      : `the rule \`${rule.when}\` holds${why}`;
  if (rule.block !== undefined) return deny(words);
  if (rule.ask !== undefined) return { ...deny(words), asks: true, from: index + 1 };
  note(said.warnings, words);
  return undefined;
}

/** Whether there is anything in it that somebody could read. */
function isSaid(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}

function note(texts: string[], text: string): void {
  if (!texts.includes(text)) texts.push(text);
}

/** What cannot be rewritten as it should must not happen as it was. */
function rewritten(rule: Rule, index: number, call: ToolAct, seen: Bindings, said: Said): Judged {
  const input = renderDeep(rule.rewrite ?? null, seen);
  if (input.kind === 'needs') return input;
  const refuse = (why: string): Judged => ({
    kind: 'deny',
    reason: `the rule \`${rule.when}\` cannot rewrite this call: ${why}`,
    by: 'rule',
    rule: rule.when,
    ...said,
  });
  if (input.kind === 'error') return refuse(input.message);
  const { value } = input;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('what it gives is not a map');
  }
  if (withoutMarks(value) !== value) return refuse('what it gives holds a secret that was masked');
  return { kind: 'rewrite', input: { ...call.input, ...value }, from: index + 1, ...said };
}

/** What a rule sees, once for each name of the file. */
function sightsOf({ names }: Bounds, call: ToolAct, { session, facts }: Moment): Bindings[] {
  const { file } = call;
  const files = file === undefined ? [''] : namesOf({ ...call, file });
  const shown: Json = { ...NO_SESSION, ...(names.lookup('session') as JsonObject | undefined), ...session };
  return files.map((name) => {
    const event = eventOf(call, name);
    return {
      fact: (need) => facts.get(factKey(need))?.value,
      lookup: (root) => (root === 'event' ? event : root === 'session' ? shown : names.lookup(root)),
    };
  });
}

/** Texts are always there, empty where the call has none: a rule about files says nothing of commands. */
function eventOf({ tool, input, command = '' }: ToolAct, file: string): Json {
  return { ...NO_EVENT, name: 'tool_call', tool, input, file, command };
}
