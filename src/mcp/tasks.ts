// tasks: the extension `io.modelcontextprotocol/tasks` for run_workflow. A task is a run that Lockstep drives.
// Only clients that declare the extension with the request are given one; to all others run_workflow answers at once, and
// run_status shows how it goes.
//
// K1. A task is on disk before the client hears of it, and its id leads to it from any server of this user: the id holds the
//     project and the run, signed with the key of tokens.
// K2. A run that ended with its server, or with a crash, goes on with the next look at its task.
// K3. What a run asks is the person's: a client that can elicit is given the question to put to them (tasks/update brings the
//     answer), any other the line to type.

import {
  CLIENT_CAPABILITIES_META_KEY,
  INVALID_PARAMS,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Fault } from '../model/fault.ts';
import { isObject, type JsonObject, objectOf } from '../model/json.ts';
import { SERVER_END } from './background.ts';
import type { CallContext } from './call-context.ts';
import { type AskedQuestion, cancelRun, goOn, sayFromForm } from './driven-run.ts';
import { elicitationOf } from './person.ts';
import { type ReadRun, readRunIn } from './reading.ts';
import { Refused } from './refusal.ts';
import { factsOf, factsText } from './run-facts.ts';
import type { Workplace } from './workplace.ts';

export const TASKS = 'io.modelcontextprotocol/tasks';
const PURPOSE = 'task';
const POLL_MS = 1000;

/** Declared with this very request: what was declared before does not count. */
export function knowsTasks({ mcpReq }: ServerContext): boolean {
  const { [CLIENT_CAPABILITIES_META_KEY]: declared } = objectOf(mcpReq.envelope);
  return isObject(objectOf(objectOf(declared).extensions)[TASKS]);
}

/** What is answered in the place of the result, once the run is on disk. */
export async function taskBegun(
  context: CallContext,
  { root, run }: { root: string; run: string },
): Promise<JsonObject> {
  const place = await context.at(root);
  const taskId = context.tokens().seal(PURPOSE, JSON.stringify({ root, run }));
  const { status, statusMessage, ...task } = await taskOf(context, { place, run, taskId });
  // What it came to is given by tasks/get, and by nothing else.
  const { result: _, inputRequests: __, ...seed } = task;
  return { resultType: 'task', ...seed, status: 'working', statusMessage: statusMessage ?? status ?? '' };
}

/** `contextOf`: as a call of a tool has it. */
export function offerTasks(server: Server, contextOf: (request: ServerContext) => CallContext): void {
  const handle = (
    method: string,
    answer: (task: Task, context: CallContext, request: ServerContext) => Promise<JsonObject>,
  ): void =>
    server.setRequestHandler(method, { params: TASK_PARAMS }, async (given, request) => {
      const { taskId } = given as { taskId: string };
      if (!knowsTasks(request))
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS]: {} } },
        });
      const context = contextOf(request);
      try {
        return await answer(await taskAt(context, taskId), context, request);
      } catch (error) {
        if (!(error instanceof Fault) && !(error instanceof Refused)) throw error;
        throw new ProtocolError(INVALID_PARAMS, error.message);
      }
    });

  handle('tasks/get', (task, context) => taskOf(context, task));
  handle('tasks/update', async (task, context, { mcpReq }) => {
    await update(task, context, objectOf(mcpReq.inputResponses));
    return {};
  });
  handle('tasks/cancel', async ({ place, run }, context) => {
    await cancelRun(context, place, run);
    return {};
  });
}

interface Task {
  place: Workplace;
  run: string;
  taskId: string;
}

const TASK_PARAMS = {
  '~standard': {
    version: 1 as const,
    vendor: 'lockstep',
    validate: (given: unknown) => {
      const { taskId } = objectOf(given);
      return typeof taskId === 'string'
        ? { value: { taskId } }
        : { issues: [{ message: 'taskId has to be the id of a task' }] };
    },
  },
};

async function taskAt(context: CallContext, taskId: string): Promise<Task> {
  const sealed = context.tokens().open(PURPOSE, taskId);
  if (sealed === undefined) throw new ProtocolError(INVALID_PARAMS, 'there is no such task');
  const { root, run } = JSON.parse(sealed) as { root: string; run: string };
  const place = await context.at(root);
  if (!place.store.read(run).hasJournal())
    throw new ProtocolError(INVALID_PARAMS, `the run of this task (${run}) is not there any more`);
  return { place, run, taskId };
}

async function taskOf(context: CallContext, { place, run, taskId }: Task): Promise<JsonObject> {
  const first = await readRunIn(place, run);
  const problem = isLeft(first) ? await goneOn(context, place, run) : undefined;
  const read = problem === undefined && isLeft(first) ? await readRunIn(place, run) : first;
  const facts = factsOf(read);
  const task = {
    ...{ taskId, createdAt: facts.startedAt, lastUpdatedAt: facts.updatedAt },
    ...{ ttlMs: null, pollIntervalMs: POLL_MS },
  };
  const text = factsText(facts);
  switch (facts.status) {
    case 'completed':
    case 'failed':
      return {
        ...task,
        status: 'completed',
        result: {
          content: [{ type: 'text', text }],
          structuredContent: facts as unknown as JsonObject,
          isError: facts.status === 'failed',
        },
      };
    case 'cancelled':
      return { ...task, status: 'cancelled', statusMessage: text };
    default: {
      const statusMessage = problem === undefined ? text : `${text}\n${problem}`;
      const inputRequests = context.canAsk ? await requestsOf(read, run) : {};
      if (Object.keys(inputRequests).length === 0) return { ...task, status: 'working', statusMessage };
      return { ...task, status: 'input_required', statusMessage, inputRequests };
    }
  }
}

/** It stopped with the server that drove it, or with a crash: nobody chose that it stops (K2). */
function isLeft({ stored, state, view }: ReadRun): boolean {
  const holder = stored.holder();
  if ((holder && holder.alive !== false) || state.driven.drive !== 'run') return false;
  if (state.status === 'running') return true;
  return view.outline.status === 'interrupted' && view.outline.endedBy?.by === SERVER_END;
}

/** Why it cannot be gone on with; undefined: it goes on, here or elsewhere. */
async function goneOn(context: CallContext, place: Workplace, run: string): Promise<string | undefined> {
  if (context.workplaces.callers.agentAbove() !== undefined) return undefined;
  try {
    await goOn(context, place, run);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.code === 'run-locked' ? undefined : error.message;
  }
}

/** Whoever holds a run that goes on asks by itself; an answer is taken once it has paused. */
function asksNow({ state, view }: ReadRun): (AskedQuestion & { key: string })[] {
  if (state.status !== 'paused') return [];
  return [...view.outline.questions.values()].flatMap(({ path }) => {
    const asked = state.questions.get(path)?.asked;
    return asked === undefined ? [] : [{ path, asked, key: `question-${asked}` }];
  });
}

async function requestsOf(read: ReadRun, run: string): Promise<JsonObject> {
  const requests: JsonObject = {};
  for (const { path, key } of asksNow(read)) {
    const question = read.view.outline.questions.get(path);
    if (!question) continue;
    const { message, schema } = await elicitationOf(run, question, {});
    requests[key] = {
      method: 'elicitation/create',
      params: { mode: 'form', message, requestedSchema: schema },
    };
  }
  return requests;
}

/** What is not asked now is passed over, and so is a person who did not answer: the line to type stays. */
async function update(task: Task, context: CallContext, responses: JsonObject): Promise<void> {
  const asked = asksNow(await readRunIn(task.place, task.run));
  for (const { key, ...question } of asked) {
    const response = objectOf(responses[key]);
    if (response.action !== 'accept') continue;
    await sayFromForm(context, task, question, objectOf(response.content));
    return; // The run goes on with it; what else it asks is asked again once it has paused.
  }
}
