// single-step: what a person calls a step, and for which item → a workflow of that step alone.

import {
  allSteps,
  type FoundStep,
  itemsWanted,
  nameOf,
  referencesTo,
  stepAlone,
  stepsNamed,
} from '../../drivers/run/single-step.ts';
import type { Only } from '../../model/entry.ts';
import { Fault } from '../../model/fault.ts';
import type { Json } from '../../model/json.ts';
import type { Workflow } from '../../model/workflow.ts';
import { didYouMean } from '../../text/closest-name.ts';
import { readJson } from '../../text/read-json.ts';

/** Faults `step-unknown`, `step-ambiguous`, `item-needed`, `skip-refused`: exit code 2. */
export function singleStep(workflow: Workflow, { step: name, items = [] }: Only): Workflow {
  const found = findStep(workflow, name);
  refuseInvariants(workflow, found);
  const { least, most } = itemsWanted(found);
  if (items.length < least || items.length > most) throw wrongItems(found, items.length, least);
  return stepAlone(workflow, found, items);
}

/** A list or a map where it is written as JSON; anything else is a text. Fault `input-invalid`. */
export function itemOf(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  const read = readJson(text);
  if ('value' in read) return read.value;
  if (read.problem.why === 'syntax') return text;
  throw new Fault('input-invalid', `--item cannot be kept as it was written: ${read.problem.message}`, {
    hint: read.problem.hint,
    exitCode: 2,
  });
}

function findStep(workflow: Workflow, name: string): FoundStep {
  const found = stepsNamed(workflow, name);
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  if (first)
    throw new Fault(
      'step-ambiguous',
      `"${name}" is the name of ${found.length} steps of "${workflow.name}"`,
      {
        hint: `Say which by its path: ${referencesTo(workflow, found).join(', ')}`,
        exitCode: 2,
      },
    );
  const names = [...new Set(allSteps(workflow).map((each) => each.name))];
  const shown = names.slice(0, 12).join(', ');
  throw new Fault('step-unknown', `"${workflow.name}" has no step "${name}"`, {
    hint: didYouMean(name, names) ?? `Its steps are: ${shown}${names.length > 12 ? ', …' : ''}.`,
    exitCode: 2,
  });
}

/** Rule 15: alone it would run without what must come before it. */
function refuseInvariants(workflow: Workflow, { step, path }: FoundStep): void {
  const inside = new Set([step.id, ...allSteps({ ...workflow, steps: [step] }).map((each) => each.step.id)]);
  const broken = workflow.invariants.find(({ every }) => inside.has(every));
  if (!broken) return;
  throw new Fault(
    'skip-refused',
    `running "${path}" alone would break an invariant: every ${broken.every} after ${broken.after}`,
    { hint: 'Run the whole workflow.', exitCode: 2 },
  );
}

function wrongItems({ path, around }: FoundStep, given: number, least: number): Fault {
  const loops = around.filter(({ work }) => work.kind === 'each').map((loop) => `"${nameOf(loop)}"`);
  return least === 0
    ? new Fault('item-needed', `"${path}" is in no loop, and --item was given`, {
        hint: 'Leave --item out.',
        exitCode: 2,
      })
    : new Fault(
        'item-needed',
        `"${path}" runs once for every item of ${loops.join(' and of ')}, and ${given === 0 ? 'no' : given} --item was given`,
        {
          hint:
            least === 1
              ? 'Say for which with --item VALUE.'
              : `Say for which: one --item for each of these ${least} loops, the outermost first.`,
          exitCode: 2,
        },
      );
}
