// run-facts: what a page is given of a run besides its journal.

import { readStored } from '../hosting/read-run.ts';
import type { StoredRun } from '../ports/store.ts';
import { isHeld } from './follow-journal.ts';
import type { RunFacts } from './wire.ts';

export function factsOf(run: StoredRun, hash: (text: string) => string): RunFacts {
  const { pinned } = readStored(run, hash);
  return { id: run.id, location: run.location, workflow: pinned.workflow, held: isHeld(run) };
}
