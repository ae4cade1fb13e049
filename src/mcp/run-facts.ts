// run-facts: how a run stands, for the tools and resources that show one. Of steps to come it has the number and no more.

import { answerCommands } from '../views/next-commands.ts';
import { plainLines } from '../views/text/plain.ts';
import { withinBudget } from './budget.ts';
import { type ReadRun, readRunIn } from './reading.ts';
import { list, map, object, text, type ValueOf, whole } from './schema.ts';
import type { Workplace } from './workplace.ts';

const QUESTION = object(
  {
    path: text('The step that asks.'),
    text: text('What a person is asked.'),
    answerWith: list(text('A command line.'), 'What the person can type in a terminal of their own.'),
  },
  ['path', 'text', 'answerWith'],
);

export const RUN_FACTS = object(
  {
    sessionId: text('The run.'),
    runId: text('The same.'),
    workflow: text('Which workflow.'),
    status: text('pending, running, paused, interrupted, completed, failed or cancelled.'),
    drive: text('guide: a client is led through it. run: Lockstep drives it.'),
    startedAt: text('ISO 8601.'),
    updatedAt: text('ISO 8601.'),
    workspace: text('The folder it works in.'),
    branch: text('The branch it works on.'),
    pending: list(text('A step.'), 'Steps that a client has to do.'),
    running: list(text('A step.'), 'Steps and checks that are under way.'),
    questions: list(QUESTION, 'What a person is asked.'),
    heldBy: text('The process that holds the run now.'),
    done: whole('Steps that are done.'),
    failed: whole('Steps that failed.'),
    skipped: whole('Steps that were left out.'),
    error: text('Why it failed.'),
    outputs: map('What the workflow gave.'),
  },
  [
    'sessionId',
    'runId',
    'workflow',
    'status',
    'drive',
    'startedAt',
    'updatedAt',
    'workspace',
    'branch',
    'pending',
    'running',
    'questions',
    'done',
    'failed',
    'skipped',
  ],
);
export type RunFacts = ValueOf<typeof RUN_FACTS>;

export async function runFacts(place: Workplace, id: string): Promise<RunFacts> {
  return factsOf(await readRunIn(place, id));
}

export function factsOf({ stored, state, view }: ReadRun): RunFacts {
  const { outline } = view;
  const holder = stored.holder();
  const { done, failed, skipped } = outline.totals;
  const questions = [...outline.questions.values()];
  return {
    ...{ sessionId: stored.id, runId: stored.id, workflow: outline.workflow.name, status: outline.status },
    drive: state.driven.drive,
    startedAt: new Date(outline.startedAt).toISOString(),
    updatedAt: new Date(outline.lastAt).toISOString(),
    ...{ workspace: state.run.workspace, branch: state.run.branch },
    pending: [...state.handed.keys()],
    running: [...state.running.keys()],
    questions: questions.map((question) => ({
      path: question.path,
      text: plainLines(question.text).join('\n'),
      answerWith: answerCommands(stored.id, question, questions.length > 1).map(({ command }) => command),
    })),
    ...(holder &&
      holder.alive !== false && { heldBy: `process ${holder.pid} on ${holder.host} (${holder.user})` }),
    ...{ done, failed, skipped },
    ...(outline.error && { error: outline.error.message }),
    ...(outline.status === 'completed' && { outputs: withinBudget(stored.id, 'outputs', outline.outputs) }),
  };
}

export function factsText(facts: RunFacts): string {
  const { runId, workflow, status, drive, branch, workspace, pending, running, questions, heldBy, error } =
    facts;
  return [
    `Run ${runId} of ${workflow}: ${status} (${drive === 'guide' ? 'a client is led through it' : 'Lockstep drives it'})`,
    `${facts.done} done, ${facts.failed} failed, ${facts.skipped} skipped`,
    `Works in ${workspace}${branch === '' ? '' : ` on ${branch}`}`,
    ...(pending.length > 0 ? [`To be done by a client: ${pending.join(', ')}`] : []),
    ...(running.length > 0 ? [`Under way: ${running.join(', ')}`] : []),
    ...questions.map(
      ({ path, text: asked, answerWith }) =>
        `A person is asked at ${path}: ${asked}\n  ${answerWith.join('\n  ')}`,
    ),
    ...(heldBy === undefined ? [] : [`Held by ${heldBy}`]),
    ...(error === undefined ? [] : [`Error: ${error}`]),
    ...(Object.keys(facts.outputs ?? {}).length > 0 ? [`It gave: ${JSON.stringify(facts.outputs)}`] : []),
  ].join('\n');
}
