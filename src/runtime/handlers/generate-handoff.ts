// generate-handoff: { include, notes, pending_tasks, generator, template, instruction }. Writes down what the next session has to
// know, in the record of this one. A handoff of an earlier step that no session has got is replaced. Gives the handoff.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { Handoff, SessionRecord } from '../../model/session-record.ts';
import { maskShapesIn } from '../../text/secret-shapes.ts';
import { wrong } from './argument.ts';
import { extractSummary, listed } from './extract-summary.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { type Happened, whatHappened } from './happened.ts';
import { changeRecord, givenTo, sessionOf } from './live-call.ts';
import { issuesOfRun } from './tasks.ts';
import { writtenText } from './written-text.ts';

const PARTS = [
  'current_phase',
  'artifacts',
  'pending_tasks',
  'observations',
  'variables',
  'summary',
  'git_status',
  'file_changes',
] as const;
type Part = (typeof PARTS)[number];

const TASK = `Write a note for the agent that goes on with this work in a new session: where it stands, what to do next, what to look out for. At most 200 words, in Markdown. Answer with the note alone.`;

export async function generateHandoff(call: HandlerCall): Promise<Handled> {
  const { key, project, workflow, facts } = sessionOf(call);
  const given = givenTo(call);
  const parts = readParts(given.include);
  const has = (part: Part) => parts.has(part);
  const happened = await whatHappened(call);
  const { phase, view } = facts();
  const asked =
    given.generator !== undefined || given.template !== undefined || given.instruction !== undefined;
  const summary =
    has('summary') || asked
      ? await writtenText(call, { task: TASK, happened, extracted: extractSummary(happened) })
      : undefined;
  const tasks = has('pending_tasks') ? await pendingTasks(call, given.pending_tasks, happened) : NO_TASKS;
  const handoff: Handoff = {
    project,
    workflow,
    from: { client: key.client, id: key.id },
    phase: has('current_phase') ? phase : '',
    artifacts: has('artifacts') ? textsOf(call.context.mask.deep(view.artifacts)) : {},
    ...tasks,
    notes: notesOf(call, given.notes, { has, happened, summary: summary?.text ?? '' }),
    created: new Date(call.context.clock.now()).toISOString(),
  };
  const kept = changeRecord(call, (record: SessionRecord) => ({ ...record, handoff })).handoff as Handoff;
  const { text: _text, ...written } = summary ?? { text: '' };
  return { output: JSON.parse(JSON.stringify(kept)) as JsonObject, ...written };
}

function readParts(include: Json | undefined): Set<Part> {
  if (include === undefined || include === null) return new Set(PARTS);
  const names = typeof include === 'string' ? [include] : include;
  if (!Array.isArray(names)) throw wrong('include', 'a list', include);
  const unknown = names.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw wrong('include', `a list of ${PARTS.join(', ')}`, unknown);
  return new Set(names as Part[]);
}

type Tasks = Pick<Handoff, 'pending_tasks' | 'pending_task_ids'>;
const NO_TASKS: Tasks = { pending_tasks: [], pending_task_ids: [] };

/** Those that are given; else the open issues of the run and the open things to do, each once. */
async function pendingTasks(call: HandlerCall, given: Json | undefined, { todos }: Happened): Promise<Tasks> {
  const issues = [...issuesOfRun(await call.context.tracker(), call.context.runId).values()].filter(
    ({ status }) => status === 'open' || status === 'in-progress',
  );
  const numbers = issues.map(({ id }) => id);
  if (given === undefined || given === null) {
    const titles = [...issues.map(({ title }) => title), ...todos.map(({ content }) => content)];
    return { pending_tasks: [...new Set(titles)], pending_task_ids: numbers };
  }
  if (!Array.isArray(given)) throw wrong('pending_tasks', 'a list', given);
  const named = given.flatMap((task) =>
    isObject(task) && typeof task.issue === 'number' ? [task.issue] : [],
  );
  return { pending_tasks: given.map(taskText), pending_task_ids: named.length > 0 ? named : numbers };
}

function taskText(task: Json): string {
  if (!isObject(task)) return typeof task === 'string' ? task : JSON.stringify(task);
  const text = task.title ?? task.description ?? task.content ?? task.id;
  return typeof text === 'string' ? text : JSON.stringify(text ?? task);
}

interface Noting {
  has(part: Part): boolean;
  happened: Happened;
  summary: string;
}

function notesOf(call: HandlerCall, given: Json | undefined, { has, happened, summary }: Noting): string {
  const { view, vars } = sessionOf(call).facts();
  const shown = maskShapesIn(call.context.mask.deep({ vars, observations: view.observations }));
  const observations = shown.observations
    .slice(-5)
    .map(({ tool, about, error }) =>
      [tool, about, error].filter((part) => typeof part === 'string' && part !== '').join(' · '),
    );
  const sections: [Part, string, string][] = [
    ['summary', '', summary],
    ['observations', 'Last tool calls', listed(observations)],
    ['variables', 'Variables', Object.keys(vars).length === 0 ? '' : JSON.stringify(shown.vars)],
    ['file_changes', 'Files written', listed(happened.files)],
    ['git_status', 'Not committed', listed(happened.uncommitted)],
  ];
  // The summary has the last two already.
  const told =
    summary === '' ? sections : sections.filter(([part]) => part !== 'file_changes' && part !== 'git_status');
  return [
    typeof given === 'string' ? given : '',
    ...told.map(([part, title, body]) =>
      body === '' || !(has(part) || part === 'summary') ? '' : title === '' ? body : `## ${title}\n\n${body}`,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function textsOf(artifacts: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(artifacts).map(([name, content]) => [
      name,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
}
