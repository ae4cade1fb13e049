// live-session: what an effect knows of the live session that its run holds. Absent in a run that Lockstep drives or guides.

import type { JsonObject } from '../../model/json.ts';
import type { SessionKey } from '../../model/live-session.ts';
import type { SessionView } from '../../model/session-view.ts';
import type { Sessions } from '../../ports/sessions.ts';

export interface LiveSession {
  key: SessionKey;
  sessions: Sessions;
  /** The folder of the project, absolute. */
  project: string;
  /** The workflow of the run, by its name. */
  workflow: string;
  /** The file in which the client keeps the conversation, absolute. */
  transcript?: string;
  /** As they are now. `phase`: the id of the step that the session is in; '' where the workflow has none. */
  facts(): { phase: string; view: SessionView; vars: JsonObject };
}
