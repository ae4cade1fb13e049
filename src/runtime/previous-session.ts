// previous-session: the session that one goes on from: its parent where it has one, else the one before it in the project.

import type { SessionKey } from '../model/live-session.ts';
import { type SessionRecord, sameSession } from '../model/session-record.ts';
import type { Sessions } from '../ports/sessions.ts';

export function previousSession(
  sessions: Pick<Sessions, 'get' | 'find'>,
  key: SessionKey,
  project: string,
): SessionRecord | undefined {
  const parent = sessions.get(key)?.parent;
  if (parent !== undefined) return sessions.get(parent);
  return sessions.find({ project, sameMachine: true, except: key }).find(({ status, summary, handoff }) => {
    if (status === 'expired') return false;
    const taken = handoff?.consumed_by;
    return taken === undefined ? summary !== '' || handoff !== undefined : sameSession(taken, key);
  });
}
