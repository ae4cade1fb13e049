// live-call: what the handlers of live sessions share: the session of the call, and changing its record.

import type { JsonObject } from '../../model/json.ts';
import { placeName } from '../../model/place-name.ts';
import type { SessionRecord } from '../../model/session-record.ts';
import { maskShapesIn } from '../../text/secret-shapes.ts';
import type { LiveSession } from '../perform/live-session.ts';
import { Breakdown, UNPERFORMABLE } from '../perform/outcome.ts';
import type { HandlerCall } from './handler.ts';

export function sessionOf({ command, context }: HandlerCall): LiveSession {
  if (context.session !== undefined) return context.session;
  throw new Breakdown(
    {
      class: 'error',
      message: `\`call: ${command.handler}\` needs a live session, and this run has none`,
      hint: 'A session has one where hooks hold it to the workflow.',
    },
    UNPERFORMABLE,
  );
}

/** What it is given, masked as everything that is written (S3), what nobody declared a secret and looks like one too. */
export function givenTo({ with: given, context }: HandlerCall): JsonObject {
  return maskShapesIn(context.mask.deep(given));
}

export function changeRecord(
  call: HandlerCall,
  change: (record: SessionRecord) => SessionRecord,
): SessionRecord {
  const { key, sessions } = sessionOf(call);
  const record = sessions.update(key, change);
  note(call, `wrote the record of session ${key.id}`);
  return record;
}

export function note({ command, context }: HandlerCall, what: string): void {
  context.debug?.(command, 'files', `${placeName(command.path, command.part)}: ${what}`);
}
