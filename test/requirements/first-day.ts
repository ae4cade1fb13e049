// What stops a person on the first day: each was met by somebody who had the docs, a project and no patience.

import type { Requirement } from '../ledger.ts';

const redirected = 'test/cli/redirected.test.ts › output that goes into the project';

export const firstDay: Requirement[] = [
  {
    id: 'UX-REDIRECTED',
    requirement:
      'A file of the project that our own output goes to is no change: neither of a step that only reads nor of an approval. Moved elsewhere, it is one.',
    proof: `${redirected} › UX-REDIRECTED: *`,
  },
];
