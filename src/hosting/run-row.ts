// run-row: a run as a list of runs shows it, on a terminal and on the page.

import type { Drive } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { Store } from '../ports/store.ts';
import { type LookedAt, lookAtRun } from './look-at-run.ts';

export interface RunRow {
  id: string;
  workflow: string;
  /** Runs of older versions do not tell. */
  branch?: string;
  /** Who takes its turns. */
  drive: Drive;
  status: string;
  started_at: string;
  duration_ms: number;
  steps: { done: number; failed: number; skipped: number };
  /** null: nothing was used, or nobody knows the price: then `unpriced` is not 0. */
  cost: number | null;
  /** Answers without a price: `cost` is then the least it was. */
  unpriced: number;
}

/** As its views tell it, or its journal. */
export function runRow({ hash }: { hash(text: string): string }, store: Store, id: string): RunRow {
  try {
    return rowFrom(id, lookAtRun(store.read(id), hash));
  } catch (error) {
    return rowFrom(id, { held: false, unread: error instanceof Fault ? error.code : 'unreadable' });
  }
}

function rowFrom(id: string, { view, damage, unread = 'unreadable', held }: LookedAt): RunRow {
  const damaged = damage === undefined ? undefined : 'damaged';
  if (!view) {
    const steps = { done: 0, failed: 0, skipped: 0 };
    const status = damaged ?? unread;
    return {
      id,
      workflow: '?',
      drive: 'run',
      status,
      started_at: '',
      duration_ms: 0,
      steps,
      cost: null,
      unpriced: 0,
    };
  }
  const { done, failed, skipped, input_tokens, output_tokens, cost, unpriced } = view.totals;
  const used = input_tokens + output_tokens + (cost ?? 0);
  return {
    id,
    workflow: view.workflow,
    ...(view.branch !== undefined && { branch: view.branch }),
    drive: view.drive,
    // A process that was killed left its view behind.
    status: damaged ?? (view.status === 'running' && !held ? 'stopped' : view.status),
    started_at: view.started_at,
    duration_ms: view.elapsed_ms,
    steps: { done, failed, skipped },
    cost: used === 0 ? null : cost,
    unpriced,
  };
}
