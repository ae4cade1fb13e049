// repair: best effort on a run whose records were damaged: the journal is cut where it stops to verify, or the rescued
// journal is put in its place, and the views are made again from what there is. What was lost runs again when the run is
// resumed.

import { Fault } from '../model/fault.ts';
import type { State } from '../model/state.ts';
import type { JournalRepair, RescuedJournal } from '../ports/store.ts';
import type { HeldRun } from './held-run.ts';
import { hostRun } from './hosted-run.ts';
import type { Hosting } from './hosting.ts';

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
  status: State['status'];
}

export async function repairRun(hosting: Hosting, request: RepairRequest): Promise<Repaired> {
  const { store, holder } = hosting;
  const { id, takeOver } = request;
  const rescued = request.rescued ? store.useRescued(id, holder, { takeOver }) : undefined;
  const journal = request.repair ? store.repair(id, holder, { takeOver }) : undefined;
  const rebuild = ({ rebuild, state }: HeldRun): State['status'] => {
    rebuild();
    return state.status;
  };
  try {
    return { rescued, journal, status: await hostRun(hosting, id).call(rebuild, { takeOver }) };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'run-empty') throw error;
    throw new Fault('run-empty', `nothing of the journal of run ${id} can be read`, {
      hint: `Start anew from what else is known of it: lockstep resume ${id} --force-restart`,
      exitCode: 2,
    });
  }
}
