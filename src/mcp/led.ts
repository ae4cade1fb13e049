// led: whether a client can be led through a workflow here, by the rule that a start goes by.

import { Fault } from '../model/fault.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Workplace } from './workplace.ts';

/** Why start_workflow refuses it, whatever it is given; undefined: it does not. */
export async function whyNotLed(place: Workplace, workflow: Workflow): Promise<string | undefined> {
  const [{ admit }, { agentsFor }] = await Promise.all([
    import('../drivers/guide/admission.ts'),
    place.hosting(),
  ]);
  try {
    admit(workflow, agentsFor(workflow, undefined));
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}
