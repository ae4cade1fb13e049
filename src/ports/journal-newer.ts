// journal-newer: what every store says of a journal that a newer Lockstep wrote.

import { Fault } from '../model/fault.ts';
import { isReadable, JOURNAL_VERSION, journalVersion } from '../model/journal-version.ts';

/** Fault `journal-newer`. `first` is the first entry as it was found: it need not be one that this version knows. */
export function refuseNewer(id: string, first: object): void {
  const version = journalVersion(first);
  if (isReadable(version)) return;
  const { by } = first as { by?: { version?: unknown } };
  const writer = typeof by?.version === 'string' ? ` It was written by lockstep ${by.version}.` : '';
  throw new Fault(
    'journal-newer',
    `the journal of run ${id} is of version ${JSON.stringify(version)}, and this Lockstep reads journals up to version ${JOURNAL_VERSION}`,
    {
      hint: `Nothing was changed.${writer} Go on with that version of Lockstep, or with a newer one: a newer Lockstep reads every older journal.`,
    },
  );
}
