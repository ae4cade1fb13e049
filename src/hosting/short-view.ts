// short-view: summary.json in the folder of a run, and when it may be believed. It names the state of the journal that it
// was made from: a journal that has changed since then, by whatever hand, makes it worthless.

import { isObject, type JsonObject } from '../model/json.ts';
import type { StoredRun } from '../ports/store.ts';
import type { Outline } from '../views/outline/shape.ts';
import { type ShortView, shortView } from '../views/short-view.ts';

export const SHORT_VIEW = 'summary.json';

export function writeShortView(outline: Outline, journal: string | undefined): string {
  return `${JSON.stringify({ ...shortView(outline), journal })}\n`;
}

/** undefined: there is none, it cannot be read, or the journal is not as it was when this was written. */
export function readShortView(run: StoredRun): ShortView | undefined {
  try {
    const read: unknown = JSON.parse(run.document(SHORT_VIEW) ?? '');
    if (!isObject(read) || !isObject(read.totals) || read.run_id !== run.id) return undefined;
    // Older versions did not say who takes the turns.
    const { journal, ...view }: JsonObject = { drive: 'run', ...read };
    const mark = run.journalMark();
    return mark !== undefined && journal === mark ? (view as unknown as ShortView) : undefined;
  } catch {
    return undefined;
  }
}
