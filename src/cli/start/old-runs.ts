// old-runs: when a run started, whether anything can still come of it, and the removal of those with which all is over.

import { Fault } from '../../model/fault.ts';
import type { Store, StoredRun } from '../../ports/store.ts';

/** From the id: `20261115T101500Z-…`. */
function startOfRun(id: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(id);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Those that started before then, oldest first. */
export function runsBefore(store: Store, time: number): string[] {
  return store.list().filter((id) => {
    const started = startOfRun(id);
    return started !== undefined && started <= time;
  });
}

export type Fate = 'ended' | 'paused' | 'stopped' | 'unreadable';

/** As the view has it, else the last entry of the journal; of a run that nobody drives. */
export function fateOf(run: StoredRun): Fate {
  if (run.hasRescued()) return 'stopped'; // whatever the view says: somebody has to decide how it goes on
  if (!run.hasJournal()) return 'unreadable'; // nobody can go on with it
  const status = statusInView(run.document('state.json'));
  if (status !== undefined) {
    if (status === 'paused') return 'paused';
    return status === 'running' ? 'stopped' : 'ended';
  }
  try {
    const last = run.journal().entries.at(-1)?.kind;
    if (last === 'run-paused' || last === 'run-interrupted') return 'paused';
    return ['run-completed', 'run-failed', 'run-cancelled', undefined].includes(last) ? 'ended' : 'stopped';
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return 'unreadable';
  }
}

function statusInView(state: string | undefined): string | undefined {
  try {
    const status = state === undefined ? undefined : (JSON.parse(state) as { status?: unknown }).status;
    return typeof status === 'string' ? status : undefined;
  } catch {
    return undefined;
  }
}

/** Runs that have ended and started before then, without asking; one that cannot be removed stays. How many went. */
export function removeEnded(store: Store, time: number): number {
  let removed = 0;
  for (const id of runsBefore(store, time)) {
    try {
      const run = store.read(id);
      if (run.holder() !== undefined || fateOf(run) !== 'ended') continue;
      store.remove(id);
      removed += 1;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  }
  return removed;
}
