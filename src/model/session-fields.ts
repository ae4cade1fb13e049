// session-fields: what `session` of expressions shows of a session's record.

import type { JsonObject } from './json.ts';
import { type Handoff, type SessionRecord, sameSession, type Todo } from './session-record.ts';
import type { SessionView } from './session-view.ts';

export type RecordFields = Pick<
  SessionView,
  'title' | 'previous_summary' | 'handoff' | 'parent' | 'context_restored' | 'todos'
>;

/** `previous`: the session that this one goes on from, or the one before it in the project. */
export function fieldsOfRecord(
  record: SessionRecord | undefined,
  previous: SessionRecord | undefined,
): RecordFields {
  const handoff = previous?.handoff;
  const isOwn =
    handoff?.consumed_by === undefined || (record !== undefined && sameSession(handoff.consumed_by, record));
  return {
    title: record?.title ?? '',
    previous_summary: previous?.summary ?? '',
    handoff: handoff !== undefined && isOwn ? handoffFields(handoff) : {},
    parent: record?.parent?.id ?? '',
    context_restored: record?.context_restored ?? false,
    todos: todoFields(record?.todos ?? []),
  };
}

/** As a workflow sees a handoff. */
export function handoffFields(handoff: Handoff): JsonObject {
  const { phase, notes, pending_tasks, pending_task_ids, artifacts, workflow } = handoff;
  return { phase, notes, pending_tasks, pending_task_ids, artifacts, workflow, from: handoff.from.id };
}

export function todoFields(todos: readonly Todo[]): JsonObject[] {
  return todos.map((todo) => ({ ...todo }));
}
