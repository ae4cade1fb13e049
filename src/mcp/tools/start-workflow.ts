// start-workflow: makes a run that the client is led through, and hands out its first step.

import type { Turn } from '../../drivers/guide/guide.ts';
import { agreementFor } from '../agreement.ts';
import { stepText } from '../answer-text.ts';
import type { CallContext } from '../call-context.ts';
import { findWorkflow } from '../catalogue.ts';
import { afterAnswer, questionFor } from '../person.ts';
import { preferencesOf } from '../preferences.ts';
import { referencesOf } from '../references.ts';
import { orRefused } from '../refusal.ts';
import { map, object, text } from '../schema.ts';
import { withProgress } from '../slow-call.ts';
import { NO_SKIPS, startGuided } from '../start-guided.ts';
import { STARTED, type Started, standing } from '../step-answer.ts';
import { type Answer, tool, WORKS } from '../tool.ts';
import type { Workplace } from '../workplace.ts';
import { WORKSPACE } from './workspace.ts';

export const startWorkflow = tool({
  title: 'Start a workflow',
  description:
    'Begins a workflow and hands you its first step. Do what `pending.prompt` says, then call continue_workflow with the continueToken and what you did. Steps come one at a time; what you hand in is checked by Lockstep, not by your word.',
  input: object(
    {
      workflowId: text('As list_workflows shows it.', { most: 1000 }),
      goal: text('What the person wants, in their words.', { most: 100_000 }),
      inputs: map(
        'Inputs of the workflow by name, as inspect_workflow shows them. A file is given by its path in the project.',
      ),
      context: map('Other values by name that the workflow may read.'),
      workspacePath: WORKSPACE,
    },
    ['workflowId'],
  ),
  output: orRefused(STARTED),
  annotations: WORKS,
  async call({ workflowId, goal, inputs = {}, context: values = {}, workspacePath }, context) {
    const again = await afterAnswer(context);
    if (again) return answered(again.turn, again.place, again.context);
    const place = await context.at(workspacePath);
    const found = await findWorkflow(place, workflowId);
    const given = { inputs, context: { ...values, ...(goal !== undefined && { goal }) } };
    const ask = await agreementFor(
      found.workflow,
      { skips: NO_SKIPS, inputs: { ...given.context, ...inputs } },
      context,
    );
    if (ask) return { ask };
    const turn = await withProgress(
      context,
      'Lockstep starts the workflow',
      startGuided(place, context, { found, given, skips: NO_SKIPS }),
    );
    context.changed('resources');
    return answered(turn, place, context);
  },
});

async function answered(turn: Turn, place: Workplace, context: CallContext): Promise<Answer<Started>> {
  const ask = await questionFor(turn, place, context);
  if (ask) return { ask };
  const { references, warnings } = await referencesOf(place, turn);
  const where = standing(turn, context.tokens(), await preferencesOf(place, turn.run.id));
  const value = {
    ...where,
    warnings: [...where.warnings, ...warnings],
    ...(references.length > 0 && { references }),
  };
  return { value, text: stepText(value) };
}
