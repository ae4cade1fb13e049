// fold-effect: an effect started, ended, or was found in doubt.

import type { EntryBody, Outcome } from '../model/entry.ts';
import type { OpenStep, Running, State } from '../model/state.ts';
import { checkFinished, checkStarted } from './approval.ts';
import { exitFinished } from './ascend.ts';
import { type Over, startWork } from './descend.ts';
import { foldGit } from './fold-git.ts';
import { isDoomed } from './leaving.ts';
import { heardFrom } from './live.ts';
import { noticeInterrupted } from './notices.ts';
import { partOf } from './part.ts';
import { queue, start, stop, summon, take, withdraw } from './places.ts';
import { bindOutput } from './result.ts';
import { findingsIn } from './test-findings.ts';

type Of<K extends EntryBody['kind']> = Extract<EntryBody, { kind: K }>;

export function attemptStarted(state: State, open: OpenStep, entry: Of<'attempt-started'>): Over {
  const part = partOf(entry.part);
  // A probe asks about what is in doubt: that stays so until it has answered.
  if (part?.stage !== 'probe') {
    open.doubt = undefined;
    open.again = undefined;
  }
  if (!part) {
    if (open.stage === 'if') open.startedAt = state.lastAt;
    open.stage = 'work';
    open.entered = true;
    open.pending = undefined;
    if (entry.verb === 'prompt') countDispatch(state, open, 1);
  } else if (part.stage === 'done') {
    open.cursor = part.index;
    checkStarted(open, entry);
  }
  const { part: name, verb, signal } = entry;
  return start(state, open, { part: name, verb, signal, startedAt: state.lastAt });
}

function countDispatch(state: State, open: OpenStep, by: number): void {
  const { id } = open.step;
  state.dispatches.set(id, (state.dispatches.get(id) ?? 0) + by);
  open.list.dispatches ??= new Map();
  open.list.dispatches.set(id, (open.list.dispatches.get(id) ?? 0) + by);
}

export function attemptFinished(state: State, open: OpenStep, entry: Of<'attempt-finished'>): Over {
  const { outcome } = entry;
  const running = stop(state, open);
  const { signal } = running ?? {};
  take(state, open);
  spend(state, outcome);
  foldGit(state, open, outcome);
  if (state.live) heardFrom(state, outcome);
  if (outcome.error?.class === 'interrupted') return interrupted(state, open, running);
  if (entry.part !== undefined) return partFinished(state, open, entry.part, outcome);
  if (signal !== undefined && outcome.ok) takeSignal(state, signal);
  if (open.claim) open.claim = undefined;
  open.outcome = outcome;
  if (outcome.session !== undefined) open.session = outcome.session;
  if (outcome.ok && !isDoomed(open)) return open;
  open.pending = outcome;
  return queue(state, open);
}

/** It is done again on resume; waiting goes on from when it began. */
function interrupted(state: State, open: OpenStep, running: Running | undefined): Over {
  if (running?.verb === 'wait' || running?.verb === 'sleep') open.doubt = running;
  else if (running) giveBack(state, open, running);
  if (running?.part === undefined) noticeInterrupted(state, open);
  return queue(state, open);
}

/** Looking and waiting leave nothing behind: to do them again is to do them. */
const HARMLESS = new Set(['observe', 'wait', 'sleep', 'worktree', 'hand-out', 'claim']);

/** It is done again. A prompt whose answer never came is then the same dispatch: the same scripted answer. */
export function giveBack(state: State, open: OpenStep, effect: Running): void {
  if (!HARMLESS.has(effect.verb)) open.again = { part: effect.part };
  if (effect.verb === 'prompt' && effect.part === undefined) countDispatch(state, open, -1);
}

/** By session, not by step: several steps may go on in one, and what any of them used is counted once. */
function spend(state: State, outcome: Outcome): void {
  const { usage, session, session_totals } = outcome;
  if (session !== undefined && session_totals) state.sessionTotals.set(session, session_totals);
  if (!usage) return;
  const { totals } = state;
  totals.input_tokens += usage.input_tokens;
  totals.output_tokens += usage.output_tokens;
  totals.turns += usage.turns;
  if (usage.cost === null) totals.unpriced += 1;
  else totals.cost += usage.cost;
}

/** A signal serves one wait. */
function takeSignal(state: State, name: string): void {
  const kept = state.signals.get(name)?.slice(1) ?? [];
  if (kept.length > 0) state.signals.set(name, kept);
  else state.signals.delete(name);
}

function partFinished(state: State, open: OpenStep, name: string, outcome: Outcome): Over {
  const part = partOf(name);
  switch (part?.stage) {
    case 'done':
      checkFinished(open, name, outcome);
      if (open.step.done?.checks[part.index]?.kind === 'tests') keepTold(state, outcome);
      if (outcome.ok) open.cursor = part.index + 1;
      else open.pending = outcome;
      break;
    case 'probe': {
      const { doubt } = open;
      open.doubt = undefined;
      if (outcome.ok && !isDoomed(open)) {
        open.outcome = { ok: true, output: outcome.output, exit_code: 0, duration_ms: outcome.duration_ms };
        return open;
      }
      if (doubt) giveBack(state, open, doubt);
      break;
    }
    default:
      if (outcome.ok) bindOutput(open.scope, currentAction(open), outcome.output);
      return actionFinished(state, open);
  }
  return queue(state, open);
}

/** What was asked about is asked of an agent once in a run. */
function keepTold(state: State, { ok, output }: Outcome): void {
  if (ok) return;
  state.testsTold ??= new Set();
  for (const { kind, key } of findingsIn(output)) if (kind === 'ask') state.testsTold.add(key);
}

function currentActions(open: OpenStep) {
  if (open.stage === 'enter') return open.step.enter;
  if (open.stage === 'exit') return open.step.exit;
  return open.step.next[open.rule ?? -1]?.do ?? [];
}

function currentAction(open: OpenStep) {
  return currentActions(open)[open.cursor];
}

export function actionFinished(state: State, open: OpenStep): Over {
  open.cursor += 1;
  if (open.cursor >= currentActions(open).length) {
    if (open.stage === 'enter' && !isDoomed(open)) return startWork(state, open);
    if (open.stage === 'exit') return exitFinished(state, open);
    // `do` is over: decide jumps.
  }
  return queue(state, open);
}

export function inDoubt(state: State, open: OpenStep, entry: Of<'attempt-in-doubt'>): Over {
  const { doubt } = open;
  if (entry.remedy === 'wait' && doubt) {
    open.doubt = undefined;
    return start(state, open, doubt);
  }
  if (entry.remedy === 'rerun') {
    open.doubt = undefined;
    withdraw(state, open); // it was asked whether it happened; that no longer matters
    if (doubt) giveBack(state, open, doubt);
  } else if (doubt) doubt.told = true;
  // A probe of what is to end anyway still runs: it is ended next.
  summon(state, open);
  return undefined;
}
