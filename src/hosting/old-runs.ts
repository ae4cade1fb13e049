// old-runs: when a run started, whether anything can still come of it, and the removal of those with which all is over.

import type { Store, StoredRun } from '../ports/store.ts';
import { type LookedAt, lookAtRun } from './look-at-run.ts';

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
  return store.list().filter((id) => startedBefore(id, time));
}

export function startedBefore(id: string, time: number): boolean {
  const started = startOfRun(id);
  return started !== undefined && started <= time;
}

export type Fate = 'ended' | 'paused' | 'stopped' | 'unreadable';

/** What became of a run that no process holds. Its journal may be damaged. */
export function fateOf(run: StoredRun, { view, unread }: LookedAt): Fate {
  if (run.hasRescued()) return 'stopped'; // whatever the view says: somebody has to decide how it goes on
  if (!run.hasJournal()) return 'unreadable'; // nobody can go on with it
  if (!view) return unread === 'run-empty' ? 'ended' : 'unreadable';
  if (view.status === 'paused' || view.status === 'interrupted') return 'paused';
  return view.status === 'running' || view.status === 'pending' ? 'stopped' : 'ended';
}

/** Runs that have ended and started before then, without asking; one that cannot be removed stays. How many went. */
export function removeEnded(store: Store, time: number, hash: (text: string) => string): number {
  return removeWhere(
    store,
    time,
    hash,
    (run, looked) => looked.view?.drive !== 'guard' && fateOf(run, looked) === 'ended',
  );
}

/** Runs of live sessions in which nothing happened since then. How many went. */
export function removeGuarded(store: Store, time: number, hash: (text: string) => string): number {
  return removeWhere(store, time, hash, (run, looked) => isForgotten(run, looked, time));
}

/**
 * A run of a live session in which nothing happened since then. One that was never ended goes, too: most sessions are left, not
 * ended, and one that nobody came back to for so long is over.
 */
export function isForgotten(run: StoredRun, looked: LookedAt, time: number): boolean {
  const { view, damage } = looked;
  if (view?.drive !== 'guard' || damage !== undefined || run.hasRescued()) return false;
  const last = Date.parse(view.updated_at);
  return Number.isFinite(last) && last <= time;
}

function removeWhere(
  store: Store,
  time: number,
  hash: (text: string) => string,
  isOver: (run: StoredRun, looked: LookedAt) => boolean,
): number {
  let removed = 0;
  for (const id of runsBefore(store, time)) {
    try {
      const run = store.read(id);
      const looked = lookAtRun(run, hash);
      if (looked.held || !isOver(run, looked)) continue;
      store.remove(id);
      removed += 1;
    } catch {
      // It is there still, and `lockstep clean` says why.
    }
  }
  return removed;
}
