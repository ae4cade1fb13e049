// next: where to go from here: the first rule that holds, else the following step, else what `on_fail` says (rule 3).

import type { Command } from '../model/command.ts';
import type { Failure } from '../model/entry.ts';
import type { Next, OnFail, Step } from '../model/workflow.ts';
import { decideDo } from './action.ts';
import type { Decision } from './decision.ts';
import { heldQuestion } from './held.ts';
import { landing } from './leaving.ts';
import { UNASKABLE } from './opening.ts';
import { onFailOf } from './override.ts';

export function decideNext(decision: Decision): Command {
  const { open } = decision;
  if (open.stage === 'held') return { entry: { kind: 'step-closed', path: open.path, goes: 'stop' } };
  if (open.stage === 'do') {
    const rule = open.step.next[open.rule as number] as Next;
    return open.cursor < rule.do.length ? decideDo(decision, rule.do) : follow(decision, rule);
  }
  if (open.goal !== undefined && open.status === 'done' && landing(open.list, open.goal))
    return { entry: { kind: 'jumped', path: open.path, to: open.goal } };
  if (open.chosen !== undefined) {
    const rule = open.step.next[open.chosen] as Next;
    if (rule.do.length > 0) return { entry: { kind: 'next-chosen', path: open.path, rule: open.chosen } };
    return follow(decision, rule);
  }
  // A rule that could not be evaluated has failed the step; it is not asked twice.
  const rules = open.rule === UNASKABLE ? [] : open.step.next;
  for (const [index, rule] of rules.entries()) {
    if (rule.when !== undefined && !decision.read.test(rule.when)) continue;
    if (rule.do.length > 0) return { entry: { kind: 'next-chosen', path: open.path, rule: index } };
    return follow(decision, rule);
  }
  return close(decision);
}

function follow(decision: Decision, rule: Next): Command {
  const { state, open } = decision;
  if (rule.goto === undefined) return closeOrFollow(decision);
  const goal = landing(open.list, rule.goto);
  if (!goal) throw new Error(`goto ${rule.goto} from ${open.path} leads nowhere`);
  const visits = goal.list.visits.get(rule.goto) ?? 0;
  const most = state.raised.visits ?? open.scope.workflow.limits.visits;
  // An event of a live session lay between: the circle is no chain of the engine's own.
  if (rule.goto !== 'end' && open.chosen === undefined && visits >= most) {
    const message = `the circle ${rule.goto} → … → ${open.step.id} → ${rule.goto} was walked ${visits} times, and limits.visits is ${most}`;
    return { entry: { kind: 'limit-reached', limit: 'visits', path: open.path, message } };
  }
  return { entry: { kind: 'jumped', path: open.path, to: rule.goto } };
}

/** A step that an event left goes on to the following one, whatever it had not met by then. */
function closeOrFollow(decision: Decision): Command {
  const { path, chosen } = decision.open;
  if (chosen === undefined) return close(decision);
  return { entry: { kind: 'step-closed', path, goes: 'following' } };
}

function close(decision: Decision): Command {
  const { state, open } = decision;
  const { path, step, status } = open;
  if (status !== 'failed') return { entry: { kind: 'step-closed', path, goes: 'following' } };
  const error = open.error as Failure;
  const wanted =
    exhaustedSays(step, error) ?? onFailOf(state, step) ?? (error.not_accepted ? 'pause' : 'stop');
  const onFail = wanted === 'pause' && error.by_person ? 'stop' : wanted;
  if (onFail !== 'pause') return { entry: { kind: 'step-closed', path, goes: onFail } };
  return { entry: heldQuestion(decision, error) };
}

/** A loop may say of its own end what it does not say of a step that failed inside it. */
function exhaustedSays({ work }: Step, { class: failed }: Failure): OnFail | undefined {
  return failed === 'exhausted' && work.kind === 'loop' ? work.exhausted : undefined;
}
