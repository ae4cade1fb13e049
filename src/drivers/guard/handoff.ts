// handoff: notes that a session leaves to the next one of its project.

import type { SessionKey } from '../../model/live-session.ts';
import type { Sessions } from '../../ports/sessions.ts';

export interface LeftNotes {
  project: string;
  /** The workflow that holds the session, and the step that it is at; '' where there is none. */
  workflow: string;
  phase: string;
  artifacts: Record<string, string>;
  notes: string;
  pendingTasks: string[];
  /** Milliseconds since 1970. */
  now: number;
}

export function leaveNotes(sessions: Sessions, from: SessionKey, left: LeftNotes): void {
  const { project, workflow, phase, artifacts, notes, pendingTasks, now } = left;
  sessions.update(from, (record) => ({
    ...record,
    status: 'handoff_ready',
    handoff: {
      ...{ project, workflow, from, phase, artifacts, notes },
      pending_tasks: pendingTasks,
      pending_task_ids: [],
      created: new Date(now).toISOString(),
    },
  }));
}
