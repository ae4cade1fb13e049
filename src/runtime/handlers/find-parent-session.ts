// find-parent-session: { filter }. The session seen last that fits and has left something no other session has got. It becomes
// the parent of this one. Gives its id, or null.

import { fieldsOfRecord } from '../../model/session-fields.ts';
import { sameSession } from '../../model/session-record.ts';
import type { SessionFilter } from '../../ports/sessions.ts';
import { mapArgument, wrong } from './argument.ts';
import type { Handled, HandlerCall } from './handler.ts';
import { changeRecord, givenTo, sessionOf } from './live-call.ts';

const KNOWN = ['status', 'same_project', 'same_machine', 'client'] as const;

export function findParentSession(call: HandlerCall): Handled {
  const { key, sessions } = sessionOf(call);
  // One that this session has got already is found again after a crash.
  const found = sessions
    .find(readFilter(call))
    .find(({ handoff }) => handoff?.consumed_by === undefined || sameSession(handoff.consumed_by, key));
  if (found === undefined) return { output: null };
  const { client, id } = found;
  const record = changeRecord(call, (before) => ({ ...before, parent: { client, id } }));
  const { parent, previous_summary, handoff } = fieldsOfRecord(record, found);
  return { output: id, sessionFacts: { parent, previous_summary, handoff } };
}

function readFilter(call: HandlerCall): SessionFilter {
  const { key, project } = sessionOf(call);
  const given = givenTo(call);
  const filter = given.filter === undefined || given.filter === null ? {} : mapArgument(given, 'filter');
  const unknown = Object.keys(filter).find((name) => !KNOWN.some((known) => known === name));
  if (unknown !== undefined) throw wrong(`filter.${unknown}`, `one of ${KNOWN.join(', ')}`, filter[unknown]);
  const { status = 'handoff_ready', same_project = true, same_machine = true, client } = filter;
  const statuses = Array.isArray(status) ? status : [status];
  return {
    status: statuses.map((one) => String(one).trim().toLowerCase().replaceAll('-', '_')),
    except: key,
    ...(isYes(same_project) && { project }),
    ...(isYes(same_machine) && { sameMachine: true }),
    ...((client === 'claude' || client === 'codex' || client === 'gemini') && { client }),
  };
}

/** A template gives a text. */
function isYes(value: unknown): boolean {
  return value === true || value === 'true';
}
