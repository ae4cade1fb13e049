// look-at-run: what a list of runs tells of one, without reading more of it than it takes. What cannot be read is said and
// hides nothing else: no view, and no damage, makes this throw.

import { Fault } from '../model/fault.ts';
import type { StoredRun } from '../ports/store.ts';
import { type ShortView, shortView } from '../views/short-view.ts';
import { readStored } from './read-run.ts';
import { readShortView } from './short-view.ts';

export interface LookedAt {
  /** Absent: nothing of it can be read. Of a damaged run, what its views say. */
  view?: ShortView;
  /** What is wrong with its journal. */
  damage?: string;
  /** Why there is no view: the code of a fault. */
  unread?: string;
  /** Whether a process holds it, or may do so. */
  held: boolean;
}

export function lookAtRun(run: StoredRun, hash: (text: string) => string): LookedAt {
  const held = orNothing(() => run.holder() !== undefined) ?? false;
  const short = readShortView(run);
  if (short) return { view: short, held };
  // Whoever holds a run watches over its journal, and is ahead of its views.
  const { entries, damage } = held ? {} : journalOf(run);
  const view = inState(run, entries);
  if (damage !== undefined) return { held, damage, ...(view && { view }) };
  return { held, ...(view ? { view } : inJournal(run, hash)) };
}

/** How many entries it has; of one that is damaged, how. */
function journalOf(run: StoredRun): { entries?: number; damage?: string } {
  try {
    const { entries, missing } = run.journal();
    return missing === undefined ? { entries: entries.length } : { damage: missing };
  } catch (error) {
    return { damage: error instanceof Error ? error.message : String(error) };
  }
}

/** As state.json has it, where it tells of all `entries`. */
function inState(run: StoredRun, entries: number | undefined): ShortView | undefined {
  return orNothing(() => {
    const state = JSON.parse(run.document('state.json') ?? '') as {
      started_at: string;
      updated_at: string;
    } & {
      lockstep: Pick<ShortView, 'status' | 'workflow' | 'elapsed_ms' | 'entries' | 'totals'> &
        Partial<Pick<ShortView, 'drive'>>;
    };
    const { status, workflow, drive = 'run', elapsed_ms, entries: told, totals } = state.lockstep;
    if (typeof status !== 'string' || typeof totals !== 'object') return undefined;
    if (entries !== undefined && told !== entries) return undefined;
    const { started_at, updated_at } = state;
    // Older versions did not count answers without a price, nor say who takes the turns.
    return {
      ...{ run_id: run.id, workflow, drive, status, started_at, updated_at, elapsed_ms, entries: told },
      totals: { ...totals, unpriced: totals.unpriced ?? 0 },
    };
  });
}

function inJournal(run: StoredRun, hash: (text: string) => string): Pick<LookedAt, 'view' | 'unread'> {
  try {
    return { view: shortView(readStored(run, hash).view.outline) };
  } catch (error) {
    return { unread: error instanceof Fault ? error.code : 'unreadable' };
  }
}

function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
