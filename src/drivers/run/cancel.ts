// cancel: a run that nobody drives is ended for good.

import { fold, initialState } from '../../engine/engine.ts';
import type { Entry } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import { maskEntry } from '../../runtime/mask-entry.ts';
import { readPinned } from './pinned.ts';
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
    const body = maskEntry(maskFor(workflow, services.environment), { kind: 'run-cancelled', by, why });
    const entry: Entry = { n: state.n + 1, at: services.clock.now(), ...body };
    run.append(entry);
    run.flush();
    fold(workflow, state, entry);
    const views = createRunViews(run, workflow, services.clock, entries);
    views.onEntries([entry], state);
  } finally {
    run.close();
  }
}
