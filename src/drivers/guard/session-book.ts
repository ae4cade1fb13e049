// session-book: what the guard keeps of sessions beside the journals, in their records. Only a cache: `session-bound` is the truth.
// A record that cannot be written holds nobody up.

import type { JsonObject } from '../../model/json.ts';
import type { HookEvent } from '../../model/live-session.ts';
import { fieldsOfRecord } from '../../model/session-fields.ts';
import type { SessionRun } from '../../model/session-record.ts';
import type { Sessions } from '../../ports/sessions.ts';
import { previousSession } from '../../runtime/previous-session.ts';
import type { SessionBook } from './guard.ts';

/** A session that was noted within it is not looked up again. */
const NOTED_MS = 60_000;
const MOST_NOTED = 1_000;

export function sessionBook(sessions: Sessions, now: () => number): SessionBook {
  const noted = new Map<string, number>();

  /** False: it was, a moment ago, and nothing has changed since. */
  function isNews({ session, kind, transcript }: HookEvent, project: string): boolean {
    const name = JSON.stringify([session.client, session.id, project, transcript ?? '']);
    const last = noted.get(name);
    const isDue = last === undefined || Math.abs(now() - last) > NOTED_MS;
    if (!isDue && kind !== 'session_start' && kind !== 'session_end') return false;
    noted.delete(name);
    noted.set(name, now());
    const [oldest] = noted.keys();
    if (noted.size > MOST_NOTED && oldest !== undefined) noted.delete(oldest);
    return true;
  }

  return {
    find(key) {
      const record = sessions.get(key);
      if (record === undefined) return undefined;
      const { project, runs } = record;
      return {
        project,
        runs: runs.map(({ run, workflow, lifecycle = false }) => ({ run, workflow, lifecycle })),
      };
    },
    record(key) {
      const record = sessions.get(key);
      const project = record?.project ?? '';
      const previous = project === '' ? undefined : previousSession(sessions, key, project);
      return fieldsOfRecord(record, previous) satisfies JsonObject;
    },
    keep(key, project, runs) {
      sessions.update(key, (record) => ({
        ...record,
        ...{ project, status: 'active' },
        runs: runs.map(
          ({ run, workflow, lifecycle }): SessionRun => ({ run, workflow, ...(lifecycle && { lifecycle }) }),
        ),
      }));
    },
    drop(key, run) {
      sessions.update(key, (record) => ({
        ...record,
        runs: record.runs.filter((one) => one.run !== run),
      }));
    },
    seen(event, project) {
      if (!isNews(event, project)) return;
      const { session, kind, transcript } = event;
      try {
        sessions.seen(session, {
          project,
          ...(transcript !== undefined && { transcript }),
          ...(kind === 'session_end' && { isOver: true }),
        });
      } catch {
        // The next event tries again.
        noted.clear();
      }
    },
  };
}
