// What stops a person on the first day: each was met by somebody who had the docs, a project and no patience.

import type { Requirement } from '../ledger.ts';

const redirected = 'test/cli/redirected.test.ts › output that goes into the project';
const failures = 'test/cli/told-failures.test.ts › what failed is on the screen';

export const firstDay: Requirement[] = [
  {
    id: 'UX-REDIRECTED',
    requirement:
      'A file of the project that our own output goes to is no change: neither of a step that only reads nor of an approval. Moved elsewhere, it is one.',
    proof: `${redirected} › UX-REDIRECTED: *`,
  },
  {
    id: 'UX-FAILED-LINES',
    requirement: 'A failed command shows the last lines of its stdout and stderr where the run ends.',
    proof: `${failures} › UX-FAILED-LINES: *`,
  },
  {
    id: 'UX-TELLING',
    requirement:
      'Of what failed, was sent back or was gone past, one line shows what tells most: the name of the test that failed.',
    proof: ['src/views/telling-line.test.ts › the line that says most', `${failures} › UX-TELLING: *`],
  },
];
