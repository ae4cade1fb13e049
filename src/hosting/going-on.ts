// going-on: whether a run can be gone on with at all, whoever takes the turns.

import { Fault } from '../model/fault.ts';
import type { State } from '../model/state.ts';
import { refuseChanged } from './changed.ts';
import type { HostedRun } from './hosted-run.ts';
import type { Hosting } from './hosting.ts';
import { refuseMoved } from './moved.ts';

/** In a call. Faults `run-ended`, `workspace-moved`, `workspace-gone`, `workflow-changed`. */
export function refuseGoingOn(hosting: Hosting, run: HostedRun): void {
  const { id, location, start, pinned, state } = run;
  refuseEnded(state, id);
  refuseMoved(hosting, { id, location }, start, pinned.since);
  refuseChanged(hosting, pinned, start.workflow_file, id);
}

function refuseEnded(state: State, id: string): void {
  if (state.status !== 'completed' && state.status !== 'cancelled') return;
  throw new Fault('run-ended', `run ${id} is ${state.status}: there is nothing to go on with`, {
    hint: 'Start a new one with `lockstep run`.',
    exitCode: 2,
  });
}
