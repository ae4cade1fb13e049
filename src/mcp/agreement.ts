// agreement: what a client may want of a start and only a person may allow: leaving steps out, or choosing what decides whether
// its own work counts. It is put to the person; where the client cannot do that it is refused, with what the person can do.

import { isDeepStrictEqual } from 'node:util';
import type { Skips } from '../model/entry.ts';
import { everyStep } from '../model/every-step.ts';
import type { JsonObject } from '../model/json.ts';
import type { Check, Workflow } from '../model/workflow.ts';
import type { CallContext } from './call-context.ts';
import { Refused } from './refusal.ts';
import type { Elicitation } from './tool.ts';

const AGREEMENT = 'agreement';

export interface Wanted {
  skips: Skips;
  /** What is given, by name. */
  inputs: JsonObject;
}

/** undefined: nothing needs a person's word, or it was given. Refused `needs-person`. */
export async function agreementFor(
  workflow: Workflow,
  wanted: Wanted,
  context: CallContext,
): Promise<Elicitation | undefined> {
  const { said, canAsk, client } = context;
  const own = [...(await checkInputs(workflow))]
    .filter((name) => isChosen(workflow, name, wanted.inputs))
    .sort();
  const { checks, steps } = wanted.skips;
  const parts = [
    ...(checks ? ['leave out all checks'] : []),
    ...steps.map((name) => `leave out the step "${name}"`),
    ...own.map((name) => `set \`${name}\` to ${JSON.stringify(wanted.inputs[name])}`),
  ];
  if (parts.length === 0) return undefined;
  const what = parts.join(', ');
  const fixes = [
    ...(checks ? ['Leave out /skipChecks.'] : []),
    ...(steps.length > 0 ? ['Leave out /skipStepNames.'] : []),
    ...own.map((name) => `Leave out /inputs/${name}.`),
  ];
  // The agreement is for exactly this: the call that is made again may want something else.
  const about = { kind: AGREEMENT, workflow: workflow.name, what };
  if (isDeepStrictEqual(said?.about, about) && said) {
    if (said.action === 'accept' && said.content.agree === true) return undefined;
    throw refused(`the person did not agree to this: ${what}`, fixes);
  }
  if (!canAsk) throw refused(`${what}: only a person may decide that, and ${client} cannot ask one`, fixes);
  return {
    message: `${client} wants to start "${workflow.name}" and to ${what}. That decides whether its own work counts. Do you agree?`,
    schema: {
      type: 'object',
      properties: { agree: { type: 'boolean', title: 'I agree', default: false } },
      required: ['agree'],
    },
    about,
  };
}

/** What the workflow has anyway is no choice; nor is what whoever starts the run must say, unless that is to be a person. */
function isChosen({ inputs }: Workflow, name: string, given: JsonObject): boolean {
  const input = inputs[name];
  if (!input || !Object.hasOwn(given, name) || isDeepStrictEqual(given[name], input.default)) return false;
  const isAsked = input.default === undefined && input.required !== false;
  return !isAsked || input.find !== undefined || input.by === 'person';
}

/** Inputs that decide whether work counts: the command of a check, and what says whether a person is asked. */
async function checkInputs(workflow: Workflow): Promise<Set<string>> {
  const { personsInputs } = await import('../compile/persons-inputs.ts');
  const declared = Object.entries(workflow.inputs).flatMap(([name, { find, by }]) =>
    find === undefined && by !== 'person' ? [] : [name],
  );
  const commands = everyStep(workflow.steps).flatMap(({ done }) =>
    (done?.checks ?? []).flatMap(commandInputs),
  );
  return new Set([...declared, ...personsInputs(workflow), ...commands]);
}

function commandInputs(check: Check): string[] {
  if (check.kind !== 'run' || check.command.kind !== 'input') return [];
  return [...check.command.expression.matchAll(/\binputs\.(\w+)/g)].map(([, name = '']) => name);
}

function refused(message: string, fixes: string[]): Refused {
  return new Refused({
    code: 'needs-person',
    message,
    suggestedFix: `${fixes.join(' ')} A person can decide it in a terminal of their own: \`lockstep run\` takes --input, --skip-step and --skip-checks, and \`lockstep handover\` gives the run to you.`,
  });
}
