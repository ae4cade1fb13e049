// session-value: what `session` and `event` show to expressions. Outside a live session everything is there, and empty: a
// workflow means the same whoever drives it.

import type { Json, JsonObject } from '../model/json.ts';
import { NO_EVENT, NO_SESSION, type SessionView } from '../model/session-view.ts';
import type { Live, State } from '../model/state.ts';

export function sessionValue({ live, lastAt }: State): SessionView {
  if (!live) return NO_SESSION;
  return { ...NO_SESSION, ...recordOf(live), ...factsOf(live, lastAt) } as SessionView;
}

/** `prompt` is the latest since the step was entered, whatever the event is: `user_says` reads it. */
export function eventValue({ live }: State): JsonObject {
  if (!live) return NO_EVENT;
  const { unsaid: _, modified: _modified, tested: _tested, subagent: _subagent, ...event } = live.event ?? {};
  return { ...NO_EVENT, ...event, prompt: live.prompt };
}

/** What records say, of the type that it is declared to have; anything else is as if it were not there. */
function recordOf({ record, artifacts }: Live): JsonObject {
  const known = Object.entries(record).filter(
    ([key, value]) => Object.hasOwn(NO_SESSION, key) && kindOf(value) === kindOf(NO_SESSION[key] as Json),
  );
  return {
    ...Object.fromEntries(known),
    artifacts: { ...asMap(record.artifacts), ...Object.fromEntries(artifacts) },
  };
}

function asMap(value: Json | undefined): JsonObject {
  return kindOf(value ?? null) === 'map' ? (value as JsonObject) : {};
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value === 'object' ? 'map' : typeof value;
}

function factsOf(live: Live, now: number): JsonObject {
  const { session, source, prompt, filesRead, filesModified, calls, errors, visit, boundAt } = live;
  return {
    id: session?.id ?? '',
    client: session?.client ?? '',
    source,
    prompt,
    files_read: [...filesRead],
    files_modified: [...filesModified],
    tool_calls: calls,
    errors,
    elapsed: seconds(now - boundAt),
    step: {
      actions: visit.actions,
      errors: visit.errors,
      elapsed: seconds(now - visit.at),
      files_modified: [...visit.filesModified],
      stops: visit.stops,
      tests: visit.tests,
    },
    observations: live.observations as unknown as Json,
  };
}

function seconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000));
}
