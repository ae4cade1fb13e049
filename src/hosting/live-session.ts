// live-session: the session that a run holds, for the handlers that need one; as the run knows it now.

import { sessionValue } from '../engine/session-value.ts';
import type { SessionView } from '../model/session-view.ts';
import type { State } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { LiveSession } from '../runtime/perform/live-session.ts';

/** Undefined: the run holds none. */
export function liveSession(
  sessions: Sessions | undefined,
  { name }: Workflow,
  state: State,
  project: string,
): LiveSession | undefined {
  const key = state.live?.session;
  if (key === undefined || sessions === undefined) return undefined;
  const record = sessions.get(key);
  return {
    key,
    sessions,
    project: record?.project || project,
    workflow: name,
    ...(record?.transcript !== undefined && { transcript: record.transcript }),
    facts: () => ({
      phase: state.handed.keys().next().value ?? '',
      view: sessionValue(state) as SessionView,
      vars: Object.fromEntries(state.root.scope.vars),
    }),
  };
}
