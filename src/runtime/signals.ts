// signals: a signal sent before its `wait` is kept, and serves one wait (architecture.md).

import type { Json } from '../model/json.ts';
import type { State } from '../model/state.ts';

export interface Signals {
  /** Calls back with what was sent: at once if one is kept. The answer gives the wait up. */
  wait(name: string, callback: (data: Json) => void): () => void;
}

export interface SignalDesk extends Signals {
  /** New signals may be in the state. */
  deliver(): void;
  /** The wait that took one is journaled, or was given up: the fold has taken it out of the state. */
  settle(name: string): void;
}

export function createSignals(state: State): SignalDesk {
  const waiting: { name: string; callback: (data: Json) => void }[] = [];
  /** Handed to a wait whose end is not folded yet. */
  const taken = new Map<string, number>();

  function deliver(): void {
    for (const wait of [...waiting]) {
      const kept = state.signals.get(wait.name) ?? [];
      const used = taken.get(wait.name) ?? 0;
      if (used >= kept.length) continue;
      waiting.splice(waiting.indexOf(wait), 1);
      taken.set(wait.name, used + 1);
      wait.callback(kept[used] as Json);
    }
  }

  return {
    deliver,
    wait(name, callback) {
      const wait = { name, callback };
      waiting.push(wait);
      deliver();
      return () => {
        const index = waiting.indexOf(wait);
        if (index >= 0) waiting.splice(index, 1);
      };
    },
    settle(name) {
      const used = taken.get(name) ?? 0;
      if (used > 1) taken.set(name, used - 1);
      else taken.delete(name);
    },
  };
}
