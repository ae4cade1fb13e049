// attempts: what was done in a run and came to an end, in the order in which it began. What was cut short (by a crash,
// an interruption, a cancellation) is left out: a test is not cut short there.

import type { Entry, Outcome } from '../../model/entry.ts';
import { placeName } from '../../views/step-path.ts';

export interface Attempt {
  /** Without the numbers of visits: `execute[1]/implement`, `verify.done[1]`. */
  place: string;
  path: string;
  part?: string;
  verb: string;
  startedAt: number;
  endedAt: number;
  outcome: Outcome;
}

type Started = Extract<Entry, { kind: 'attempt-started' }>;

const CUT_SHORT = new Set(['cancelled', 'interrupted']);

export function attemptsIn(entries: readonly Entry[]): Attempt[] {
  const open = new Map<string, Started>();
  const attempts: Attempt[] = [];
  for (const entry of entries) {
    if (entry.kind === 'attempt-started') open.set(placeName(entry.path, entry.part), entry);
    if (entry.kind !== 'attempt-finished') continue;
    const { path, part, outcome } = entry;
    const started = open.get(placeName(path, part));
    open.delete(placeName(path, part));
    if (!started || CUT_SHORT.has(outcome.error?.class ?? '')) continue;
    attempts.push({
      place: placeName(path.replace(/~\d+/g, ''), part),
      path,
      ...(part !== undefined && { part }),
      verb: started.verb,
      startedAt: started.at,
      endedAt: entry.at,
      outcome,
    });
  }
  return attempts.sort((a, b) => a.startedAt - b.startedAt);
}
