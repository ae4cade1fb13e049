// hook-origins: whether an event of a live session really comes from the client of that session. A model with a shell can start
// the hook program too, and tell it that a person said yes.
// O1. While the process of a session's client is there, only what its installed hook line started speaks for the session.
// O2. A client that runs below the client of a held session speaks for its own session, and never for a person.
// O3. Where the system does not show processes nothing is refused here.

import type { SessionKey } from '../model/live-session.ts';

export interface HookOrigins {
  /** `pid`: the process of the hook program. `below`: the client of a held session that all of this was started by. */
  look(pid: number, session: SessionKey): { refused?: string; below?: string };
  /** The session has ended: another process may go on with it. */
  forget(session: SessionKey): void;
}
