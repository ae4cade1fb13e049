// below-agent: what an agent may not do to runs. A person's word is a person's, so commands that change a run or speak
// for a person are refused below any agent that Lockstep started, of whichever run and project. The command of a step
// may run what an agent wrote (its tests, say), so it does not speak for a person either; nor does a client that we lead.

import { Fault } from '../model/fault.ts';
import type { Services } from './services.ts';

export async function refuseBelowAgent(services: Services, command: string): Promise<void> {
  const agent = (await services.callers()).agentAbove();
  if (agent !== undefined) throw refused(command, `an agent (${agent})`);
}

/** For commands that a client must not use on the run that it is led through. */
export async function refuseBelowClient(services: Services, command: string): Promise<void> {
  await refuseBelowAgent(services, command);
  const client = (await services.callers()).clientAbove();
  if (client !== undefined)
    throw refused(command, `a client that is led through a workflow, or held to one (${client})`);
}

/** For what only a person may say. */
export async function refuseBelowStep(services: Services, command: string): Promise<void> {
  await refuseBelowClient(services, command);
  const step = (await services.callers()).stepAbove();
  if (step !== undefined) throw refused(command, `a step (${step})`);
}

function refused(command: string, above: string): Fault {
  return new Fault('below-agent', `lockstep ${command} is refused: it was started below ${above}`, {
    hint: `${why(above)} Type it in a terminal of your own.`,
    exitCode: 2,
  });
}

function why(above: string): string {
  if (above.startsWith('an agent')) return 'An agent does not speak for a person, and does not change runs.';
  if (above.startsWith('a step')) return 'The command of a step does not speak for a person.';
  return 'Who does the work does not answer for the person who is asked about it.';
}
