// session-look: where a session is and what it has done. A session is a run; its id is the run's.

import { withinBudget } from '../budget.ts';
import { readRunIn } from '../reading.ts';
import { orRefused } from '../refusal.ts';
import { factsText, RUN_FACTS, runFacts } from '../run-facts.ts';
import { flag, list, map, object, text } from '../schema.ts';
import { CHECKPOINT, checkpointsIn, RESULTS, resultLine, stepResults } from '../step-results.ts';
import { LOOKS, tool } from '../tool.ts';
import { WORKSPACE } from './workspace.ts';

export const SESSION = text('The id of the session (of its run), the beginning of it, or "latest".', {
  most: 200,
});

export const sessionStatus = tool({
  title: 'Where a session is',
  description: 'Says how a run stands: what is pending, what a person is asked, and who holds it.',
  input: object({ sessionId: SESSION, workspacePath: WORKSPACE }, []),
  output: orRefused(RUN_FACTS),
  annotations: LOOKS,
  async call({ sessionId = 'latest', workspacePath }, { at }) {
    const place = await at(workspacePath);
    const value = await runFacts(place, place.findRun(sessionId));
    return { value, text: factsText(value) };
  },
});

const SKIPS = object(
  { checks: flag('All checks were left out.'), steps: list(text('A step.'), 'These were left out.') },
  ['checks', 'steps'],
);

export const sessionGet = tool({
  title: 'What a session has done',
  description:
    'Gives the data of a run: its inputs, what each step came to, its checkpoints, what was left out and why, and its worktree.',
  input: object({ sessionId: SESSION, workspacePath: WORKSPACE }, []),
  output: orRefused(
    object(
      {
        session: RUN_FACTS,
        inputs: map('As the run was given them.'),
        vars: map('As they are now.'),
        stepResults: RESULTS,
        checkpoints: list(CHECKPOINT, 'In order.'),
        skips: SKIPS,
        worktree: map('path, branch and base, where the run has a worktree of its own.'),
        warnings: list(text('One.'), 'What was worth knowing at the start.'),
      },
      ['session', 'inputs', 'vars', 'stepResults', 'checkpoints', 'skips', 'warnings'],
    ),
  ),
  annotations: LOOKS,
  async call({ sessionId = 'latest', workspacePath }, { at }) {
    const place = await at(workspacePath);
    const id = place.findRun(sessionId);
    const { view, stored } = await readRunIn(place, id);
    const { entries } = stored.journal();
    const [start] = entries;
    const begun = start?.kind === 'run-started' ? start : undefined;
    const results = stepResults(entries);
    const value = {
      session: await runFacts(place, id),
      inputs: withinBudget(id, 'inputs', view.outline.inputs),
      vars: withinBudget(id, 'vars', Object.fromEntries(view.outline.vars)),
      ...{ stepResults: results, checkpoints: checkpointsIn(entries) },
      skips: { checks: begun?.skips.checks ?? false, steps: begun?.skips.steps ?? [] },
      ...(view.outline.worktree && { worktree: { ...view.outline.worktree } }),
      warnings: begun?.warnings ?? [],
    };
    return { value, text: [factsText(value.session), 'Steps:', ...results.map(resultLine)].join('\n') };
  },
});
