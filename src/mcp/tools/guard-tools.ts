// guard-tools: what the agent of a live session may ask of the workflow that holds it. None of them moves the session on the
// agent's word: what it asks for is checked as at a stop, and a person is asked where the step says so.

import type { State } from '../../model/state.ts';
import type { CallContext } from '../call-context.ts';
import { orRefused, Refused } from '../refusal.ts';
import { flag, list, map, object, text, whole } from '../schema.ts';
import { CHANGES, LOOKS, tool } from '../tool.ts';
import type { HeldSession, Workplace } from '../workplace.ts';
import { WORKSPACE } from './workspace.ts';

const SESSION = text('The id of your session, where several are open in this project.', { most: 300 });
const STATUS = object(
  {
    workflow: text('The workflow that holds the session.'),
    run: text('The run that keeps its record.'),
    phase: text('The step that the session is at; empty where it is at none.'),
    where: text('The same in words.'),
    actions: whole('Tool calls that have ended since the step was entered.'),
    toDo: list(text('One.'), 'What of the step is not met, as far as it is known.'),
    question: text('What a person is asked now; empty: nothing.'),
    allowedTools: list(text('A tool.'), 'Absent: all of them.'),
    deniedTools: list(text('A tool.'), 'Never these.'),
    phases: list(text('A step.'), 'The steps of the workflow, in order.'),
    variables: map('As they are now.'),
  },
  ['workflow', 'run', 'phase', 'where', 'actions', 'toDo', 'question', 'deniedTools', 'phases', 'variables'],
);

export const getWorkflowStatus = tool({
  title: 'Where this session is',
  description:
    'Tells which workflow holds this session, which step it is at, what that step allows, and what is not met yet.',
  input: object({ sessionId: SESSION, workspacePath: WORKSPACE }, []),
  output: orRefused(STATUS),
  annotations: LOOKS,
  async call({ sessionId, workspacePath }, context) {
    const { state, run } = await heldSession(context, workspacePath, sessionId);
    const value = await statusOf(state, run);
    return { value, text: value.where };
  },
});

export const requestPhaseTransition = tool({
  title: 'Ask for the next step',
  description:
    'Says that you think this step is done. Lockstep checks it, asks a person where the step says so, and moves on only then.',
  input: object(
    {
      to_phase: text('The step to go to; leave it out for the one that follows.', { most: 200 }),
      reason: text('Why; on record.', { most: 4_000 }),
      sessionId: SESSION,
      workspacePath: WORKSPACE,
    },
    [],
  ),
  output: orRefused(
    object(
      {
        moved: flag('The session is at another step now.'),
        toDo: list(text('One.'), 'What is not met.'),
        status: STATUS,
      },
      ['moved', 'toDo', 'status'],
    ),
  ),
  annotations: CHANGES,
  async call({ to_phase, reason, sessionId, workspacePath }, context) {
    const place = await context.at(workspacePath);
    const { state: before, run } = await heldSession(context, workspacePath, sessionId);
    const from = phaseOf(before);
    const hosting = await place.hosting();
    const { requestPhase } = await import('../../drivers/guard/override.ts');
    const { unmet, state } = await requestPhase(hosting, run, { to: to_phase, why: reason });
    const status = await statusOf(state, run);
    const value = { moved: status.phase !== from, toDo: [...unmet], status };
    const words = value.moved
      ? `The step is done. ${status.where}`
      : status.question !== ''
        ? `A person is asked: ${status.question}`
        : `Not done yet: ${unmet.join('; ')}`;
    return { value, text: words };
  },
});

export const createHandoff = tool({
  title: 'Leave notes for the next session',
  description: 'What the next session of this project has to know. It gets these notes once.',
  input: object(
    {
      notes: text('What it has to know.', { most: 20_000 }),
      pending_tasks: list(text('One.', { most: 2_000 }), 'What is left to do.'),
      sessionId: SESSION,
      workspacePath: WORKSPACE,
    },
    ['notes'],
  ),
  output: orRefused(object({ from: text('The session that they are from.') }, ['from'])),
  annotations: CHANGES,
  async call({ notes, pending_tasks = [], sessionId, workspacePath }, context) {
    const place = await context.at(workspacePath);
    const held = await heldSession(context, workspacePath, sessionId);
    await place.handOff(held, notes, [...pending_tasks]);
    return { value: { from: held.key.id }, text: 'The next session of this project gets these notes, once.' };
  },
});

export const markArtifactComplete = tool({
  title: 'Name a file that is done',
  description:
    'Registers a file (a plan, a specification) under a name. Whether the step is done is still decided by its checks.',
  input: object(
    {
      artifact_type: text('What it is: plan, spec, …', { most: 100 }),
      file_path: text('The file, from the project.', { most: 4_000 }),
      sessionId: SESSION,
      workspacePath: WORKSPACE,
    },
    ['artifact_type', 'file_path'],
  ),
  output: orRefused(
    object({ name: text('Its name.'), characters: whole('How long it is.') }, ['name', 'characters']),
  ),
  annotations: CHANGES,
  async call({ artifact_type, file_path, sessionId, workspacePath }, context) {
    const place = await context.at(workspacePath);
    const { key, run } = await heldSession(context, workspacePath, sessionId);
    const content = await place.readFile(file_path);
    await place.keepArtifact(run, key, artifact_type, content);
    const value = { name: artifact_type, characters: content.length };
    return {
      value,
      text: `${file_path} is kept as the artifact "${artifact_type}" (${content.length} characters).`,
    };
  },
});

async function heldSession(
  { at }: CallContext,
  workspacePath: string | undefined,
  sessionId: string | undefined,
): Promise<HeldSession> {
  const place: Workplace = await at(workspacePath);
  const held = await place.heldSessions();
  const first = held.find(({ key }) => sessionId === undefined || key.id.startsWith(sessionId));
  if (first) return first;
  throw new Refused({
    code: 'guard-no-session',
    message:
      sessionId === undefined
        ? 'no session of this project is held to a workflow'
        : `no session ${sessionId} is held to a workflow`,
    suggestedFix:
      'Go on without: nothing holds you here. A person chooses a workflow with `lockstep workflow set`.',
  });
}

function phaseOf(state: State): string {
  return [...state.handed.keys()][0] ?? [...state.questions.keys()][0] ?? '';
}

async function statusOf(state: State, run: string) {
  const { statusText } = await import('../../drivers/guard/status.ts');
  const [handed] = state.handed.values();
  const [question] = state.questions.values();
  const open = handed?.open ?? question?.open;
  const tools = open?.step.work.kind === 'prompt' ? open.step.work.performer.tools : { deny: [] };
  return {
    workflow: state.root.scope.workflow.name,
    run,
    phase: phaseOf(state),
    where: statusText(state, run),
    actions: state.live?.visit.actions ?? 0,
    toDo: [...(open?.feedback ?? [])],
    question: question?.text ?? '',
    ...(tools.allow && { allowedTools: [...tools.allow] }),
    deniedTools: [...tools.deny],
    phases: state.root.steps.map(({ id }) => id),
    variables: Object.fromEntries(state.root.scope.vars),
  };
}
