// handover: somebody else takes the turns of a run from here on. Whether they can is looked at first, as at a start.

import { admitGuarded } from '../../drivers/guard/admission.ts';
import { admit as admitGuide } from '../../drivers/guide/admission.ts';
import { admit as admitRun } from '../../drivers/run/run.ts';
import { type Hosting, readRun, tellRun } from '../../hosting/hosting.ts';
import type { Pinned } from '../../hosting/pinned.ts';
import type { Drive, Driven } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import { refuseBelowClient } from '../below-agent.ts';
import { findRun } from '../find-run.ts';
import type { Services } from '../services.ts';
import { speakOr } from '../speak.ts';

export async function handover(
  services: Services,
  reference: string,
  options: { to: Drive; why?: string; stateDir?: string },
): Promise<number> {
  await refuseBelowClient(services, 'handover');
  const { stdout, stderr } = services;
  const store = await services.store(options.stateDir);
  const id = findRun(store, reference);
  const { state, pinned } = readRun(store, id, services.hash);
  refuseHandover(state, id, options.to);
  const hosting = await services.hosting(options.stateDir);
  const { driven, warnings } = admission(hosting, pinned, options.to);
  for (const warning of warnings) stderr.write(`warning: ${warning}\n`);
  const message = { kind: 'handover', to: driven, by: services.user, why: options.why } as const;
  const said = await speakOr(services, store, id, message, async () => {
    // Somebody may have been faster.
    refuseHandover(readRun(store, id, services.hash).state, id, options.to);
    await tellRun(hosting, id, message);
  });
  if ('heard' in said) {
    const { pid, host } = said.heard;
    stdout.write(
      `Run ${id} is handed over. Process ${pid} on ${host} lets go of it once what runs has finished.\n`,
    );
  } else stdout.write(`Run ${id} is handed over.\n`);
  stdout.write(`${nextStep(id, options.to)}\n`);
  return 0;
}

function admission(
  hosting: Hosting,
  { workflow, script, skips }: Pinned,
  to: Drive,
): { driven: Driven; warnings: string[] } {
  if (to === 'guide') return admitGuide(workflow, hosting.agentsFor(workflow, script));
  if (to === 'guard') return { driven: { drive: 'guard' }, warnings: admitGuarded(workflow, 'steps') };
  admitRun(hosting, workflow, script, skips?.dry_run);
  return { driven: { drive: 'run' }, warnings: [] };
}

function refuseHandover({ status, driven }: State, id: string, to: Drive): void {
  if (status === 'completed' || status === 'cancelled')
    throw new Fault('run-ended', `run ${id} is ${status}: there is nothing to hand over`, { exitCode: 2 });
  if (driven.drive === to)
    throw new Fault('handover-pointless', `run ${id} is driven that way already (${to})`, {
      hint: nextStep(id, to),
      exitCode: 2,
    });
}

function nextStep(id: string, to: Drive): string {
  if (to === 'run') return `To go on: lockstep resume ${id}`;
  return to === 'guard'
    ? `To go on, type in a session of this project: /lockstep:run ${id}`
    : `A client goes on with it through \`lockstep mcp\`: resume_session with runId ${id}.`;
}
