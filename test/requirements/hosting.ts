import type { Requirement } from '../ledger.ts';

const HOSTING = 'src/hosting/hosting.test.ts';

export const hosting: Requirement[] = [
  {
    id: 'LS-HOSTING-ONE',
    requirement:
      'Runs are made, opened and driven by src/hosting alone: whoever starts, resumes, takes over or ends one goes that way.',
    proof: 'test/architecture.test.ts › LS-HOSTING-ONE: *',
  },
  {
    id: 'LS-HOSTING-WARM',
    requirement:
      'A run kept in hand between calls goes on from what was folded where the journal ends as it was left, and reads nothing; the entries and views that follow are those of a run that was folded anew.',
    proof: [
      `${HOSTING} › a run in hand, with the file store › LS-HOSTING-WARM: *`,
      `${HOSTING} › a run in hand, with the memory store › LS-HOSTING-WARM: *`,
      'src/stores/file/file-store.test.ts › fileStore › journal › LS-HOSTING-WARM: *',
      'src/stores/memory/memory-store.test.ts › memoryStore › journal › LS-HOSTING-WARM: *',
      'src/stores/file/journal-reader.test.ts › the journal › LS-HOSTING-WARM: *',
    ],
  },
  {
    id: 'LS-HOSTING-FOREIGN',
    requirement: 'What another process wrote between two calls is folded before the second.',
    proof: [
      `${HOSTING} › a run in hand, with the file store › LS-HOSTING-FOREIGN: *`,
      `${HOSTING} › a run in hand, with the memory store › LS-HOSTING-FOREIGN: *`,
    ],
  },
  {
    id: 'LS-HOSTING-LEASE',
    requirement:
      'The lease is held for the length of a call and given back however it ends; a call that finds it held is told by whom.',
    proof: [
      `${HOSTING} › a run in hand, with the file store › LS-HOSTING-LEASE: *`,
      `${HOSTING} › a run in hand, with the memory store › LS-HOSTING-LEASE: *`,
    ],
  },
  {
    id: 'LS-HOSTING-OBSERVER',
    requirement: 'One observer is told every entry of a run once, in order, when it is durable.',
    proof: [
      `${HOSTING} › a run in hand, with the file store › LS-HOSTING-OBSERVER: *`,
      `${HOSTING} › a run in hand, with the memory store › LS-HOSTING-OBSERVER: *`,
    ],
  },
];
