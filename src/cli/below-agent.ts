// below-agent: what an agent may not do to runs. A person's word is a person's, so commands that change a run or speak
// for a person are refused below any agent that Lockstep started, of whichever run and project.

import { Fault } from '../model/fault.ts';
import type { Services } from './services.ts';

export async function refuseBelowAgent(services: Services, command: string): Promise<void> {
  const agent = (await services.callers()).agentAbove();
  if (agent === undefined) return;
  throw new Fault('below-agent', `lockstep ${command} is refused: it was started below an agent (${agent})`, {
    hint: 'An agent does not speak for a person, and does not change runs. Type it in a terminal of your own.',
    exitCode: 2,
  });
}
