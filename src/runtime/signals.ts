// signals: a signal sent before its `wait` is kept, and serves one wait (architecture.md).

import type { Json } from '../model/json.ts';
import type { State } from '../model/state.ts';
import type { Performed } from './perform/perform.ts';

export interface Signals {
  /** One that came before its wait, once. */
  take(name: string): Json | undefined;
  /** Calls back with the next one sent. The answer gives the wait up. */
  wait(name: string, callback: (data: Json) => void): () => void;
}

export interface SignalDesk extends Signals {
  /** New signals may be in the state. */
  deliver(): void;
  /** A wait has ended and is about to be folded, which takes its signal out of the state. */
  settle(name: string, performed: Performed): void;
}

export function createSignals(state: State): SignalDesk {
  const waiting: { name: string; callback: (data: Json) => void }[] = [];
  /** Handed to a wait whose end is not folded yet. */
  const taken = new Map<string, number>();

  function take(name: string): Json | undefined {
    const used = taken.get(name) ?? 0;
    const data = state.signals.get(name)?.[used];
    if (data !== undefined) taken.set(name, used + 1);
    return data;
  }

  function deliver(): void {
    for (const wait of [...waiting]) {
      const data = take(wait.name);
      if (data === undefined) continue;
      waiting.splice(waiting.indexOf(wait), 1);
      wait.callback(data);
    }
  }

  return {
    take,
    deliver,
    wait(name, callback) {
      const wait = { name, callback };
      waiting.push(wait);
      return () => {
        const index = waiting.indexOf(wait);
        if (index >= 0) waiting.splice(index, 1);
      };
    },
    settle(name, performed) {
      if (performed.kind !== 'outcome' || !performed.outcome.ok) return;
      const used = taken.get(name) ?? 0;
      if (used > 1) taken.set(name, used - 1);
      else taken.delete(name);
    },
  };
}
