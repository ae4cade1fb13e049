// read-run: a journal → the run as it stands. The one place where a stored run is folded.

import { foldAndTell, initialState, listen } from '../engine/engine.ts';
import type { Entry } from '../model/entry.ts';
import { Fault } from '../model/fault.ts';
import type { State } from '../model/state.ts';
import type { Store, StoredRun } from '../ports/store.ts';
import { createRunView, type RunView } from '../views/run-view.ts';
import { type Pinned, readPinned } from './pinned.ts';

export type RunStarted = Extract<Entry, { kind: 'run-started' }>;

export interface ReadRun {
  stored: StoredRun;
  pinned: Pinned;
  state: State;
  view: RunView;
  torn: number;
  /** Says what is missing from the journal, where more was recorded once. */
  missing?: string;
}

/** A run as its journal tells it, without holding it. */
export function readRun(store: Store, id: string, hash: (text: string) => string): ReadRun {
  return readStored(store.read(id), hash);
}

/** The run as it was when that entry had been written. Fault `entry-unknown`. */
export function readUntil(store: Store, id: string, n: number, hash: (text: string) => string): ReadRun {
  const stored = store.read(id);
  const { entries, torn } = stored.journal();
  if (n < 1 || n > entries.length) {
    throw new Fault('entry-unknown', `run ${id} has no entry ${n}: it has ${entries.length}`, {
      hint: `Entries count from 1. See them with: lockstep audit ${id}`,
      exitCode: 2,
    });
  }
  return foldStored(stored, entries.slice(0, n), torn, hash);
}

export function readStored(stored: StoredRun, hash: (text: string) => string): ReadRun {
  const { entries, torn, missing } = stored.journal();
  return { ...foldStored(stored, entries, torn, hash), ...(missing !== undefined && { missing }) };
}

function foldStored(
  stored: StoredRun,
  entries: readonly Entry[],
  torn: number,
  hash: (text: string) => string,
): ReadRun {
  const { pinned } = beginningOf(stored, entries, hash, 'It holds nothing: `lockstep clean` removes it.');
  const view = createRunView(pinned.workflow);
  const state = foldAll(pinned, entries, view);
  return { stored, pinned, state, view, torn };
}

/** Fault `run-empty`, with this hint; `workflow-pin-broken`. */
export function beginningOf(
  run: StoredRun,
  [start]: readonly Entry[],
  hash: (text: string) => string,
  hint?: string,
): { start: RunStarted; pinned: Pinned } {
  if (start?.kind !== 'run-started') throw new Fault('run-empty', `run ${run.id} never started`, { hint });
  return { start, pinned: readPinned(run, start.workflow_hash, hash) };
}

/** `view` is told all of them. */
export function foldAll({ workflow }: Pinned, entries: readonly Entry[], view: RunView): State {
  const state = listen(initialState(workflow));
  for (const entry of entries) view.record(foldAndTell(workflow, state, entry));
  return state;
}
