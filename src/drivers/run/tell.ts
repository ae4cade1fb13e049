// tell: a word to a run that nobody drives. It is journaled under the lease, so that nothing has to lie in the inbox
// until the run goes on.

import { fold, initialState } from '../../engine/engine.ts';
import type { Entry, EntryBody } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import { maskEntry } from '../../runtime/mask-entry.ts';
import { readPinned } from './pinned.ts';
import { createRecords } from './records.ts';
import type { RunServices } from './run.ts';
import { maskFor } from './secrets.ts';
import { createRunViews } from './views.ts';

/** `word` gets the run as it is under the lease, and may throw. */
export function tellRun(services: RunServices, id: string, word: (state: State) => EntryBody): void {
  const run = services.store.open(id, services.holder);
  try {
    const { entries } = run.journal();
    const [start] = entries;
    if (start?.kind !== 'run-started') throw new Fault('run-empty', `run ${id} never started`);
    const { workflow } = readPinned(run, start.workflow_hash, services.hash);
    const state = initialState(workflow);
    for (const entry of entries) fold(workflow, state, entry);
    const { clock, environment } = services;
    const mask = maskFor(workflow, environment);
    const entry: Entry = { n: state.n + 1, at: clock.now(), ...maskEntry(mask, word(state)) };
    run.append(entry);
    run.flush();
    fold(workflow, state, entry);
    const records = createRecords({ run, workflow, clock, mask, environment, earlier: entries });
    createRunViews(run, workflow, clock, entries, records).onEntries([entry], state);
    records.close();
  } finally {
    run.close();
  }
}

/** Ends it for good. */
export function cancelRun(services: RunServices, id: string, by: string, why: string | undefined): void {
  tellRun(services, id, () => ({ kind: 'run-cancelled', by, why, ...channelHere(services) }));
}

export function channelHere({
  callers,
}: RunServices): Pick<EntryBody & { kind: 'run-cancelled' }, 'channel'> {
  return callers ? { channel: callers.channel('command') } : {};
}
