// run-tools: runs that Lockstep drives itself, with agents of its own: begun here, looked at, and what they ask.

import { agreementFor } from '../agreement.ts';
import { findWorkflow } from '../catalogue.ts';
import { inBackground } from '../driven-run.ts';
import { readRunIn } from '../reading.ts';
import { orRefused } from '../refusal.ts';
import { factsText, RUN_FACTS, runFacts } from '../run-facts.ts';
import { afterRunAnswer, runQuestionFor } from '../run-question.ts';
import { map, object, text } from '../schema.ts';
import { NO_SKIPS, refuseBelowAgent, valuesFor } from '../start-guided.ts';
import { LOOKS, tool, WORKS } from '../tool.ts';
import type { Workplace } from '../workplace.ts';
import { WORKSPACE } from './workspace.ts';

const RUN = text('The id of the run, the beginning of it, or "latest".', { most: 200 });

export const runWorkflow = tool({
  title: 'Run a workflow',
  description:
    'Begins a workflow that Lockstep drives itself, with agents that it starts. It answers at once with the id of the run; run_status shows how it goes. To do the steps yourself, call start_workflow instead.',
  input: object(
    {
      workflowId: text('As list_workflows shows it.', { most: 1000 }),
      goal: text('What the person wants, in their words.', { most: 100_000 }),
      inputs: map('Inputs of the workflow by name, as inspect_workflow shows them.'),
      workspacePath: WORKSPACE,
    },
    ['workflowId'],
  ),
  output: orRefused(RUN_FACTS),
  annotations: WORKS,
  async call({ workflowId, goal, inputs = {}, workspacePath }, context) {
    refuseBelowAgent(context);
    const place = await context.at(workspacePath);
    const found = await findWorkflow(place, workflowId);
    const given = { inputs, context: { ...(goal !== undefined && { goal }) } };
    const ask = await agreementFor(
      found.workflow,
      { skips: NO_SKIPS, inputs: { ...given.context, ...inputs } },
      context,
    );
    if (ask) return { ask };
    const values = await valuesFor(place, { found, given, skips: NO_SKIPS });
    const { workflow, file } = found;
    const { startRun } = await import('../../drivers/run/run.ts');
    const hosting = await place.hosting();
    const id = await inBackground(context.background, (observer) =>
      startRun(
        hosting,
        {
          ...{
            workflow,
            workflowFile: file.path,
            workflowPath: file.id,
            workspace: place.root,
            skips: NO_SKIPS,
          },
          ...{ inputs: values.inputs, vars: values.vars, found: values.found },
        },
        observer,
      ),
    );
    context.changed('resources');
    const value = await runFacts(place, id);
    return {
      value,
      text: `${factsText(value)}\nNext: call run_status with {"runId":"${id}"}`,
      begun: { root: place.root, run: id },
    };
  },
});

export const runStatus = tool({
  title: 'How a run goes',
  description: 'Says how a run stands: what is under way, what has ended, what a person is asked.',
  input: object({ runId: RUN, workspacePath: WORKSPACE }, []),
  output: orRefused(RUN_FACTS),
  annotations: LOOKS,
  async call({ runId = 'latest', workspacePath }, { at }) {
    const place = await at(workspacePath);
    const value = await runFacts(place, place.findRun(runId));
    return { value, text: factsText(value) };
  },
});

export const runQuestion = tool({
  title: 'What a run asks',
  description:
    'Shows what a run asks a person, and puts it to the person where your client can do that. Only a person answers: there is no argument for it. Otherwise the answer has the command to type.',
  input: object({ runId: RUN, workspacePath: WORKSPACE }, []),
  output: orRefused(RUN_FACTS),
  annotations: WORKS,
  async call({ runId = 'latest', workspacePath }, context) {
    const again = await afterRunAnswer(context);
    const place = again?.place ?? (await context.at(workspacePath));
    const id = again?.run ?? place.findRun(runId);
    const ask = again?.warning === undefined ? await runQuestionFor(place, id, context) : undefined;
    if (ask) return { ask };
    return shown(place, id, again?.warning);
  },
});

async function shown(place: Workplace, id: string, warning: string | undefined) {
  const value = await runFacts(place, id);
  const { questions } = (await readRunIn(place, id)).view.outline;
  const head = questions.size === 0 ? `Run ${id} asks nothing.\n` : '';
  return { value, text: `${head}${factsText(value)}${warning === undefined ? '' : `\nWarning: ${warning}`}` };
}
