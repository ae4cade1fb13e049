// inspect-workflow: what a workflow consists of, before it is begun.

import { findWorkflow } from '../catalogue.ts';
import { orRefused } from '../refusal.ts';
import { anything, list, map, object, text } from '../schema.ts';
import { outlineSteps, outlineText, shownReferences } from '../step-outline.ts';
import { LOOKS, tool } from '../tool.ts';
import type { Workplace } from '../workplace.ts';
import { WORKSPACE } from './workspace.ts';

const INPUT = object(
  {
    ...{ name: text('Its name.'), type: text('string, number, boolean, list, map, file or any.') },
    ...{ description: text('What it is.'), required: text('yes, no, or found: looked up in the project.') },
    ...{
      default: anything('What it is where it is not given.'),
      choices: list(anything('One.'), 'Only these.'),
    },
  },
  ['name', 'type', 'description', 'required'],
);

export const inspectWorkflow = tool({
  title: 'Inspect a workflow',
  description:
    'Shows the steps of a workflow by title and condition, the inputs it takes and the references it names. What a step asks of you is shown when you are handed that step.',
  input: object(
    { workflowId: text('As list_workflows shows it, or a file.', { most: 1000 }), workspacePath: WORKSPACE },
    ['workflowId'],
  ),
  output: orRefused(
    object(
      {
        workflowId: text('What start_workflow takes.'),
        name: text('As its text calls it.'),
        description: text('What it is for.'),
        path: text('Its file.'),
        inputs: list(INPUT, 'What start_workflow may be given as `inputs`.'),
        steps: list(
          map('stepId, title, kind; runCondition, repeats, done and steps where there are any.'),
          'In order.',
        ),
        references: list(
          map('id, title, source, purpose, and the uri of a resource.'),
          'Documents that it names.',
        ),
        warnings: list(text('One.'), 'What is worth knowing about its file.'),
      },
      ['workflowId', 'name', 'description', 'path', 'inputs', 'steps', 'references', 'warnings'],
    ),
  ),
  annotations: LOOKS,
  call: async ({ workflowId, workspacePath }, { at }) => inspected(await at(workspacePath), workflowId),
});

export async function inspected(place: Workplace, workflowId: string) {
  const { workflow, file, loaded } = await findWorkflow(place, workflowId);
  const inputs = Object.entries(workflow.inputs).map(([name, input]) => ({
    ...{ name, type: input.type, description: input.description ?? '', required: requiredWord(input) },
    ...(input.default !== undefined && { default: input.default }),
    ...(input.choices && { choices: input.choices }),
  }));
  const steps = outlineSteps(workflow);
  const references = shownReferences(workflowId, workflow.references);
  const description = workflow.description ?? '';
  const warnings = loaded.diagnostics.map(({ message }) => message);
  const value = {
    workflowId,
    name: workflow.name,
    description,
    path: file.path,
    inputs,
    steps,
    references,
    warnings,
  };
  const lines = [
    `${workflow.name}${description === '' ? '' : `: ${description.trim()}`}`,
    ...(inputs.length > 0 ? ['', 'Inputs:'] : []),
    ...inputs.map((input) =>
      `- ${input.name} (${input.type}, required: ${input.required}) ${input.description}`.trim(),
    ),
    ...['', 'Steps:', outlineText(steps)],
    ...(references.length > 0 ? ['', 'References:'] : []),
    ...references.map(
      ({ id, source, purpose }) => `- ${id}: ${source}${purpose === undefined ? '' : `. ${purpose}`}`,
    ),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  return { value, text: lines.join('\n') };
}

function requiredWord({
  default: given,
  required,
  find,
}: {
  default?: unknown;
  required?: false;
  find?: string;
}): string {
  if (find !== undefined) return 'found';
  return given !== undefined || required === false ? 'no' : 'yes';
}
