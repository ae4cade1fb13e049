// security-journal: the journal under attack while a run is open (THREATS.md).

import type { Requirement } from '../ledger.ts';

export const securityJournal: Requirement[] = [];
