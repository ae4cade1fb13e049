// loop: the only one: fold → decide → append → flush → perform → await the next completion → again.
// Owns: when an entry is durable, when an effect starts, when the process waits. Never: what comes next (engine/).
// R1. One await point: append and fold what `decide` says until it is quiet, flush once, perform, await the next
//     completion, drain all that are there, repeat. No `Promise.all` over branches.
// J2. An entry is durable before any effect or report that depends on it; looking at files needs no flush first.
// S3. What goes into the journal is masked on the way in, so what later steps see is masked too.
// T1. What is durable is told before the loop waits or gives way, hence within YIELD_AFTER_MS. That attempts started and
//     finished is told after the next commands have been started: views are brought up to date while these come up. A chain of
//     steps that end at once is told together: one by one, each telling would find the caches cold after a flush.

import { decide, effectName, foldAndTell, rulesAt } from '../engine/engine.ts';
import type { Perform } from '../model/command.ts';
import type { Entry, EntryBody, Failure, Holder, Usage } from '../model/entry.ts';
import type { State, Told } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Callers } from '../ports/callers.ts';
import type { OpenRun } from '../ports/store.ts';
import { createAlarm } from './alarm.ts';
import { createConversation, type Interlocutor } from './conversation.ts';
import { watchRecords } from './full-records.ts';
import { readInbox } from './inbox.ts';
import { maskEntry } from './mask-entry.ts';
import {
  type Performable,
  type PerformContext,
  type Performed,
  type Performing,
  perform,
} from './perform/perform.ts';
import { createSessionMemory } from './perform/session-facts.ts';
import { createSignals } from './signals.ts';
import { overspent, uncounted } from './spending.ts';
import { createTimekeeper } from './timekeeper.ts';

export interface LoopHooks {
  /**
   * What durable entries did, in order, and the state after the last of them. That effects began and ended may be told a
   * moment later, after the next ones have begun (T1); everything else is told before anything else happens.
   */
  onEntries?(told: Told[], state: State): void;
  /** Somebody needs to know of each effect before it begins: nothing is told later. */
  tellFirst?: boolean;
  /** What is about to be performed, with everything filled in; its entry is durable. */
  onPerform?(command: Performable): void;
  interlocutor?: Interlocutor;
}

export interface LoopPorts {
  run: OpenRun;
  /** Who drives this run now. */
  holder: Holder;
  context: Omit<PerformContext, 'signals' | 'onUsage' | 'rulesAt' | 'sessions'>;
  /** Entries that are durable and folded, and that nobody was told of yet. */
  begun?: Told[];
  /** Who performs. Absent: the runtime itself; tests of workflows stand between, to let things go wrong. */
  perform?: typeof perform;
  /** Who looks at the senders of messages. Absent: they come from this process. */
  callers?: Callers;
  hooks: LoopHooks;
}

export interface Loop {
  /** Runs until the run has ended, is paused, or was interrupted. `first`: how it goes on, and what else is known by now. */
  run(first?: readonly EntryBody[]): Promise<State>;
  /** Journals this while the loop runs, and what follows from it is decided next. */
  tell(body: EntryBody): void;
  /** Asks what runs to end; the run is then interrupted, to be resumed. */
  interrupt(by: string): void;
}

type Completion = { name: string; command: Performable; performed: Performed };
type UnderWay = Exclude<Performing, { now: Performed }>;

/** Long chains of instant steps give way to timers and signals this often. */
const YIELD_AFTER_MS = 20;

/** To put a prompt together for a client, and to weigh what it hands in. */
const BRIEF: ReadonlySet<string> = new Set(['hand-out', 'weigh-claim']);

/** Nothing in it looks at what is told: a new process, which has to come up first, or nothing at all. */
function isStartedUntold(command: Perform): boolean {
  return command.kind === 'run-command' || (command.kind === 'call-handler' && command.handler === 'noop');
}

export function createLoop(workflow: Workflow, state: State, ports: LoopPorts): Loop {
  const { run, hooks } = ports;
  const { clock, mask } = ports.context;
  const time = createTimekeeper(clock);
  const performing = new Map<string, UnderWay>();
  const spending = new Map<string, Usage>();
  const warned = new Set<string>();
  const completions: Completion[] = [];
  const toPerform: Perform[] = [];
  let unseen: Told[] = [...(ports.begun ?? [])];
  /** Durable, and not told yet. */
  let untold: Told[] = [];
  const reports: (() => void)[] = [];
  let looks: Promise<void> = Promise.resolve();
  let wake: (() => void) | undefined;
  let interrupted = false;
  let answered = false;
  let handedOver = false;
  let hasLooked = false;

  const rouse = () => wake?.();
  const soon = (report: () => void) => {
    reports.push(report);
    rouse();
  };

  function journal(body: EntryBody): void {
    const entry: Entry = { n: state.n + 1, at: time.now(), ...maskEntry(mask, body, state.masked) };
    run.append(entry);
    unseen.push(foldAndTell(workflow, state, entry));
    const isAnswer = entry.kind === 'question-answered' || entry.kind === 'question-expired';
    if (isAnswer && state.status === 'paused') answered = true;
    if (entry.kind === 'drive-changed') {
      handedOver = true;
      conversation.close();
    }
  }

  const signals = createSignals(state);
  const records = watchRecords(ports.context.run);
  const context: PerformContext = {
    ...ports.context,
    run: records.run,
    signals,
    sessions: createSessionMemory(),
    rulesAt: ({ path, part }) => rulesAt(state, effectName(path, part)),
    onUsage(path, usage) {
      spending.set(path, usage);
      soon(checkSpending);
    },
  };
  const conversation = createConversation(state, hooks.interlocutor, journal, soon, ports.callers);
  const alarm = createAlarm(state, time, clock, journal, soon);

  function decideUntilQuiet(): void {
    for (let command = decide(workflow, state); command; command = decide(workflow, state)) {
      journal(command.entry);
      if (command.perform) toPerform.push(command.perform);
    }
  }

  async function flush(): Promise<void> {
    if (unseen.length === 0) return;
    const written = run.flush();
    if (written) await written;
    if (untold.length === 0) untold = unseen;
    else for (const told of unseen) untold.push(told);
    unseen = [];
  }

  function tell(): void {
    if (untold.length === 0) return;
    const told = untold;
    untold = [];
    hooks.onEntries?.(told, state);
  }

  function mayTellLater(): boolean {
    return (
      hooks.tellFirst !== true &&
      toPerform.every(isStartedUntold) &&
      untold.every(({ entry }) => entry.kind === 'attempt-started' || entry.kind === 'attempt-finished')
    );
  }

  function performAll(): void {
    for (const command of toPerform) {
      const name = effectName(command.path, command.part);
      if (command.kind === 'cancel') {
        performing.get(name)?.cancel('cancelled');
        continue;
      }
      hooks.onPerform?.(command);
      const effect = (ports.perform ?? perform)(command, context);
      if (effect.now) completions.push({ name, command, performed: effect.now });
      else {
        performing.set(name, effect);
        const settle = (performed: Performed) => {
          completions.push({ name, command, performed });
          rouse();
        };
        // Looks end in the order in which they began: what they found is decided about in that order, in every run.
        if (command.kind === 'observe') looks = looks.then(() => effect.done).then(settle);
        else void effect.done.then(settle);
      }
    }
    toPerform.length = 0;
  }

  function checkSpending(): void {
    if (state.ending) return;
    const over = overspent(state, spending.values());
    if (over) journal({ kind: 'limit-reached', ...over });
  }

  function drain(): void {
    for (const { performed } of completions) records.requireRoomFor(performed);
    for (const { name, command, performed } of completions) {
      performing.delete(name);
      spending.delete(name);
      if (command.kind === 'wait-signal') signals.settle(command.signal, performed);
      journal(completionEntry(command, withWarning(command, performed)));
    }
    completions.length = 0;
    for (const report of reports.splice(0)) report();
  }

  /** Once for each sentence. */
  function withWarning(command: Performable, performed: Performed): Performed {
    if (command.kind !== 'run-agent' || performed.kind !== 'outcome') return performed;
    const { outcome } = performed;
    const message = uncounted(state, outcome);
    if (message === undefined || warned.has(message)) return performed;
    warned.add(message);
    context.report({ kind: 'warning', path: command.path, part: command.part, message });
    return { ...performed, outcome: { ...outcome, warnings: [...(outcome.warnings ?? []), message] } };
  }

  /** Everything under way ends; a run that was cancelled for good says so, the rest is done again on resume. */
  function endAll(): void {
    const reason = state.ending?.to === 'cancelled' ? 'cancelled' : 'interrupted';
    for (const effect of performing.values()) effect.cancel(reason);
  }

  async function nextCompletion(): Promise<void> {
    if (completions.length > 0 || reports.length > 0) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    wake = undefined;
  }

  function isOver(): boolean {
    if (state.status === 'running' || performing.size > 0 || completions.length > 0) return false;
    return !(state.status === 'paused' && conversation.isOpen());
  }

  /** Paused for a person who has answered here, or through the inbox, while this process was still there. */
  function goOnAfterAnswer(): void {
    if (state.status !== 'paused' || state.ending || interrupted || handedOver || !answered) return;
    answered = false;
    journal({ kind: 'run-resumed', by: ports.holder });
  }

  async function go(first: readonly EntryBody[] = []): Promise<State> {
    for (const body of first) journal(body);
    const unwatch = run.watchInbox(() => soon(takeMessages));
    soon(takeMessages);
    try {
      await takeTurns();
      return state;
    } finally {
      unwatch();
      alarm.clear();
      conversation.close();
      for (const effect of performing.values()) effect.cancel('interrupted');
      for (const effect of performing.values()) await effect.done;
    }
  }

  async function takeTurns(): Promise<void> {
    let yieldedAt = clock.monotonic();
    try {
      for (;;) {
        drain();
        alarm.check();
        goOnAfterAnswer();
        decideUntilQuiet();
        // Looking changes nothing, so it does not wait for a flush, nor is there one where the look is over at once; and
        // nobody is asked what is not durable. What passes between a client and the engine is a look too, and a brief one:
        // nothing that depends on it is done or told before the next flush.
        const isBrief = toPerform.length > 0 && toPerform.every(({ kind }) => BRIEF.has(kind));
        const isOnlyLooking =
          isBrief || (toPerform.length > 0 && toPerform.every(({ kind }) => kind === 'observe'));
        if (!isOnlyLooking) await flush();
        if (!mayTellLater()) tell();
        performAll();
        if (!isOnlyLooking || (completions.length === 0 && !isBrief)) {
          await flush();
          if (completions.length === 0 || !mayTellLater()) tell();
          conversation.ask();
        }
        if (state.ending && state.ending.to !== 'handed-over') endAll();
        if (isOver()) break;
        alarm.set();
        await nextCompletion();
        if (clock.monotonic() - yieldedAt > YIELD_AFTER_MS) {
          tell();
          await new Promise((resolve) => setImmediate(resolve));
          yieldedAt = clock.monotonic();
        }
      }
    } finally {
      tell();
    }
  }

  function takeMessages(): void {
    const isFirst = !hasLooked;
    hasLooked = true;
    const taken = readInbox(run.takeInbox(), { state, callers: ports.callers, isFirst, journal });
    if (taken.length === 0) return;
    const written = run.flush();
    const forget = () => {
      for (const done of taken) done();
    };
    if (written) void written.then(forget);
    else forget();
    signals.deliver();
  }

  return {
    run: go,
    tell(body) {
      journal(body);
      soon(() => {});
    },
    interrupt(by) {
      interrupted = true;
      soon(() => {
        conversation.close();
        if (state.status !== 'running' || state.ending) return;
        journal({ kind: 'end-requested', to: 'interrupted', by });
      });
    },
  };
}

const NO_REASON: Failure = { class: 'error', message: 'it failed and gave no reason' };

function completionEntry(command: Completion['command'], performed: Performed): EntryBody {
  const { path, part } = command;
  switch (performed.kind) {
    case 'outcome': {
      const { outcome } = performed;
      if (command.kind === 'open-worktree')
        return { kind: 'worktree-opened', path, error: outcome.error ?? NO_REASON };
      // A look that failed or was cut short showed nothing.
      if (command.kind !== 'observe') return { kind: 'attempt-finished', path, part, outcome };
      const error = outcome.error?.class === 'interrupted' ? undefined : outcome.error;
      return { kind: 'observed', path, facts: [], error };
    }
    case 'observed':
      return { kind: 'observed', path, facts: performed.facts, seen: performed.seen };
    case 'worktree': {
      const { worktree, warnings, error } = performed;
      return { kind: 'worktree-opened', path, worktree, warnings, error };
    }
    case 'handed': {
      const { prompt, system, warnings } = performed;
      const tried = command.kind === 'hand-out' ? command.try : 1;
      return { kind: 'step-handed', path, try: tried, text: prompt, system, warnings };
    }
    case 'due':
      return { kind: 'retry-due', path };
  }
}
