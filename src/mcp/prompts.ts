// prompts: a prompt for each workflow that comes with Lockstep, for people to pick in their client.

import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { catalogue, type Listed } from './catalogue.ts';
import type { Workplace } from './workplace.ts';

export async function listPrompts(place: Workplace): Promise<Prompt[]> {
  return (await catalogue(place, 'builtin')).map((listed) => ({
    name: listed.id,
    title: `Be led through ${listed.id}`,
    description: listed.loaded.workflow?.description ?? '',
    arguments: [
      { name: 'goal', description: 'What you want, in your words.' },
      ...requiredOf(listed).map(([name, description]) => ({ name, description, required: true })),
    ],
  }));
}

/** undefined: there is no such prompt. */
export async function getPrompt(
  place: Workplace,
  name: string,
  given: Record<string, string>,
): Promise<GetPromptResult | undefined> {
  const listed = (await catalogue(place, 'builtin')).find(({ id }) => id === name);
  if (!listed) return undefined;
  const { goal, ...inputs } = given;
  const params = {
    workflowId: name,
    ...(goal !== undefined && goal !== '' && { goal }),
    ...(Object.keys(inputs).length > 0 && { inputs }),
    workspacePath: place.root,
  };
  const text = [
    `Let Lockstep lead you through the workflow "${name}".`,
    `Call start_workflow with ${JSON.stringify(params)}.`,
    'Do what `pending.prompt` of the answer says, and nothing of a later step. Hand your work in with continue_workflow, and go on until `isComplete` is true.',
    'Where the answer is `blocked`, mend what it names. What only a person may decide, leave to me.',
  ].join('\n');
  return {
    description: `Be led through ${name}`,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** Name and description. What is found in the project is not asked for. */
function requiredOf({ loaded }: Listed): [string, string][] {
  return Object.entries(loaded.workflow?.inputs ?? {}).flatMap(([name, input]) =>
    input.default === undefined && input.required !== false && input.find === undefined
      ? [[name, input.description ?? ''] as [string, string]]
      : [],
  );
}
