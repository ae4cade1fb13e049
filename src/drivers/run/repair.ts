// repair: best effort on a run whose records were damaged: the journal is cut where it stops to verify, and the views
// are made again from what is left. What was lost runs again when the run is resumed.

import { fold, initialState } from '../../engine/engine.ts';
import { Fault } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import type { JournalRepair } from '../../ports/store.ts';
import { createRunView } from '../../views/run-view.ts';
import { readPinned } from './pinned.ts';
import type { RunServices } from './run.ts';

export interface Repaired {
  /** Absent: the journal verified. */
  journal?: JournalRepair;
  /** Bytes of a last line that was never finished. */
  torn: number;
  status: State['status'];
}

export function repairRun(services: RunServices, id: string, takeOver = false): Repaired {
  const { store, holder, hash } = services;
  const journal = store.repair(id, holder, { takeOver });
  const run = store.open(id, holder, { takeOver });
  try {
    const { entries, torn } = run.journal();
    const [start] = entries;
    if (start?.kind !== 'run-started')
      throw new Fault('run-empty', `nothing of the journal of run ${id} can be read`, {
        hint: `Start anew from what else is known of it: lockstep resume ${id} --force-restart`,
        exitCode: 2,
      });
    const { workflow } = readPinned(run, start.workflow_hash, hash);
    const state = initialState(workflow);
    const view = createRunView(workflow);
    for (const entry of entries) {
      fold(workflow, state, entry);
      view.record(entry);
    }
    run.replaceDocument('state.json', view.stateJsonPieces());
    return { journal, torn, status: state.status };
  } finally {
    run.close();
  }
}
