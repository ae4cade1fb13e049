// recap: what has happened in a run, for a client that has forgotten: the last steps first where not all fit.

import { resultLine, stepResults } from './step-results.ts';
import type { Workplace } from './workplace.ts';

/** Bytes. */
const LONGEST = 8192;

export function recapOf(place: Workplace, run: string): string {
  const lines = stepResults(place.store.read(run).journal().entries).map(resultLine);
  const kept: string[] = [];
  let size = 0;
  for (const line of lines.toReversed()) {
    size += Buffer.byteLength(line) + 1;
    if (size > LONGEST) break;
    kept.unshift(line);
  }
  const left = lines.length - kept.length;
  return [...(left > 0 ? [`(${left} earlier steps are left out; session_get has them)`] : []), ...kept].join(
    '\n',
  );
}
