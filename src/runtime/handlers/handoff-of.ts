// handoff-of: a handoff as it stands: the one that waits, else one that says only where the session is.

import type { Handoff, SessionRecord } from '../../model/session-record.ts';
import type { HandlerCall } from './handler.ts';
import { sessionOf } from './live-call.ts';

export function plainHandoff(call: HandlerCall, { handoff, todos }: SessionRecord, created: string): Handoff {
  if (handoff !== undefined && handoff.consumed_by === undefined) return handoff;
  const { key, project, workflow, facts } = sessionOf(call);
  return {
    project,
    workflow,
    from: { client: key.client, id: key.id },
    phase: facts().phase,
    artifacts: {},
    pending_tasks: todos.filter(({ status }) => status !== 'completed').map(({ content }) => content),
    pending_task_ids: [],
    notes: '',
    created,
  };
}
