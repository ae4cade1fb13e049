// runs: the list of runs and what waits for a person, as the server tells it.

import { signal } from '@preact/signals';
import type { ListChange, ListedRun, WaitingQuestion } from '../src/ui/wire.ts';
import { follow } from './connection.ts';

export const runs = signal<ReadonlyMap<string, ListedRun>>(new Map());
export const waiting = signal<readonly WaitingQuestion[]>([]);
/** The list has come. */
export const isListed = signal(false);

export function followRuns(): () => void {
  return follow(() => '/api/stream', {
    runs(data) {
      const change = JSON.parse(data) as ListChange;
      const next = new Map(change.all ? [] : runs.value);
      for (const run of change.runs) next.set(run.id, run);
      for (const id of change.gone) next.delete(id);
      runs.value = next;
      isListed.value = true;
    },
    waiting(data) {
      waiting.value = JSON.parse(data) as WaitingQuestion[];
    },
  });
}
