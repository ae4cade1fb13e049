// weigh: (state after an event, the step the session is at) → what the event means for it.
// Owns: which rule of `next` leaves the step, and when its `done` is looked at. Never: moves anything, looks at the world.
// V1. Depends on its arguments only. What it would have to look at it asks for (`needs`), and is asked again.
// V2. The first rule of `next` with a `when` that holds leaves the step; only then `done` is looked at. At most one of both.
// V3. `that` is looked at on results, prompts and stops. What costs more (`run`, a person) only at a stop, or when asked for.
// V4. What cannot be evaluated does not hold.

import type { Bindings } from '../expressions/evaluation.ts';
import { renderText, test } from '../expressions/expressions.ts';
import type { Bearing, Fact, Need, SessionHappening } from '../model/entry.ts';
import { withoutMarks } from '../model/mask-mark.ts';
import type { Handed, OpenStep, State } from '../model/state.ts';
import type { Check } from '../model/workflow.ts';
import { bindingsAt, factKey } from './bindings.ts';
import { changedText } from './changed-text.ts';
import { handedAt, handedOut } from './places.ts';

export interface Moment {
  /** What was seen of the world for this event. */
  facts: ReadonlyMap<string, Fact>;
  /** Somebody asks for the next step, or for this one. */
  asked?: Asked;
}

/** Only a person leaves a step that does not say when it is done. */
export interface Asked {
  by: 'person' | 'agent';
  to?: string;
}

export type Weighed =
  | { kind: 'needs'; needs: Need[] }
  /** `bearing` absent: the step stays, and `unmet` says what of its `done` does not hold. */
  | { kind: 'weighed'; path?: string; bearing?: Bearing; unmet: string[] };

/** Events after which `that` is looked at. */
const TELLING: ReadonlySet<string> = new Set(['tool_result', 'user_prompt', 'stop', 'session_end']);

const NOTHING_HAPPENED: SessionHappening = { name: 'session_start' };

export function weighEvent(state: State, moment: Moment): Weighed {
  const handed = currentHanded(state);
  const { asked } = moment;
  const happened = state.live?.event;
  // Who asks for it needs no event that tells something.
  const event = happened && !happened.unsaid ? happened : asked && NOTHING_HAPPENED;
  if (!handed || !event) return { kind: 'weighed', unmet: [] };
  const { open } = handed;
  const { path } = open;
  const needs: Need[] = [];
  const answer = event.name === 'stop' ? (event.text ?? '') : '';
  const seen = sightOf(state, open, moment.facts, answer);
  const holds = (cel: string): boolean => {
    const found = test(cel, seen);
    if (found.kind === 'needs') needs.push(...found.needs);
    return found.kind === 'value' && found.value;
  };
  // Found changes hold the step until they are undone, or a person moves it.
  if ((state.live?.changed.length ?? 0) > 0) return { kind: 'weighed', path, unmet: [changedText(state)] };
  for (const [rule, { when }] of open.step.next.entries()) {
    if (when === undefined || !holds(when)) continue;
    if (needs.length > 0) return { kind: 'needs', needs };
    return { kind: 'weighed', path, bearing: { does: 'leave', rule }, unmet: [] };
  }
  if (needs.length > 0) return { kind: 'needs', needs };
  if (!TELLING.has(event.name) && !asked) return { kind: 'weighed', path, unmet: [] };
  const checks = open.step.done?.checks ?? [];
  if (checks.length === 0) return openEnded(open, event.name, moment, path, answer);
  const unmet = checks.flatMap((check) => {
    if (check.kind !== 'that' || holds(check.is)) return [];
    return [elseText(check, seen)];
  });
  if (needs.length > 0) return { kind: 'needs', needs };
  if (unmet.length > 0) return { kind: 'weighed', path, unmet };
  const isTime = event.name === 'stop' || asked !== undefined || !checks.some(isCostly);
  return isTime && (event.name === 'stop' || !needsAnswer(open, checks))
    ? { kind: 'weighed', path, bearing: checking(answer, moment), unmet: [] }
    : { kind: 'weighed', path, unmet: [] };
}

function checking(answer: string, { asked }: Moment): Bearing {
  return { does: 'check', answer, ...(asked?.to !== undefined && { to: asked.to }) };
}

/** Nothing says when it is done: a person or a rule leaves it, or the session ends. */
function openEnded(open: OpenStep, event: string, moment: Moment, path: string, answer: string): Weighed {
  const isLast = open.list.owner === undefined && open.list.index === open.list.steps.length - 1;
  const isOver = moment.asked?.by === 'person' || (event === 'session_end' && isLast);
  return { kind: 'weighed', path, unmet: [], ...(isOver && { bearing: checking(answer, moment) }) };
}

/** The step that the session is at. */
export function currentHanded(state: State): Handed | undefined {
  const [path] = handedOut(state);
  return path === undefined ? undefined : handedAt(state, path);
}

/** Whether a machine can tell that something of it is not met: then a session is kept from stopping. */
export function isCheckable({ step }: OpenStep): boolean {
  return (step.done?.checks ?? []).some(({ kind }) => kind !== 'approve');
}

function isCostly({ kind }: Check): boolean {
  return kind === 'run' || kind === 'tests' || kind === 'approve';
}

/** What is read out of the last answer is there at a stop only. */
function needsAnswer({ step }: OpenStep, checks: readonly Check[]): boolean {
  return (
    step.output === 'vars' ||
    checks.some(({ kind }) => kind === 'schema' || kind === 'schema-file' || kind === 'require')
  );
}

function sightOf(state: State, open: OpenStep, facts: ReadonlyMap<string, Fact>, answer: string): Bindings {
  const names = bindingsAt(state, open.scope, open);
  return {
    fact: (need) => facts.get(factKey(need))?.value,
    lookup: (root) => (root === 'output' ? answer : names.lookup(root)),
  };
}

function elseText(check: Extract<Check, { kind: 'that' }>, seen: Bindings): string {
  if (check.else === undefined) return `this does not hold yet: ${check.is}`;
  const text = renderText(check.else, seen);
  return text.kind === 'value' ? withoutMarks(text.value) : `this does not hold yet: ${check.is}`;
}
