// trace: the W3C trace context of a run: one trace, a span for the run and one for every attempt, so that what a run
// does can be found again in whatever its children report to.
// T1. A valid TRACEPARENT of ours is gone on with; else a resumed run keeps its trace, and a new one begins its own.

import type { Place } from '../../model/command.ts';
import { placeName } from '../../model/place-name.ts';
import type { Clock } from '../../ports/clock.ts';

export interface Trace {
  /** 32 hex digits. */
  readonly id: string;
  /** Of the run itself: 16 hex digits. */
  readonly span: string;
  /** An attempt starts: it has a span of its own. */
  begin(place: Place): void;
  end(place: Place): void;
  spanAt(place: Place): string;
  /** What a child of this place is given as TRACEPARENT. */
  traceparent(place: Place): string;
}

const SAMPLED = '01';

export function createTrace(
  clock: Pick<Clock, 'random'>,
  environment: Record<string, string | undefined>,
  earlier?: string,
): Trace {
  const given = readTraceparent(environment.TRACEPARENT);
  const id = given?.id ?? earlier ?? nonZero(clock, 32);
  const flags = given?.flags ?? SAMPLED;
  const span = nonZero(clock, 16);
  const spans = new Map<string, string>();
  const begin = (place: Place): string => {
    const fresh = nonZero(clock, 16);
    spans.set(nameOf(place), fresh);
    return fresh;
  };
  return {
    id,
    span,
    begin: (place) => void begin(place),
    end: (place) => void spans.delete(nameOf(place)),
    spanAt: (place) => spans.get(nameOf(place)) ?? spans.get(place.path) ?? span,
    traceparent: (place) => `00-${id}-${spans.get(nameOf(place)) ?? begin(place)}-${flags}`,
  };
}

function nameOf({ path, part }: Place): string {
  return placeName(path, part);
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Later versions may say more at the end; version ff is none, and zeros name nothing. */
export function readTraceparent(
  text: string | undefined,
): { id: string; span: string; flags: string } | undefined {
  const match = TRACEPARENT.exec(text ?? '');
  if (!match) return undefined;
  const [, version, id = '', span = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return isTraceId(id) && !/^0+$/.test(span) ? { id, span, flags } : undefined;
}

export function isTraceId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text) && !/^0+$/.test(text);
}

/** An id of zeros only is invalid. */
function nonZero(clock: Pick<Clock, 'random'>, digits: number): string {
  for (;;) {
    const id = clock.random(digits);
    if (!/^0+$/.test(id)) return id;
  }
}
