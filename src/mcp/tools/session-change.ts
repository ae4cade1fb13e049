// session-change: a session from its start to its end, as programs know it that call a run a session.

import type { Turn } from '../../drivers/guide/guide.ts';
import { agreementFor } from '../agreement.ts';
import { stepText } from '../answer-text.ts';
import { withinBudget } from '../budget.ts';
import type { CallContext } from '../call-context.ts';
import { findWorkflow } from '../catalogue.ts';
import { afterAnswer, questionFor } from '../person.ts';
import { preferencesOf } from '../preferences.ts';
import { readRunIn } from '../reading.ts';
import { orRefused, Refused } from '../refusal.ts';
import { factsOf, factsText } from '../run-facts.ts';
import { flag, list, map, object, text, whole } from '../schema.ts';
import { withProgress } from '../slow-call.ts';
import { startGuided } from '../start-guided.ts';
import { STARTED, type Started, standing } from '../step-answer.ts';
import { CHECKPOINT_SIGNAL, checkpointsIn, RESULTS, resultLine, stepResults } from '../step-results.ts';
import { ADDS, type Answer, LOOKS, tool, WORKS } from '../tool.ts';
import type { Workplace } from '../workplace.ts';
import { SESSION } from './session-look.ts';
import { WORKSPACE } from './workspace.ts';

const DEFAULT_WORKFLOW = 'spec-implementation';

const BEGUN = object(
  {
    sessionId: text('The session, which is the run.'),
    worktreePath: text('The folder to work in: a worktree of its own where the workflow asks for one.'),
    branchName: text('The branch of it.'),
    step: STARTED,
  },
  ['sessionId', 'worktreePath', 'branchName', 'step'],
);

export const sessionStart = tool({
  title: 'Start a session',
  description:
    'Begins a workflow in a git worktree of its own (where the workflow asks for one) and hands you its first step, as start_workflow does. Checks and steps are left out only where a person agrees.',
  input: object(
    {
      workflow: text(`Which workflow. Left out: ${DEFAULT_WORKFLOW}.`, { most: 1000 }),
      specPath: text('The specification: a file of the project.', { most: 4096 }),
      inputs: map('Other inputs of the workflow, by name.'),
      skipChecks: flag('Leave out everything that only checks. A person is asked.'),
      skipStepNames: list(text('A step.', { most: 500 }), 'Leave these out. A person is asked.', {
        most: 100,
      }),
      workspacePath: WORKSPACE,
    },
    [],
  ),
  output: orRefused(BEGUN),
  annotations: WORKS,
  async call(given, context) {
    const again = await afterAnswer(context);
    if (again) return begun(again.turn, again.place, again.context);
    const { workflow = DEFAULT_WORKFLOW, specPath, inputs = {}, workspacePath } = given;
    const { skipChecks: checks = false, skipStepNames: steps = [] } = given;
    const skips = { checks, steps, dry_run: false };
    const place = await context.at(workspacePath);
    const found = await findWorkflow(place, workflow);
    const all = { ...inputs, ...(specPath !== undefined && { [specName(found.workflow.inputs)]: specPath }) };
    const ask = await agreementFor(found.workflow, { skips, inputs: all }, context);
    if (ask) return { ask };
    const beginning = { found, given: { inputs: all, context: {} }, skips };
    const turn = await withProgress(
      context,
      'Lockstep starts the session',
      startGuided(place, context, beginning),
    );
    context.changed('resources');
    return await begun(turn, place, context);
  },
});

/** `spec`, or the only file that the workflow takes. */
function specName(inputs: Record<string, { type: string }>): string {
  if (Object.hasOwn(inputs, 'spec')) return 'spec';
  const [only, ...more] = Object.keys(inputs).filter((name) => inputs[name]?.type === 'file');
  return only !== undefined && more.length === 0 ? only : 'spec';
}

async function begun(
  turn: Turn,
  place: Workplace,
  context: CallContext,
): Promise<Answer<{ sessionId: string; worktreePath: string; branchName: string; step: Started }>> {
  const ask = await questionFor(turn, place, context);
  if (ask) return { ask };
  const step = standing(turn, context.tokens(), await preferencesOf(place, turn.run.id));
  const { id, workspace, branch } = turn.run;
  const where = `Session ${id}. Work in ${workspace}${branch === '' ? '' : ` (branch ${branch})`}.`;
  return {
    value: { sessionId: id, worktreePath: workspace, branchName: branch, step },
    text: `${where}\n\n${stepText(step)}`,
  };
}

export const sessionCheckpoint = tool({
  title: 'Checkpoint a session',
  description:
    'Records a checkpoint in the journal of the run, and gives what the steps came to since the last one.',
  input: object(
    { sessionId: SESSION, note: text('What to remember.', { most: 20_000 }), workspacePath: WORKSPACE },
    ['sessionId'],
  ),
  output: orRefused(
    object(
      { sessionId: text('The session.'), checkpoint: whole('Its number, from 1.'), stepResults: RESULTS },
      ['sessionId', 'checkpoint', 'stepResults'],
    ),
  ),
  annotations: ADDS,
  async call({ sessionId, note = '', workspacePath }, { at }) {
    const place = await at(workspacePath);
    const id = place.findRun(sessionId);
    const { entries } = place.store.read(id).journal();
    const before = checkpointsIn(entries);
    const results = stepResults(entries, before.at(-1)?.entry ?? 0);
    await place.signal(id, CHECKPOINT_SIGNAL, note);
    const value = { sessionId: id, checkpoint: before.length + 1, stepResults: results };
    const lines = results.length > 0 ? results.map(resultLine) : ['No step has ended since the last one.'];
    return { value, text: [`Checkpoint ${value.checkpoint} of ${id}.`, ...lines].join('\n') };
  },
});

const SUMMARY = object(
  {
    totalSteps: whole('How many there were.'),
    executed: whole('How many ran.'),
    skipped: whole('How many were left out.'),
    skippedSteps: list(
      object({ name: text('The step.'), reason: text('Why.') }, ['name', 'reason']),
      'Which, and on whose word.',
    ),
  },
  ['totalSteps', 'executed', 'skipped', 'skippedSteps'],
);

export const sessionComplete = tool({
  title: 'Complete a session',
  description:
    'Gives the summary of a run that has ended: every step, what was left out and why, and the worktree, which stays. A run that has not ended is not completed by this: do the step that is pending.',
  input: object({ sessionId: SESSION, workspacePath: WORKSPACE }, ['sessionId']),
  output: orRefused(
    object(
      {
        sessionId: text('The session.'),
        status: text('completed, failed or cancelled.'),
        stepSummary: SUMMARY,
        stepResults: RESULTS,
        worktreePath: text('Where the work is.'),
        branchName: text('The branch of it.'),
        outputs: map('What the workflow gives.'),
      },
      ['sessionId', 'status', 'stepSummary', 'stepResults', 'worktreePath', 'branchName', 'outputs'],
    ),
  ),
  annotations: LOOKS,
  async call({ sessionId, workspacePath }, { at }) {
    const place = await at(workspacePath);
    const id = place.findRun(sessionId);
    const read = await readRunIn(place, id);
    const facts = factsOf(read);
    const { outline } = read.view;
    if (!['completed', 'failed', 'cancelled'].includes(outline.status))
      throw new Refused({
        code: 'session-not-complete',
        message: `the run has not ended: ${factsText(facts)}`,
        suggestedFix: `Call resume_session with {"runId":"${id}"}, and do the step that is pending.`,
      });
    const { stepSummary } = await import('../../views/report/step-summary.ts');
    const summary = stepSummary(outline);
    const value = {
      ...{ sessionId: id, status: outline.status, stepSummary: summary },
      stepResults: stepResults(read.stored.journal().entries),
      ...{
        worktreePath: facts.workspace,
        branchName: facts.branch,
        outputs: withinBudget(id, 'outputs', outline.outputs),
      },
    };
    const lines = [
      factsText(facts),
      `Steps: ${summary.totalSteps} in all, ${summary.executed} executed, ${summary.skipped} skipped`,
      ...summary.skippedSteps.map(({ name, reason }) => `- skipped ${name}: ${reason}`),
      ...value.stepResults.map(resultLine),
      'The worktree stays as it is.',
    ];
    return { value, text: lines.join('\n') };
  },
});
