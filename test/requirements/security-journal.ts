// security-journal: the journal under attack while a run is open (THREATS.md).

import type { Requirement } from '../ledger.ts';

const FAULTS = 'test/faults/journal.test.ts';
const DURING = `${FAULTS} › the journal is changed while a run is going on`;
const BETWEEN = `${FAULTS} › the journal is changed while no process holds the run`;
const STORE = 'src/stores/file/journal-custody.test.ts';

export const securityJournal: Requirement[] = [
  {
    id: 'SEC-JOURNAL-STOP',
    requirement:
      'A run whose journal is replaced, cut, deleted, renamed, overwritten, appended to, linked or moved stops before its next step with exit code 1 and says what was found; nothing it recorded is lost, and no finished step runs twice.',
    proof: [
      `${DURING} › SEC-JOURNAL-STOP: *`,
      `${STORE} › a journal that something else changes › J5: whatever is done to it and whenever, the next flush stops, and every entry is in the rescued journal`,
    ],
  },
  {
    id: 'SEC-JOURNAL-REFUSED',
    requirement:
      'After that, resume refuses the run and names the rescued journal until it is told to use it; audit verifies it; clean keeps it.',
    proof: `${DURING} › SEC-JOURNAL-REFUSED: *`,
  },
  {
    id: 'SEC-JOURNAL-ASIDE',
    requirement: 'What lies in the place of the journal is kept when the rescued journal takes it.',
    proof: `${DURING} › SEC-JOURNAL-ASIDE: *`,
  },
  {
    id: 'SEC-JOURNAL-LAST',
    requirement: 'A run whose journal is changed during its last step does not say that it completed.',
    proof: `${DURING} › SEC-JOURNAL-LAST: *`,
  },
  {
    id: 'SEC-JOURNAL-LEASE',
    requirement:
      'A lease that is deleted, renamed or replaced stops the run as what it is, and is not told as a process that took the run over; one that was taken over is told as that.',
    proof: [
      `${DURING} › SEC-JOURNAL-LEASE: *`,
      'src/stores/file/lease.test.ts › SEC-LINKS-LEASE: * › SEC-JOURNAL-LEASE: *',
      `${STORE} › a journal that something else changes › J5: a run that was taken over says so, and not that its journal was changed`,
    ],
  },
  {
    id: 'SEC-LINKS',
    requirement:
      'Nothing is read, written or removed through a link in the place of anything that a run is made of, whatever command comes.',
    proof: 'test/faults/run-folder.test.ts › SEC-LINKS: *',
  },
  {
    id: 'SEC-LINKS-LEASE',
    requirement:
      'In the folder of the lease nothing is removed but what Lockstep made, and no link is followed.',
    proof: 'src/stores/file/lease.test.ts › SEC-LINKS-LEASE: *',
  },
  {
    id: 'SEC-JOURNAL-GAP',
    requirement:
      'Of a journal that is longer than what is kept in memory, and was cut or overwritten, the beginning that verifies and the end are kept, and the message says which entries are lost.',
    proof: `${STORE} › a journal too long to be kept in memory`,
  },
  {
    id: 'SEC-JOURNAL-HONEST',
    requirement: 'Reading, copying, chmod, touch, and a move there and back stop nothing.',
    proof: [
      `${DURING} › SEC-JOURNAL-HONEST: *`,
      `${STORE} › a journal that something else changes › J5: what leaves the bytes as they were stops nothing, however often it is done`,
    ],
  },
  {
    id: 'SEC-JOURNAL-HELD',
    requirement: 'clean leaves the folder of a run alone while it goes on.',
    proof: `${DURING} › SEC-JOURNAL-HELD: *`,
  },
  {
    id: 'SEC-JOURNAL-MOVED',
    requirement:
      'A run whose folder, or project, is moved stops and says where it is; its journal is complete there, nothing is made where it was, and moved back it goes on.',
    proof: `${FAULTS} › the folder is moved while a run is going on`,
  },
  {
    id: 'SEC-JOURNAL-CUT',
    requirement:
      'A journal that was cut or written anew while no process held the run is refused by resume and told by audit; only --repair goes on from what is left. No crash looks like that.',
    proof: [
      `${BETWEEN} › SEC-JOURNAL-CUT: *`,
      `${STORE} › the note of how far a journal came`,
      'src/stores/file/journal-writer.test.ts › flush › J4: killed at any moment, every entry whose flush returned is there, and the journal goes on',
    ],
  },
];
