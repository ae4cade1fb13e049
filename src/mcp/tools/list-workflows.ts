// list-workflows: what a client can be led through here.

import { catalogue, type Listed } from '../catalogue.ts';
import { orRefused } from '../refusal.ts';
import { flag, list, object, text, type ValueOf } from '../schema.ts';
import { LOOKS, tool } from '../tool.ts';
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
    problem: text('The first of them.'),
  },
  ['workflowId', 'name', 'description', 'layer', 'path', 'needs', 'usable'],
);

export const listWorkflows = tool({
  title: 'List workflows',
  description:
    'Lists the workflows that you can be led through in this project. Call inspect_workflow to see the steps of one, and start_workflow to begin.',
  input: object({ workspacePath: WORKSPACE }, []),
  output: orRefused(object({ workflows: list(WORKFLOW, 'By name.') }, ['workflows'])),
  annotations: LOOKS,
  async call({ workspacePath }, { at }) {
    const workflows = (await catalogue(await at(workspacePath))).map(shown);
    return { value: { workflows }, text: workflows.map(lineOf).join('\n') || 'There are no workflows here.' };
  },
});

function shown({ id, layer, path, loaded }: Listed): ValueOf<typeof WORKFLOW> {
  const { workflow, diagnostics } = loaded;
  const error = diagnostics.find(({ severity }) => severity === 'error');
  const inputs = Object.entries(workflow?.inputs ?? {});
  return {
    ...{ workflowId: id, name: workflow?.name ?? id, description: workflow?.description ?? '', layer, path },
    needs: inputs.flatMap(([name, { default: given, required, find }]) =>
      given === undefined && required !== false && find === undefined ? [name] : [],
    ),
    usable: workflow !== undefined,
    ...(error && { problem: error.message }),
  };
}

function lineOf({ workflowId, description, layer, needs, problem }: ValueOf<typeof WORKFLOW>): string {
  const needed = needs.length > 0 ? ` Needs: ${needs.join(', ')}.` : '';
  const wrong = problem === undefined ? '' : ` Cannot be used: ${problem}`;
  return `- ${workflowId} (${layer})${description === '' ? '' : `: ${description.trim()}`}${needed}${wrong}`;
}
