// alarm: what becomes due by time alone: the run's duration, a block's time-out, a question nobody answered.

import { isSpending } from '../engine/engine.ts';
import type { EntryBody } from '../model/entry.ts';
import type { State } from '../model/state.ts';
import type { Clock } from '../ports/clock.ts';
import type { Timekeeper } from './timekeeper.ts';

export interface Alarm {
  /** Journals what is due now: before anything is decided, so that a run over its time starts nothing. */
  check(): void;
  /** Looks at what is due next. Cheap when nothing is. */
  set(): void;
  clear(): void;
}

export function createAlarm(
  state: State,
  time: Timekeeper,
  clock: Clock,
  journal: (body: EntryBody) => void,
  soon: (report: () => void) => void,
): Alarm {
  let cancel: (() => void) | undefined;
  let armedFor = Number.POSITIVE_INFINITY;

  const elapsed = () => state.elapsed + (isSpending(state) ? Math.max(0, time.now() - state.lastAt) : 0);

  /** Milliseconds until the next thing is due. */
  function untilNext(): number {
    if (!isLive()) return Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    if (state.status === 'running') {
      if (state.limits.duration !== undefined) next = state.limits.duration - elapsed();
      for (const timer of state.timers.values()) next = Math.min(next, timer.dueAtElapsed - elapsed());
    }
    for (const question of state.questions.values()) {
      if (question.deadline !== undefined) next = Math.min(next, question.deadline - time.now());
    }
    return Math.max(0, next);
  }

  /** A run that waits for a person uses up none of its time; that person's own time goes on. */
  function isLive(): boolean {
    return (state.status === 'running' || state.status === 'paused') && !state.ending;
  }

  function check(): void {
    if (!isLive()) return;
    if (state.status === 'running') {
      const { duration } = state.limits;
      if (duration !== undefined && elapsed() >= duration) {
        const message = `the run has taken ${Math.round(elapsed() / 1000)} s, and limits.duration is ${duration / 1000} s`;
        return journal({ kind: 'limit-reached', limit: 'duration', message });
      }
      for (const [path, timer] of state.timers.size > 0 ? [...state.timers] : []) {
        if (elapsed() >= timer.dueAtElapsed) journal({ kind: 'time-out-reached', path });
      }
    }
    if (state.questions.size === 0) return;
    for (const [path, question] of [...state.questions]) {
      if (question.deadline !== undefined && time.now() >= question.deadline) {
        journal({ kind: 'question-expired', path });
      }
    }
  }

  function clear(): void {
    cancel?.();
    cancel = undefined;
    armedFor = Number.POSITIVE_INFINITY;
  }

  return {
    check,
    clear,
    set() {
      const wait = untilNext();
      if (wait === Number.POSITIVE_INFINITY) return cancel ? clear() : undefined;
      const due = time.now() + wait;
      // Re-arming for the same moment on every step would cost more than the step.
      if (cancel && Math.abs(due - armedFor) < 2) return;
      clear();
      armedFor = due;
      // Timers of more than 24 days overflow; this one looks again.
      cancel = clock.after(Math.min(wait, 2 ** 31 - 1), () => {
        cancel = undefined;
        soon(check);
      });
    },
  };
}
