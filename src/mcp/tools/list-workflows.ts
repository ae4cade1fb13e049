// list-workflows: what a client can be led through here.

import { catalogue, type Listed } from '../catalogue.ts';
import { whyNotLed } from '../led.ts';
import { orRefused } from '../refusal.ts';
import { flag, list, object, text, type ValueOf } from '../schema.ts';
import { LOOKS, tool } from '../tool.ts';
import type { Workplace } from '../workplace.ts';
import { WORKSPACE } from './workspace.ts';

const WORKFLOW = object(
  {
    workflowId: text('What start_workflow takes.'),
    name: text('As its text calls it.'),
    description: text('What it is for.'),
    layer: text('Where it comes from: project, user, builtin, …'),
    path: text('Its file.'),
    needs: list(text('A name.'), 'Inputs that have to be given at the start.'),
    usable: flag('False: its file has problems, and a person has to mend them.'),
    led: flag('False: start_workflow refuses it. run_workflow may take it: then Lockstep starts the agents.'),
    problem: text('Why it is not usable, or not led.'),
  },
  ['workflowId', 'name', 'description', 'layer', 'path', 'needs', 'usable', 'led'],
);

type ListedWorkflow = ValueOf<typeof WORKFLOW>;

export const listWorkflows = tool({
  title: 'List workflows',
  description:
    'Lists the workflows of this project, and says which ones you can be led through. Call inspect_workflow to see the steps of one, and start_workflow to begin.',
  input: object({ workspacePath: WORKSPACE }, []),
  output: orRefused(object({ workflows: list(WORKFLOW, 'By name.') }, ['workflows'])),
  annotations: LOOKS,
  async call({ workspacePath }, { at }) {
    const place = await at(workspacePath);
    const workflows = [];
    for (const listed of await catalogue(place)) workflows.push(await shown(place, listed));
    return { value: { workflows }, text: workflows.map(lineOf).join('\n') || 'There are no workflows here.' };
  },
});

async function shown(place: Workplace, { id, layer, path, loaded }: Listed): Promise<ListedWorkflow> {
  const { workflow, diagnostics } = loaded;
  const problem = workflow
    ? await whyNotLed(place, workflow)
    : diagnostics.find(({ severity }) => severity === 'error')?.message;
  const inputs = Object.entries(workflow?.inputs ?? {});
  return {
    ...{ workflowId: id, name: workflow?.name ?? id, description: workflow?.description ?? '', layer, path },
    needs: inputs.flatMap(([name, { default: given, required, find }]) =>
      given === undefined && required !== false && find === undefined ? [name] : [],
    ),
    ...{ usable: workflow !== undefined, led: problem === undefined },
    ...(problem !== undefined && { problem }),
  };
}

function lineOf({ workflowId, description, layer, needs, usable, led, problem }: ListedWorkflow): string {
  const needed = needs.length > 0 ? ` Needs: ${needs.join(', ')}.` : '';
  const why = problem?.split('\n')[0];
  const wrong = !usable
    ? ` Cannot be used: ${why}`
    : led
      ? ''
      : ` Not with start_workflow (${why}): Lockstep drives it itself with run_workflow.`;
  return `- ${workflowId} (${layer})${description === '' ? '' : `: ${description.trim()}`}${needed}${wrong}`;
}
