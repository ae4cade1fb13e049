// session-bounds: a record as it may be kept. Texts are masked before they are cut (S3), so that no half of a secret stays.
// What was read from a file is looked at field by field: it may have been written by anybody.

import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { CLIENTS, type ClientName, type SessionKey } from '../model/live-session.ts';
import type { Handoff, SessionRecord, SessionRun, Todo } from '../model/session-record.ts';

const BOUNDS = {
  id: 1_000,
  path: 4_096,
  title: 200,
  status: 40,
  summary: 20_000,
  notes: 20_000,
  item: 1_000,
  artifact: 20_000,
  items: 200,
  artifacts: 20,
  runs: 50,
} as const;

/** What fits: the largest record is well below this. */
export const LARGEST_RECORD = 4 * 1024 * 1024;

/** Undefined: it is no record. Unknown fields are left out. */
export function readRecord(value: unknown): SessionRecord | undefined {
  if (!isObject(value)) return undefined;
  const key = readKey(value);
  if (key === undefined || typeof value.started !== 'string' || typeof value.last_seen !== 'string')
    return undefined;
  const parent = readKey(value.parent);
  const handoff = readHandoff(value.handoff);
  return {
    ...key,
    project: textOf(value.project),
    machine: textOf(value.machine),
    started: value.started,
    last_seen: value.last_seen,
    ...(typeof value.transcript === 'string' && { transcript: value.transcript }),
    runs: listOf(value.runs, readRun),
    title: textOf(value.title),
    status: textOf(value.status),
    summary: textOf(value.summary),
    ...(parent && { parent }),
    context_restored: value.context_restored === true,
    todos: listOf(value.todos, readTodo),
    ...(handoff && { handoff }),
  };
}

/** Within bounds, and without what looks like a secret. */
export function fitRecord(record: SessionRecord, mask: (text: string) => string): SessionRecord {
  const within = (text: string, most: number) => cut(mask(text), most);
  const { handoff } = record;
  return {
    ...record,
    project: cut(record.project, BOUNDS.path),
    machine: cut(record.machine, BOUNDS.title),
    ...(record.transcript !== undefined && { transcript: cut(record.transcript, BOUNDS.path) }),
    runs: record.runs.slice(-BOUNDS.runs).map((run) => ({
      ...run,
      run: cut(run.run, BOUNDS.title),
      workflow: cut(run.workflow, BOUNDS.title),
    })),
    title: within(record.title, BOUNDS.title),
    status: cut(record.status, BOUNDS.status),
    summary: within(record.summary, BOUNDS.summary),
    todos: record.todos
      .slice(0, BOUNDS.items)
      .map((todo) => ({ ...todo, content: within(todo.content, BOUNDS.item) })),
    ...(handoff && { handoff: fitHandoff(handoff, within) }),
  };
}

function fitHandoff(handoff: Handoff, within: (text: string, most: number) => string): Handoff {
  return {
    ...handoff,
    project: cut(handoff.project, BOUNDS.path),
    workflow: cut(handoff.workflow, BOUNDS.title),
    phase: within(handoff.phase, BOUNDS.title),
    artifacts: Object.fromEntries(
      Object.entries(handoff.artifacts)
        .slice(0, BOUNDS.artifacts)
        .map(([name, content]) => [within(name, BOUNDS.title), within(content, BOUNDS.artifact)]),
    ),
    pending_tasks: handoff.pending_tasks.slice(0, BOUNDS.items).map((task) => within(task, BOUNDS.item)),
    pending_task_ids: handoff.pending_task_ids.slice(0, BOUNDS.items),
    notes: within(handoff.notes, BOUNDS.notes),
  };
}

/** Without half a character at the end. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function readKey(value: Json | undefined): SessionKey | undefined {
  if (!isObject(value)) return undefined;
  const { client, id } = value;
  const isKey = CLIENTS.some((known) => known === client) && typeof id === 'string' && isSessionId(id);
  return isKey ? { client: client as ClientName, id } : undefined;
}

export function isSessionId(id: string): boolean {
  return id !== '' && id.length <= BOUNDS.id;
}

function readRun(value: JsonObject): SessionRun | undefined {
  const { run, workflow, lifecycle } = value;
  if (typeof run !== 'string' || typeof workflow !== 'string') return undefined;
  return { run, workflow, ...(lifecycle === true && { lifecycle }) };
}

const TODO_STATUSES = ['pending', 'in_progress', 'completed'] as const;

function readTodo(value: JsonObject): Todo | undefined {
  const { content, status, id } = value;
  if (typeof content !== 'string') return undefined;
  return {
    content,
    status: TODO_STATUSES.find((known) => known === status) ?? 'pending',
    ...(typeof id === 'string' && { id }),
  };
}

function readHandoff(value: Json | undefined): Handoff | undefined {
  if (!isObject(value)) return undefined;
  const from = readKey(value.from);
  const by = readKey(value.consumed_by);
  if (from === undefined) return undefined;
  return {
    project: textOf(value.project),
    workflow: textOf(value.workflow),
    from,
    phase: textOf(value.phase),
    artifacts: textsByName(value.artifacts),
    pending_tasks: (Array.isArray(value.pending_tasks) ? value.pending_tasks : []).filter(isText),
    pending_task_ids: (Array.isArray(value.pending_task_ids) ? value.pending_task_ids : []).filter(isNumber),
    notes: textOf(value.notes),
    created: textOf(value.created),
    ...(typeof value.consumed_at === 'string' && { consumed_at: value.consumed_at }),
    ...(by && { consumed_by: by }),
  };
}

function textsByName(value: Json | undefined): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => isText(entry[1])));
}

function listOf<T>(value: Json | undefined, read: (item: JsonObject) => T | undefined): T[] {
  const items = Array.isArray(value) ? value.filter(isObject) : [];
  return items.map(read).filter((item): item is NonNullable<typeof item> => item !== undefined);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
function isText(value: Json): value is string {
  return typeof value === 'string';
}
function isNumber(value: Json): value is number {
  return typeof value === 'number';
}
