// page: `lockstep ui`, the page with all runs.

import type { Requirement } from '../ledger.ts';

const SERVER = 'test/ui/ui.test.ts › lockstep ui';
const BROWSER = 'e2e/page/page.test.ts › the page in a browser*';
const HISTORY = 'src/views/history.test.ts › the history of a run';

export const page: Requirement[] = [
  {
    id: 'UI-SAFE-HOST',
    requirement:
      'A request that names another Host than this server, or none, is refused: no name that resolves to this machine reaches it.',
    proof: [`${SERVER} › UI-SAFE-HOST: *`],
  },
  {
    id: 'UI-SAFE-COOKIE',
    requirement:
      'Reading needs an HttpOnly SameSite=Strict cookie, which only the token of 256 bits of this start is exchanged for.',
    proof: [`${SERVER} › UI-SAFE-COOKIE: *`],
  },
  {
    id: 'UI-SAFE-ORIGIN',
    requirement: 'Requests from another page are refused, writes without our Origin or that are no JSON too.',
    proof: [`${SERVER} › UI-SAFE-ORIGIN: *`],
  },
  {
    id: 'UI-SAFE-FOREIGN',
    requirement:
      'A page of somebody else in the same browser reads nothing, answers nothing by script or form, and frames nothing.',
    proof: [`${BROWSER} › UI-SAFE-FOREIGN: *`],
  },
  {
    id: 'UI-SAFE-READ',
    requirement: 'No GET changes anything; without --answer nothing does.',
    proof: [`${SERVER} › UI-SAFE-READ: *`],
  },
  {
    id: 'UI-SAFE-NAMES',
    requirement: 'Files, runs, logs and workflows are served by names from lists, never by a path.',
    proof: [`${SERVER} › UI-SAFE-NAMES: *`],
  },
  {
    id: 'UI-SAFE-HEADERS',
    requirement:
      'Every answer carries a policy that allows our own script only, with Trusted Types, nosniff, COOP and CORP.',
    proof: [`${SERVER} › UI-SAFE-HEADERS: *`],
  },
  {
    id: 'UI-SAFE-TEXT',
    requirement:
      'What agents wrote (answers, titles, questions, names of files) is text in every view and in the exported file.',
    proof: [`${BROWSER} › UI-SAFE-TEXT: *`],
  },
  {
    id: 'UI-LIVE',
    requirement:
      'A run that is started on a terminal is shown live from its start over a question to its end; a page goes on when the server is back.',
    proof: [`${BROWSER} › UI-LIVE: *`],
  },
  {
    id: 'UI-INBOX',
    requirement:
      'An answer of the page is bound to the asking and to what was shown, goes the way of the command line, and the journal says who and from where.',
    proof: [
      `${SERVER} › UI-INBOX: *`,
      `${BROWSER} › UI-LIVE: shows a live run from its start to the approval to its end, and is answered on the page`,
    ],
  },
  {
    id: 'UI-LINK',
    requirement: '`lockstep status` prints the link to the run while a page is served, without the token.',
    proof: [`${SERVER} › UI-LINK: *`],
  },
  {
    id: 'UI-TIME-HISTORY',
    requirement:
      'The history keeps every visit with the numbers of its entries; what it shows of a moment is what the outline showed then.',
    proof: [`${HISTORY} › UI-TIME-HISTORY: *`],
  },
  {
    id: 'UI-TIME-STATUS',
    requirement: '`lockstep status --at N` tells a run as it was after entry N.',
    proof: [`${SERVER} › UI-TIME-STATUS: *`],
  },
  {
    id: 'UI-TIME-SLIDER',
    requirement:
      'The slider shows of a moment what `lockstep status --at` says of it, and a link leads to the moment.',
    proof: [`${BROWSER} › UI-TIME-SLIDER: *`],
  },
  {
    id: 'UI-CHAIN',
    requirement: 'The page computes the hashes of the chain itself, as Node does.',
    proof: ['ui/sha256.test.ts › sha256 in the browser › UI-CHAIN: *'],
  },
  {
    id: 'UI-EXPORT',
    requirement:
      '`lockstep ui --export` writes a run into one file that opens from disk, loads nothing, verifies itself, and says so where it was changed.',
    proof: [`${SERVER} › UI-EXPORT: *`, `${BROWSER} › UI-EXPORT: *`],
  },
  {
    id: 'UI-GRAPH-LAYOUT',
    requirement:
      'The layout of the graph is always the same, no box lies over another, and many passes share cells.',
    proof: ['ui/graph/layout.test.ts › the layout of the graph › UI-GRAPH-LAYOUT: *'],
  },
  {
    id: 'UI-LARGE',
    requirement: 'A run of 10,000 items opens folded, and goes back in time.',
    proof: [`${BROWSER} › UI-LARGE: *`],
  },
  {
    id: 'UI-ACCESS',
    requirement:
      'axe finds nothing serious in any view, light and dark, and no view is wider than a window of 360 px.',
    proof: [`${BROWSER} › UI-ACCESS: *`],
  },
  {
    id: 'UI-SIZE',
    requirement: 'A browser loads at most 60 KB (gzip) at first and 140 KB in all, without CEL.',
    proof: ['test/ui/size.test.ts › the size of the page › UI-SIZE: *'],
  },
];
