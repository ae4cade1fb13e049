// hosted-run: a run in hand, call after call. Its lease is taken and given back here, and nowhere else.

import { Fault } from '../model/fault.ts';
import type { JournalEnd, OpenRun } from '../ports/store.ts';
import { type HeldRun, holdRun, type Observer } from './held-run.ts';
import type { Hosting } from './hosting.ts';
import { type Known, type Memory, remember } from './memory.ts';
import { PINNED_DOCUMENT, type Pinned, writePinned } from './pinned.ts';
import { beginningOf } from './read-run.ts';
import type { RecordOptions } from './records/options.ts';

export interface HostedRun {
  readonly id: string;
  /** Holds the lease for as long as `work` lasts (H2). Faults as `Store.open` has them. */
  call<T>(work: (run: HeldRun) => T | Promise<T>, options?: { takeOver?: boolean }): Promise<T>;
}

/** Nothing is read or held before its first call; but one that was `made` a moment ago is held until that ends. */
export function hostRun(
  hosting: Hosting,
  id: string,
  { observer = {}, records }: { observer?: Observer; records?: RecordOptions } = {},
  made?: { run: OpenRun; known: Known },
): HostedRun {
  let fresh = made;
  let warm: { memory: Memory; end: JournalEnd } | undefined;

  function recall(run: OpenRun): Memory {
    if (warm && run.isAsKnown) {
      warm.memory.desk.run = run;
      return warm.memory;
    }
    const { entries, torn } = run.journal();
    const beginning = beginningOf(run, entries, hosting.hash, 'Start it anew with `lockstep run`.');
    return remember(hosting, run, { ...beginning, told: entries, untold: [], torn }, records);
  }

  return {
    id,
    async call(work, { takeOver } = {}) {
      const first = fresh;
      const run = first?.run ?? hosting.store.open(id, hosting.holder, { takeOver, known: warm?.end });
      fresh = undefined;
      let memory: Memory | undefined;
      let isWhole = false;
      try {
        memory = first ? remember(hosting, run, first.known, records) : recall(run);
        warm = undefined;
        const result = await work(holdRun(hosting, observer, run, memory));
        isWhole = true;
        return result;
      } catch (error) {
        if (memory && error instanceof Fault && error.code === 'journal-changed')
          restorePin(run, memory.pinned);
        throw error;
      } finally {
        memory?.views.stop();
        memory?.records.close();
        run.close();
        if (memory && isWhole) warm = { memory, end: run.end() };
      }
    },
  };
}

/** Where the folder of the run was deleted, a journal that was rescued needs its workflow to be of use. */
function restorePin(run: OpenRun, pinned: Pinned): void {
  try {
    if (run.hasRescued() && run.document(PINNED_DOCUMENT) === undefined)
      run.replaceDocument(PINNED_DOCUMENT, writePinned(pinned));
  } catch {
    // The fault on its way says what happened, and that is worse.
  }
}
