// find-run: what a person calls a run → the run.

import { type Pinned, readPinned } from '../drivers/run/pinned.ts';
import { fold, initialState } from '../engine/engine.ts';
import { Fault } from '../model/fault.ts';
import type { State } from '../model/state.ts';
import type { Store, StoredRun } from '../ports/store.ts';
import { didYouMean } from '../text/closest-name.ts';
import { createRunView, type RunView } from '../views/run-view.ts';

export function findRun(store: Store, reference: string): string {
  const latest = store.latest();
  if (reference === 'latest') {
    if (latest !== undefined) return latest;
    throw new Fault('run-unknown', 'there are no runs here yet', {
      hint: 'Start one with `lockstep run`.',
      exitCode: 2,
    });
  }
  const ids = store.list();
  if (ids.includes(reference)) return reference;
  const matching = ids.filter((id) => id.startsWith(reference) || id.endsWith(`-${reference}`));
  if (matching.length === 1) return matching[0] as string;
  if (matching.length > 1) {
    throw new Fault('run-ambiguous', `"${reference}" is the beginning of ${matching.length} runs`, {
      hint: `Which one? ${matching.slice(-5).join(', ')}`,
      exitCode: 2,
    });
  }
  refuseReplaced(store, reference);
  throw new Fault('run-unknown', `there is no run "${reference}"`, {
    hint: didYouMean(reference, ids) ?? '`lockstep runs` lists them.',
    exitCode: 2,
  });
}

/** Where something stands in the place of its folder, the store says what. */
function refuseReplaced(store: Store, id: string): void {
  try {
    store.read(id);
  } catch (error) {
    if (error instanceof Fault && error.code === 'run-part-replaced') throw error;
  }
}

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
  const stored = store.read(id);
  const { entries, torn, missing } = stored.journal();
  const [first] = entries;
  if (first?.kind !== 'run-started') {
    throw new Fault('run-empty', `run ${id} never started`, {
      hint: 'It holds nothing: `lockstep clean` removes it.',
    });
  }
  const pinned = readPinned(stored, first.workflow_hash, hash);
  const state = initialState(pinned.workflow);
  const view = createRunView(pinned.workflow);
  for (const entry of entries) {
    fold(pinned.workflow, state, entry);
    view.record(entry);
  }
  return { stored, pinned, state, view, torn, ...(missing !== undefined && { missing }) };
}
