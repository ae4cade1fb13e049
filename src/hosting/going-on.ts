// going-on: whether a run can be gone on with at all, whoever takes the turns; and what has to end first.

import { resolve } from 'node:path';
import { Fault } from '../model/fault.ts';
import type { HeldRun } from './held-run.ts';
import type { Hosting } from './hosting.ts';
import type { Memory } from './memory.ts';
import { refuseMoved } from './moved.ts';

/** Faults `run-ended`, `workspace-moved`, `workspace-gone`, `workflow-changed`. */
export function refuseGoingOn(hosting: Hosting, run: HeldRun): void {
  const { status } = run.state;
  if (status === 'completed' || status === 'cancelled')
    throw new Fault('run-ended', `run ${run.id} is ${status}: there is nothing to go on with`, {
      hint: 'Start a new one with `lockstep run`.',
      exitCode: 2,
    });
  refuseMoved(hosting, run, run.start, run.pinned.since);
  refuseChanged(hosting, run);
}

/**
 * `policy.on_changed: refuse`: not once the file it was made from says something else. (What is pinned would run all the
 * same, S2; this policy is for people who want to know.)
 */
function refuseChanged(hosting: Hosting, { id, pinned, start }: HeldRun): void {
  const shown = start.workflow_file;
  const [main] = pinned.workflow.sources;
  if (pinned.workflow.policy.onChanged !== 'refuse' || !main || !hosting.readDefinition) return;
  const path = pinned.workflow_path ?? resolve(pinned.started_in ?? pinned.workspace, shown);
  const text = hosting.readDefinition(path);
  const now = text === undefined ? undefined : hosting.hash(text);
  if (now === main.hash) return;
  const became = now === undefined ? 'cannot be read now' : `is sha256:${now} now`;
  throw new Fault(
    'workflow-changed',
    `${shown} has changed since run ${id} started: it was sha256:${main.hash}, and ${became}`,
    {
      hint: `Put the file back as it was, or start anew from the changed one, with the same inputs: lockstep resume ${id} --force-restart`,
      exitCode: 2,
    },
  );
}

/** A holder that was killed leaves its children running; what is in doubt must not run beside its old self (E4). */
export async function endLeftBehind(
  { processes, sweep }: Pick<Hosting, 'processes' | 'sweep'>,
  { state, lastHolder }: Pick<Memory, 'state' | 'lastHolder'>,
  warn: (message: string) => void,
): Promise<void> {
  if (state.running.size === 0) return;
  const ended = await processes.endLeftBehind(
    (environment) =>
      environment.get('LOCKSTEP_RUN') === state.run.id &&
      state.running.has(environment.get('LOCKSTEP_STEP') ?? ''),
  );
  await sweep?.(lastHolder);
  if (ended > 0)
    warn(`ended ${ended} ${ended === 1 ? 'process' : 'processes'} that the killed run had left behind`);
}
