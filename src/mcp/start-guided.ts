// start-guided: a run for a client to be led through, with what it was given held against what the workflow declares.

import type { Turn } from '../drivers/guide/guide.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Skips } from '../model/entry.ts';
import { everyStep } from '../model/every-step.ts';
import type { JsonObject } from '../model/json.ts';
import type { Workflow } from '../model/workflow.ts';
import type { CallContext } from './call-context.ts';
import type { Found } from './catalogue.ts';
import { Refused } from './refusal.ts';
import type { GivenValues, Workplace } from './workplace.ts';

export const NO_SKIPS: Skips = { steps: [], checks: false, dry_run: false };

export interface Beginning {
  found: Found;
  given: { inputs: JsonObject; context: JsonObject };
  skips: Skips;
}

export async function startGuided(
  place: Workplace,
  context: CallContext,
  beginning: Beginning,
): Promise<Turn> {
  const { found, skips } = beginning;
  refuseBelowAgent(context);
  context.tokens(); // a key that cannot be used is told before a run is made that no token leads to
  const values = await valuesFor(place, beginning);
  const guide = await place.guide();
  const { workflow, file } = found;
  return await guide.start({
    ...{ workflow, workflowFile: file.path, workflowPath: file.id, workspace: place.root, skips },
    ...{ inputs: values.inputs, vars: values.vars, found: values.found },
  });
}

/** An agent of a run that starts runs would be led by itself. */
export function refuseBelowAgent({ workplaces }: CallContext): void {
  const agent = workplaces.callers.agentAbove();
  if (agent === undefined) return;
  throw new Refused({
    code: 'below-agent',
    message: `this server was started below an agent (${agent}), which does not start or change runs`,
    suggestedFix: 'Do the step that you were given. Issues and session_status can be used.',
  });
}

/** Refused with everything that is wrong with what was given. */
export async function valuesFor(
  place: Workplace,
  { found: { workflow }, given, skips }: Beginning,
): Promise<GivenValues> {
  refuseOwnState(workflow, given.context);
  const { vars, rest } = split(workflow, given.context);
  const values = await place.given(workflow, skips, { inputs: given.inputs, context: rest });
  const errors = values.problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return { ...values, vars: { ...values.vars, ...vars } };
  throw new Refused({
    code: errors[0]?.code ?? 'input-invalid',
    message: errors.map(({ message }) => message).join('; '),
    suggestedFix: errors.map(fixOf).join(' '),
  });
}

/**
 * Vars are the workflow's state, and conditions read them. A client sets them where steps take them from what is handed in;
 * elsewhere it would choose which steps it has to do. The goal is what the person said.
 */
function refuseOwnState(workflow: Workflow, context: JsonObject): void {
  if (everyStep(workflow.steps).some(({ output, work }) => output === 'vars' && work.kind === 'prompt'))
    return;
  for (const name of Object.keys(context)) {
    if (name === 'goal' || !Object.hasOwn(workflow.vars, name)) continue;
    throw new Refused({
      code: 'input-not-yours',
      message: `\`${name}\` is state of the workflow, which its own steps change`,
      suggestedFix: `Leave out /context/${name}.`,
    });
  }
}

/** Names of vars are theirs; the rest is on record, and read where an input has the name. */
function split({ vars }: Workflow, context: JsonObject): { vars: JsonObject; rest: JsonObject } {
  const entries = Object.entries(context);
  const isVar = ([name]: [string, unknown]): boolean => Object.hasOwn(vars, name);
  return {
    vars: Object.fromEntries(entries.filter(isVar)),
    rest: Object.fromEntries(entries.filter((entry) => !isVar(entry))),
  };
}

function fixOf({ code, message, hint }: Diagnostic): string {
  const name = /`([^`]+)`/.exec(message)?.[1] ?? '';
  if (code === 'input-missing') return `Set /inputs/${name} to a value; inspect_workflow shows what it is.`;
  if (code === 'input-unknown') return `Leave out /inputs/${name}.${hint === undefined ? '' : ` ${hint}`}`;
  return hint ?? `Change /inputs/${name}; inspect_workflow shows what it has to be.`;
}
