// prompts: a prompt for each workflow, the project's own too, for people to pick in their client. Where a client cannot be led
// through one, its prompt has Lockstep drive it.

import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { Workflow } from '../model/workflow.ts';
import { catalogue } from './catalogue.ts';
import { whyNotLed } from './led.ts';
import type { Workplace } from './workplace.ts';

export interface Prompts {
  list(place: Workplace): Promise<Prompt[]>;
  /** undefined: there is no such prompt. */
  get(place: Workplace, name: string, given: Record<string, string>): Promise<GetPromptResult | undefined>;
}

type Start = 'start_workflow' | 'run_workflow';

/** `tools`: those that the server offers; what none of them begins is no prompt. */
export function promptsWith(tools: Pick<ReadonlySet<string>, 'has'>): Prompts {
  async function startOf(place: Workplace, workflow: Workflow): Promise<Start | undefined> {
    const isLed = (await whyNotLed(place, workflow)) === undefined;
    const start = isLed ? 'start_workflow' : 'run_workflow';
    return tools.has(start) ? start : undefined;
  }

  return {
    async list(place) {
      const prompts: Prompt[] = [];
      for (const { id, loaded } of await catalogue(place)) {
        const { workflow } = loaded;
        const start = workflow && (await startOf(place, workflow));
        if (!workflow || !start) continue;
        prompts.push({
          ...{ name: id, title: titleOf(start, id), description: workflow.description ?? '' },
          arguments: [
            { name: 'goal', description: 'What you want, in your words.' },
            ...requiredOf(workflow).map(([name, description]) => ({ name, description, required: true })),
          ],
        });
      }
      return prompts;
    },

    async get(place, name, given) {
      const { library } = await place.definitions();
      const file = library.load({ by: 'name', kind: 'workflow', name });
      const workflow = 'missing' in file ? undefined : (await place.load(file)).workflow;
      const start = workflow && (await startOf(place, workflow));
      return start && promptOf(start, name, place.root, given);
    },
  };
}

function titleOf(start: Start, name: string): string {
  return start === 'start_workflow' ? `Be led through ${name}` : `Have Lockstep run ${name}`;
}

const WORDS: Record<Start, [intent: string, rest: string]> = {
  start_workflow: [
    'Let Lockstep lead you through the workflow',
    'Do what `pending.prompt` of the answer says, and nothing of a later step. Hand your work in with continue_workflow, and go on until `isComplete` is true.\nWhere the answer is `blocked`, mend what it names. What only a person may decide, leave to me.',
  ],
  run_workflow: [
    'Have Lockstep run the workflow',
    'It starts the agents itself, and you do none of the steps. Look with run_status now and then, put what it asks to me with run_question, and tell me what came of it.',
  ],
};

function promptOf(
  start: Start,
  name: string,
  root: string,
  { goal, ...inputs }: Record<string, string>,
): GetPromptResult {
  const params = {
    workflowId: name,
    ...(goal !== undefined && goal !== '' && { goal }),
    ...(Object.keys(inputs).length > 0 && { inputs }),
    workspacePath: root,
  };
  const [intent, rest] = WORDS[start];
  const text = [`${intent} "${name}".`, `Call ${start} with ${JSON.stringify(params)}.`, rest].join('\n');
  return {
    description: titleOf(start, name),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** Name and description. What is found in the project is not asked for. */
function requiredOf({ inputs }: Workflow): [string, string][] {
  return Object.entries(inputs).flatMap(([name, input]) =>
    input.default === undefined && input.required !== false && input.find === undefined
      ? [[name, input.description ?? ''] as [string, string]]
      : [],
  );
}
