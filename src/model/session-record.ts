// session-record: what is kept of a live session beside the journals of its runs, and what it leaves to the next one.
// Field names are snake_case because people read these files with jq.

import type { SessionKey } from './live-session.ts';

export interface Todo {
  content: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** As the workflow that gave it names it. */
  id?: string;
}

/** A run that holds the session. `lifecycle`: of a workflow without steps. */
export interface SessionRun {
  run: string;
  workflow: string;
  lifecycle?: true;
}

/** What a session leaves to the one that goes on with its work. Exactly one session gets it. */
export interface Handoff {
  /** The folder of the project, absolute. */
  project: string;
  workflow: string;
  from: SessionKey;
  /** The step that the session was in; '' where its workflow has none. */
  phase: string;
  /** Contents by name. */
  artifacts: Record<string, string>;
  pending_tasks: string[];
  /** Numbers of issues. */
  pending_task_ids: number[];
  notes: string;
  /** ISO 8601, as all times here. */
  created: string;
  consumed_at?: string;
  consumed_by?: SessionKey;
}

export interface SessionRecord extends SessionKey {
  /** The folder of the project, absolute; '' until somebody says it. */
  project: string;
  /** The host that the session was last seen on. */
  machine: string;
  started: string;
  last_seen: string;
  /** The file in which the client keeps the conversation, absolute. */
  transcript?: string;
  runs: SessionRun[];
  title: string;
  /** `active`, `handoff_ready`, `expired`, `ended`; a workflow may use other words. */
  status: string;
  summary: string;
  /** The session that this one goes on from. */
  parent?: SessionKey;
  /** What an earlier session left was given to this one. */
  context_restored: boolean;
  todos: Todo[];
  handoff?: Handoff;
}

export function sameSession(one: SessionKey, other: SessionKey): boolean {
  return one.client === other.client && one.id === other.id;
}
