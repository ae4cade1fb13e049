// cancel: a run that nobody drives is ended for good.

import { fold, initialState } from '../../engine/engine.ts';
import type { Entry } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import { maskEntry } from '../../runtime/mask-entry.ts';
import { readPinned } from './pinned.ts';
import { createRecords } from './records.ts';
import type { RunServices } from './run.ts';
import { maskFor } from './secrets.ts';
import { createRunViews } from './views.ts';

export function cancelRun(services: RunServices, id: string, by: string, why: string | undefined): void {
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
    const body = maskEntry(mask, { kind: 'run-cancelled', by, why });
    const entry: Entry = { n: state.n + 1, at: clock.now(), ...body };
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
