// session-keeping: what every keeper of records does alike, over a place that holds them. A place knows one thing: to put a
// record where the one that was read still is.

import { Fault } from '../model/fault.ts';
import type { SessionKey } from '../model/live-session.ts';
import { type Handoff, type SessionRecord, sameSession } from '../model/session-record.ts';
import { fitRecord, isSessionId } from './session-bounds.ts';
import type { SessionFilter, SessionRetention, Sessions } from './sessions.ts';

export interface KeepingParts {
  /** Milliseconds since 1970. */
  now(): number;
  /** The name of this host. */
  machine: string;
  /** What looks like a secret → `***`. */
  mask(text: string): string;
}

/** A record as it was found, to be replaced or removed as such. */
export interface FoundRecord {
  record: SessionRecord | undefined;
  /** False: somebody has written in the meantime, and nothing was done. */
  replace(record: SessionRecord): boolean;
  remove(): boolean;
}

export interface RecordPlace {
  open(key: SessionKey): FoundRecord;
  all(): FoundRecord[];
}

/** A session that was seen within it is not written again. */
const SEEN_AGAIN_MS = 60_000;
/** What was seen within it is never removed. */
const FRESH_MS = 3_600_000;
/** Every round but the last was lost to somebody who was quicker: more than that means something else is wrong. */
const ROUNDS = 10_000;

export function keepSessions(
  place: RecordPlace,
  { now, machine, mask }: KeepingParts,
): Omit<Sessions, 'transcript'> {
  const time = () => new Date(now()).toISOString();

  function blank(key: SessionKey): SessionRecord {
    const at = time();
    return {
      ...{ client: key.client, id: key.id, project: '', machine, started: at, last_seen: at },
      ...{ runs: [], title: '', status: 'active', summary: '', context_restored: false, todos: [] },
    };
  }

  function update(key: SessionKey, change: (record: SessionRecord) => SessionRecord): SessionRecord {
    if (!isSessionId(key.id))
      throw new Fault('store-misuse', 'the id of a session has between 1 and 1,000 characters');
    for (let round = 0; round < ROUNDS; round += 1) {
      const found = place.open(key);
      const before = found.record ?? blank(key);
      // Whose record it is stays.
      const changed = { ...change(before), client: key.client, id: key.id };
      const after = fitRecord(changed, mask);
      if (found.record !== undefined && JSON.stringify(after) === JSON.stringify(before)) return before;
      if (found.replace(after)) return after;
    }
    throw new Fault('store-failed', `the record of session ${key.id} changes all the time`, { retry: true });
  }

  function isRecent(record: SessionRecord, within: number): boolean {
    const age = now() - Date.parse(record.last_seen);
    return age >= 0 && age < within;
  }

  return {
    get: (key) => place.open(key).record,
    update,
    seen: (key, { isOver = false, ...seen } = {}) =>
      update(key, (record) => {
        const status = statusWhen(isOver, record.status);
        const next = { ...record, ...seen, machine, status };
        const isSame = JSON.stringify(next) === JSON.stringify(record);
        return isSame && isRecent(record, SEEN_AGAIN_MS) ? record : { ...next, last_seen: time() };
      }),
    find: (filter) =>
      newestFirst(place.all())
        .map(({ record }) => record)
        .filter((record) => matches(record, filter, machine)),
    consume(from, by) {
      if (sameSession(from, by)) return undefined;
      if (place.open(from).record?.handoff === undefined) return undefined;
      const { handoff } = update(from, (record) =>
        record.handoff === undefined || record.handoff.consumed_by !== undefined
          ? record
          : { ...record, handoff: consumed(record.handoff, by, time()) },
      );
      return handoff?.consumed_by && sameSession(handoff.consumed_by, by) ? handoff : undefined;
    },
    retain({ most, age }: SessionRetention) {
      const stale = newestFirst(place.all()).filter(
        ({ record }, index) =>
          !isRecent(record, FRESH_MS) && (index >= most || !isRecent(record, Math.max(age, FRESH_MS))),
      );
      return stale.filter((found) => found.remove()).length;
    },
  };
}

/** A status that a workflow has given stays. */
function statusWhen(isOver: boolean, status: string): string {
  if (isOver) return status === 'active' ? 'ended' : status;
  return status === 'ended' ? 'active' : status;
}

function consumed(handoff: Handoff, { client, id }: SessionKey, at: string): Handoff {
  return { ...handoff, consumed_at: at, consumed_by: { client, id } };
}

type Kept = FoundRecord & { record: SessionRecord };

function newestFirst(all: FoundRecord[]): Kept[] {
  return all
    .filter((found): found is Kept => found.record !== undefined)
    .sort(({ record: one }, { record: other }) =>
      one.last_seen === other.last_seen
        ? one.id < other.id
          ? -1
          : 1
        : one.last_seen < other.last_seen
          ? 1
          : -1,
    );
}

function matches(record: SessionRecord, filter: SessionFilter, machine: string): boolean {
  const { status, project, sameMachine, client, handoff, except } = filter;
  return (
    (status === undefined || status.includes(record.status)) &&
    (project === undefined || record.project === project) &&
    (sameMachine !== true || record.machine === machine) &&
    (client === undefined || record.client === client) &&
    (handoff === undefined || (record.handoff !== undefined && record.handoff.consumed_by === undefined)) &&
    (except === undefined || !sameSession(record, except))
  );
}
