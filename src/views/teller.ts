// teller: the one table from an entry to what is said about it. The audit, the log and the terminal read it, and so will a page.
// A new kind of entry without a row does not compile.

import type { Entry, EntryKind } from '../model/entry.ts';
import { attemptRows } from './teller/attempt-rows.ts';
import { clientRows } from './teller/client-rows.ts';
import { peopleRows } from './teller/people-rows.ts';
import type { Row, Rows } from './teller/row.ts';
import { runRows } from './teller/run-rows.ts';
import { sessionRows } from './teller/session-rows.ts';
import { stepRows } from './teller/step-rows.ts';

export const TELLER: Rows<EntryKind> = {
  ...runRows,
  ...stepRows,
  ...attemptRows,
  ...clientRows,
  ...peopleRows,
  ...sessionRows,
};

/** About the run, and not about a step of it. */
export function isAboutRun(entry: Entry): boolean {
  return (
    ABOUT_RUN.has(entry.kind) || (entry.kind in sessionRows && !('path' in entry && entry.path !== undefined))
  );
}
const ABOUT_RUN: ReadonlySet<string> = new Set(Object.keys(runRows));

/** A question is known by its step alone: that is how it is answered. */
export function partOf(entry: Entry): string | undefined {
  return 'part' in entry && entry.kind !== 'question-asked' ? entry.part : undefined;
}

/** Of a journal that a newer Lockstep wrote in, or that was written by hand, there may be none. */
export function rowOf(entry: Entry): Row<Entry> | undefined {
  return ROWS.get(entry.kind);
}
const ROWS: ReadonlyMap<string, Row<Entry>> = new Map(
  Object.entries(TELLER) as unknown as [string, Row<Entry>][],
);
