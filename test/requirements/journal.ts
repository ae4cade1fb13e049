// journal: what a journal says of itself and of tool calls, and how its entries are told.

import type { Requirement } from '../ledger.ts';

const KEPT = 'test/journals/journals.test.ts';

export const journal: Requirement[] = [
  {
    id: 'LS-JOURNAL-VERSION',
    requirement:
      'The first entry of a journal says which version of the format it is. A journal of a newer version is refused by every command that reads it, with a fault that names both versions and the Lockstep that wrote it, and is not changed.',
    proof: [
      `${KEPT} › LS-JOURNAL-VERSION: a journal of a newer Lockstep`,
      'src/stores/file/file-store.test.ts › fileStore › runs › LS-JOURNAL-VERSION: *',
      'src/stores/memory/memory-store.test.ts › memoryStore › runs › LS-JOURNAL-VERSION: *',
    ],
  },
  {
    id: 'LS-JOURNAL-CORPUS',
    requirement:
      'Journals with every kind of entry, of every version and of the time before versions, are kept for ever: read to the byte they come to what they came to, and those that had not ended go on to the same end.',
    proof: `${KEPT} › LS-JOURNAL-CORPUS: journals that were kept`,
  },
];
