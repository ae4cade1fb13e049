// find-run: what a person calls a run → the run.

import { Fault } from '../model/fault.ts';
import type { Store } from '../ports/store.ts';
import { didYouMean } from '../text/closest-name.ts';

export function findRun(store: Store, reference: string): string {
  const latest = store.latest();
  if (reference === 'latest') {
    if (latest !== undefined) return latest;
    throw new Fault('run-unknown', 'there are no runs here yet', {
      hint: 'Start one with `lockstep run`.',
      exitCode: 2,
    });
  }
  const ids = store.list();
  if (ids.includes(reference)) return reference;
  const matching = ids.filter((id) => id.startsWith(reference) || id.endsWith(`-${reference}`));
  if (matching.length === 1) return matching[0] as string;
  if (matching.length > 1) {
    throw new Fault('run-ambiguous', `"${reference}" is the beginning of ${matching.length} runs`, {
      hint: `Which one? ${matching.slice(-5).join(', ')}`,
      exitCode: 2,
    });
  }
  refuseReplaced(store, reference);
  throw new Fault('run-unknown', `there is no run "${reference}"`, {
    hint: didYouMean(reference, ids) ?? '`lockstep runs` lists them.',
    exitCode: 2,
  });
}

/** Where something stands in the place of its folder, the store says what. */
function refuseReplaced(store: Store, id: string): void {
  try {
    store.read(id);
  } catch (error) {
    if (error instanceof Fault && error.code === 'run-part-replaced') throw error;
  }
}
