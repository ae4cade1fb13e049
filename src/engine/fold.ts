// fold: (state, entry) → state. Consumes its state and moves it in place (copying is 10–100 × dearer).
// Owns: what an entry means. Never: evaluates an expression, reads a clock, performs.
// E1. Depends on its arguments only: time is the entry's.   J1. Everything a run is, is a fold of its journal.

import type { Entry, EntryBody } from '../model/entry.ts';
import type { Notice, OpenStep, State, Told } from '../model/state.ts';
import type { Limits, Workflow } from '../model/workflow.ts';
import { foldSeen } from './approval.ts';
import { ascend, closeStep, jump, left, settle } from './ascend.ts';
import { factKey } from './bindings.ts';
import { cutsAs, cutsInto, ITEMS, keepCuts, memberCuts } from './cut.ts';
import { dependencyNumbers } from './dependencies.ts';
import {
  type Over,
  openBody,
  openCurrent,
  reopenList,
  setTimer,
  startPass,
  startWork,
  succeeded,
} from './descend.ts';
import { actionFinished, attemptFinished, attemptStarted, inDoubt } from './fold-effect.ts';
import { answered, asked, refused } from './fold-question.ts';
import { claimed, driveChanged, stepHanded } from './handed.ts';
import { cancelInside, hasOpenChildren } from './leaving.ts';
import { actNext, foldLive, newLive, say } from './live.ts';
import { entryWithMarks } from './masked.ts';
import { noticeEntry, noticeSettled } from './notices.ts';
import { effectName, isBlock, newFan, newList, rootScope, UNASKABLE } from './opening.ts';
import {
  crash,
  effectAt,
  isSpending,
  noPlaces,
  queue,
  recall,
  start,
  stop,
  summon,
  take,
  waitingAt,
  withdraw,
} from './places.ts';
import { concurrencyOf } from './worktree.ts';

type Of<K extends EntryBody['kind']> = Extract<EntryBody, { kind: K }>;

/** A run before its first entry. */
export function initialState(workflow: Workflow): State {
  return {
    status: 'pending',
    n: 0,
    lastAt: 0,
    elapsed: 0,
    run: { id: '', root: '', started: '', branch: '', workspace: '' },
    skips: { steps: [], checks: false, dry_run: false },
    overrides: {},
    limits: { ...workflow.limits },
    raised: {},
    root: newList('', workflow.steps, rootScope(workflow, {}, {}), undefined),
    ...noPlaces(),
    driven: { drive: 'run' },
    heads: new Map(),
    left: new Map(),
    timers: new Map(),
    signals: new Map(),
    messages: new Set(),
    dispatches: new Map(),
    totals: { input_tokens: 0, output_tokens: 0, cost: 0, unpriced: 0, turns: 0 },
    sessionTotals: new Map(),
    continuedPast: 0,
    outputs: {},
  };
}

export function fold(workflow: Workflow, state: State, entry: Entry): State {
  state.n = entry.n;
  // A clock may jump back; time spent never does. What lies between a crash and its resume was not spent.
  if (
    state.status === 'running' &&
    isSpending(state) &&
    entry.kind !== 'run-resumed' &&
    !('unheld' in entry && entry.unheld)
  ) {
    state.elapsed += Math.max(0, entry.at - state.lastAt);
  }
  state.lastAt = entry.at;
  if (state.notices) state.notices = [];
  if ('message' in entry && entry.message !== undefined) state.messages.add(entry.message);
  ascend(state, apply(workflow, state, entryWithMarks(state, entry)));
  if (state.live) actNext(state);
  return state;
}

/** Folds the entry, and says what that did. The state is one that listens (notices.ts). */
export function foldAndTell(workflow: Workflow, state: State, entry: Entry): Told {
  fold(workflow, state, entry);
  return {
    entry,
    notices: state.notices ?? NOTHING,
    elapsed: state.elapsed,
    isSpending: isSpending(state),
  };
}

const NOTHING: readonly Notice[] = [];

/** What the entry does where it happened; the way up from there is `ascend`. */
function apply(workflow: Workflow, state: State, entry: Entry): Over {
  switch (entry.kind) {
    case 'run-started':
      state.status = 'running';
      state.run = entry.run;
      state.worktrees = entry.worktrees;
      state.worktree = entry.worktree;
      state.skips = entry.skips;
      state.overrides = { ...entry.overrides };
      if (entry.driven) state.driven = entry.driven;
      if (state.driven.drive === 'guard') state.live = newLive(entry.at);
      state.root = newList('', workflow.steps, rootScope(workflow, entry.inputs, entry.vars), undefined);
      return openCurrent(state, state.root);
    case 'worktree-prepared':
    case 'message-refused':
    case 'claim-refused':
      return undefined;
    case 'drive-changed':
      return driveChanged(state, entry);
    case 'session-bound':
    case 'session-event':
    case 'call-judged':
    case 'event-weighed':
    case 'said':
    case 'stop-answered':
    case 'change-found':
    case 'artifact-kept':
    case 'guard-switched':
    case 'moved-by-person':
      return foldLive(state, entry);
    case 'run-resumed':
      return resumed(state, entry);
    case 'end-requested':
      state.ending = { to: entry.to, by: entry.by, why: entry.why };
      return undefined;
    case 'limit-reached':
      state.ending = { to: 'failed', path: entry.path, error: { class: 'limit', message: entry.message } };
      return undefined;
    case 'run-paused':
    case 'run-interrupted':
      state.status = 'paused';
      if (state.ending?.to === 'handed-over') state.ending = undefined;
      return undefined;
    case 'run-completed':
      state.status = 'completed';
      state.outputs = entry.outputs;
      return undefined;
    case 'run-failed':
      state.status = 'failed';
      state.error = entry.error;
      state.failedAt = entry.path;
      return undefined;
    case 'run-cancelled':
      state.status = 'cancelled';
      return undefined;
    case 'signal-received':
      state.signals.set(entry.name, [...(state.signals.get(entry.name) ?? []), entry.data]);
      return undefined;
    case 'question-answered':
      return answered(state, entry);
    case 'question-expired':
      return refused(state, entry.path, 'nobody answered in time');
    default:
      return applyToStep(workflow, state, placeOf(state, entry), entry);
  }
}

type StepEntry = Exclude<
  Entry,
  {
    kind:
      | `run-${string}`
      | 'worktree-prepared'
      | 'end-requested'
      | 'limit-reached'
      | 'signal-received'
      | 'message-refused'
      | 'claim-refused'
      | 'drive-changed'
      | 'session-bound'
      | 'session-event'
      | 'call-judged'
      | 'event-weighed'
      | 'said'
      | 'stop-answered'
      | 'change-found'
      | 'artifact-kept'
      | 'guard-switched'
      | 'moved-by-person'
      | 'question-answered'
      | 'question-expired';
  }
>;

/** The open step an entry is about. */
function placeOf(state: State, entry: StepEntry): OpenStep {
  const part = 'part' in entry ? entry.part : undefined;
  const open = waitingAt(state, entry.path, part) ?? state.timers.get(entry.path)?.open;
  if (open) return open;
  const name = effectName(entry.path, part);
  throw new Error(`journal entry ${entry.n} (${entry.kind}) is about ${name}, which is not open`);
}

function applyToStep(workflow: Workflow, state: State, open: OpenStep, entry: StepEntry): Over {
  if (entry.kind !== 'attempt-finished' && entry.kind !== 'time-out-reached') take(state, open);
  if (entry.kind !== 'observing' && entry.kind !== 'observed') {
    open.facts = undefined;
    open.unseen = undefined;
    open.toShow = undefined;
  }
  noticeEntry(state, open, entry);
  switch (entry.kind) {
    case 'step-skipped':
      open.skip = { reason: entry.reason, why: entry.why };
      return settle(state, open, 'skipped');
    case 'step-opened':
      return opened(state, open, entry);
    case 'worktree-opening':
      open.stage = 'worktree';
      open.doubt = undefined;
      return start(state, open, { verb: 'worktree', startedAt: state.lastAt });
    case 'worktree-opened':
      stop(state, open);
      open.worktree = entry.worktree;
      open.withoutWorktree = entry.error;
      return queue(state, open);
    case 'workflow-called': {
      const called = workflow.workflows[
        open.step.work.kind === 'workflow' ? open.step.work.workflow : ''
      ] as Workflow;
      const scope = rootScope(called, entry.inputs, called.vars);
      const cuts = cutsInto(entry.cut);
      for (const name of cuts?.keys() ?? []) keepCuts(scope, 'inputs', name, memberCuts(cuts, name));
      return openBody(state, open, newList(`${open.path}/`, called.steps, scope, open));
    }
    case 'workflow-returned':
      return succeeded(state, open, entry.output, cutsInto(entry.cut));
    case 'reviews-gathered':
      return succeeded(state, open, entry.output);
    case 'loop-tested':
      return entry.again
        ? startPass(state, open)
        : succeeded(state, open, open.body?.value ?? null, open.body?.cuts);
    case 'fan-stopped':
      if (open.fan) open.fan.leftOut = true;
      return queue(state, open);
    case 'step-failed':
      return failed(state, open, entry);
    case 'step-closed':
      return closeStep(state, open, entry.goes);
    case 'next-chosen':
      open.rule = entry.rule;
      open.stage = 'do';
      open.cursor = 0;
      return queue(state, open);
    case 'jumped':
      return jump(state, open, entry.to);
    case 'attempt-started':
      return attemptStarted(state, open, entry);
    case 'attempt-finished':
      return attemptFinished(state, open, entry);
    case 'attempt-in-doubt':
      return inDoubt(state, open, entry);
    case 'attempt-cancelled': {
      const running = effectAt(state, effectName(entry.path, entry.part));
      if (running) running.cancelled = true;
      return undefined;
    }
    case 'retry-scheduled':
      open.retries = entry.retry;
      open.delay = entry.delay_ms;
      return start(state, open, { verb: 'sleep', startedAt: state.lastAt });
    case 'retry-due':
      stop(state, open);
      open.delay = undefined;
      open.pending = undefined;
      return queue(state, open);
    case 'observing':
      open.looking = entry.approval;
      return start(state, open, { verb: 'observe', startedAt: state.lastAt });
    case 'observed':
      stop(state, open);
      open.unseen = entry.error?.message;
      foldSeen(open, entry);
      open.facts ??= new Map();
      for (const fact of entry.facts) open.facts.set(factKey(fact), fact);
      return queue(state, open);
    case 'step-handed':
      return stepHanded(state, open, entry);
    case 'claim-received':
      return claimed(state, open, entry);
    case 'work-accepted':
      return settle(state, open, 'done');
    case 'work-rejected':
      return rejected(state, open, entry);
    case 'action-passed':
      return actionFinished(state, open);
    case 'vars-set':
      for (const [key, value] of Object.entries(entry.values)) {
        open.scope.vars.set(key, value);
        keepCuts(open.scope, 'vars', key, cutsAs(key, entry.cut));
      }
      return actionFinished(state, open);
    case 'text-prepared':
      if (state.live) say(state.live, entry.n, entry.text);
      return actionFinished(state, open);
    case 'question-asked':
      return asked(state, open, entry);
    case 'time-out-reached':
      state.timers.delete(open.path);
      open.expired = true;
      cancelInside(state, open, 'the time of the block around it was up');
      if (!hasOpenChildren(open)) summon(state, open);
      return undefined;
  }
}

// ── Steps ───────────────────────────────────────────────────────────────────────────────────────

function opened(state: State, open: OpenStep, entry: Of<'step-opened'>): Over {
  const { step } = open;
  open.entered = true;
  open.startedAt = state.lastAt;
  setTimer(state, open);
  if (step.work.kind === 'each') {
    const items = entry.items ?? [];
    open.fan = newFan(items.length, concurrencyOf(state, step, step.work.concurrency), items);
    open.fan.itemCuts = cutsAs(ITEMS, entry.cut);
    if (step.work.order === 'dependencies') {
      open.fan.dependencies = dependencyNumbers(items);
      open.fan.waiting = items.map((_, index) => index);
    }
    open.body = newList(`${open.path}/`, step.work.steps, open.scope, open);
    return startWork(state, open);
  }
  if (step.enter.length === 0) return startWork(state, open);
  open.stage = 'enter';
  open.cursor = 0;
  return queue(state, open);
}

function failed(state: State, open: OpenStep, entry: Of<'step-failed'>): Over {
  withdraw(state, open);
  recall(state, open);
  const settledBefore = open.status !== undefined;
  open.error = entry.error;
  open.pending = undefined;
  // A block that failed has the value of the last step that ran in it (rule 2).
  const spent = Math.max(0, state.lastAt - open.startedAt);
  if (!open.outcome) open.cuts = open.body?.cuts;
  const before = open.outcome ?? {
    output: open.body?.value ?? null,
    duration_ms: isBlock(open.step) ? spent : 0,
  };
  open.outcome = { ...before, ok: false, exit_code: entry.exit_code ?? open.outcome?.exit_code };
  if (!settledBefore) return settle(state, open, 'failed');
  // It failed after its `exit` (in `next`), or was cancelled there: nothing runs twice.
  open.status = 'failed';
  const result = open.scope.steps.get(open.step.id);
  const { exit_code = null } = open.outcome;
  if (result) Object.assign(result, { status: 'failed', error: entry.error, exit_code });
  noticeSettled(state, open);
  if (open.leaving) return left(state, open);
  open.stage = 'next';
  open.rule = UNASKABLE;
  return queue(state, open);
}

function rejected(state: State, open: OpenStep, entry: Of<'work-rejected'>): Over {
  open.pending = undefined;
  open.refusal = undefined;
  open.outdated = undefined;
  open.goal = undefined;
  if (entry.again) {
    open.try = entry.try + 1;
    open.retries = 0;
    open.feedback = entry.reasons;
    open.answered = undefined;
    open.stage = 'work';
    open.cursor = 0;
    return queue(state, open);
  }
  open.error = {
    class: 'not-accepted',
    message: entry.reasons.join('; '),
    not_accepted: true,
    ...(entry.details && { details: entry.details }),
  };
  return settle(state, open, 'failed');
}

// ── Crash and resume ────────────────────────────────────────────────────────────────────────────

/** By their names in the language. */
function raisedLimits(limits: Record<string, number>): Partial<Limits> {
  const { stop_blocks, ...same } = limits;
  return { ...same, ...(stop_blocks !== undefined && { stopBlocks: stop_blocks }) };
}

function resumed(state: State, entry: Of<'run-resumed'>): Over {
  const failedBefore = state.status === 'failed';
  state.status = 'running';
  // A cancel that is on record holds; anything else is what the resume is for.
  if (state.ending?.to !== 'cancelled') state.ending = undefined;
  state.error = undefined;
  state.failedAt = undefined;
  Object.assign(state.raised, raisedLimits(entry.limits ?? {}));
  Object.assign(state.limits, state.raised);
  Object.assign(state.overrides, entry.overrides);
  // What ran when the process died is in doubt; decide says what is done about each, in order.
  for (const running of crash(state)) {
    // Of a probe it is still the work that is in doubt.
    if (running.part !== 'probe' || !running.open.doubt) running.open.doubt = running;
  }
  if (failedBefore && state.root.failed) reopenList(state, state.root);
  return undefined;
}
