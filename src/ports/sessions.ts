// sessions: records of live sessions, for all projects of a user. Whoever writes at the same time, nothing that was written is
// lost: a change is made on the newest record. A record is kept within bounds, and what looks like a secret in it is masked.

import type { SessionKey } from '../model/live-session.ts';
import type { Handoff, SessionRecord } from '../model/session-record.ts';

/** All that is given must hold. */
export interface SessionFilter {
  status?: string[];
  /** The folder of the project, absolute. */
  project?: string;
  /** On this host. */
  sameMachine?: boolean;
  client?: SessionKey['client'];
  /** There is a handoff that no session has got yet. */
  handoff?: 'waiting';
  /** This one is left out. */
  except?: SessionKey;
}

export interface SessionRetention {
  /** How many are kept; the ones seen last. */
  most: number;
  /** In milliseconds since it was last seen. */
  age: number;
}

/** What an event says of the session that it comes from. */
export interface SessionSeen {
  project?: string;
  transcript?: string;
  /** It has ended; one that is seen again afterwards goes on. */
  isOver?: boolean;
}

export interface Sessions {
  /** What cannot be read is no record. */
  get(key: SessionKey): SessionRecord | undefined;
  /**
   * The session is there. Its record is made where there is none; one that was seen within the last minute and says the same
   * is left as it is, so this may be called with every event.
   */
  seen(key: SessionKey, seen?: SessionSeen): SessionRecord;
  /**
   * Changes the newest record; one is made where there is none. `change` may be called several times and must depend on its
   * argument only. A change that changes nothing writes nothing.
   */
  update(key: SessionKey, change: (record: SessionRecord) => SessionRecord): SessionRecord;
  /** The one seen last first. */
  find(filter: SessionFilter): SessionRecord[];
  /**
   * The handoff of a session, for exactly one other: the first that asks. Undefined: there is none, or another session has
   * it. The one that has it may ask again, after a crash.
   */
  consume(from: SessionKey, by: SessionKey): Handoff | undefined;
  /** Removes what is older or more than that, save what was seen within the last hour. How many went. */
  retain(retention: SessionRetention): number;
  /** The two ends of the file in which a client keeps a conversation; undefined: it cannot be read. */
  transcript(path: string): TranscriptText | undefined;
}

/** Whole lines. `tail` is '' where `head` is all there is. */
export interface TranscriptText {
  head: string;
  tail: string;
}
