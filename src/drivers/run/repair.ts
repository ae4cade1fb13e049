// repair: best effort on a run whose records were damaged: the journal is cut where it stops to verify, or the rescued
// journal is put in its place, and the views are made again from what there is. What was lost runs again when the run is
// resumed.

import { fold, initialState } from '../../engine/engine.ts';
import { Fault } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import type { JournalRepair, RescuedJournal } from '../../ports/store.ts';
import { createRunView } from '../../views/run-view.ts';
import { readPinned } from './pinned.ts';
import type { RunServices } from './run.ts';

export interface RepairRequest {
  id: string;
  takeOver?: boolean;
  /** Go on from the rescued journal. */
  rescued?: boolean;
  /** Go on from what is left of the journal. */
  repair?: boolean;
}

export interface Repaired {
  /** What was put in the place of the journal. */
  rescued?: RescuedJournal;
  /** Absent: the journal was whole. */
  journal?: JournalRepair;
  /** Bytes of a last line that was never finished. */
  torn: number;
  status: State['status'];
}

export function repairRun(services: RunServices, request: RepairRequest): Repaired {
  const { store, holder, hash } = services;
  const { id, takeOver } = request;
  const rescued = request.rescued ? store.useRescued(id, holder, { takeOver }) : undefined;
  const journal = request.repair ? store.repair(id, holder, { takeOver }) : undefined;
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
    return { rescued, journal, torn, status: state.status };
  } finally {
    run.close();
  }
}
