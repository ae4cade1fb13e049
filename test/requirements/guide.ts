import type { Requirement } from '../ledger.ts';

const GUIDE = 'src/drivers/guide/guide.test.ts › guide';
const CRASH = 'src/engine/crash.test.ts › a run in the drive guide';

/** The drive in which a client takes the turns; what the server makes of it is in mcp.ts. */
export const guide: Requirement[] = [
  {
    id: 'GUIDE-HANDED',
    requirement:
      'A prompt step of a guided run is handed out, one at a time: it waits in a place of its own, no lease is held, no time counts, and nothing is in doubt after a crash.',
    proof: [
      `${GUIDE} › hands out one step at a time, and the claim of one is the output of that step`,
      `${GUIDE} › hands out the branches of a parallel one by one, and the items of an each`,
      `${CRASH} › no time is spent while a client works`,
      `${CRASH} › a step that a client works on is not in doubt after a crash`,
      'src/engine/places.test.ts › places',
    ],
  },
  {
    id: 'GUIDE-CHECKED',
    requirement:
      'What a client hands in counts only if the checks of the step hold; else the same step comes again with the reasons. Run and guide accept the same work.',
    proof: [
      `${GUIDE} › does not go on where a check says no: the same step comes again, with the reason`,
      `${GUIDE} › takes the answer of a claim where the step has a schema, and the claim itself where the schema describes one`,
      `${CRASH} › comes to the same end as a run that Lockstep drives, step by step`,
    ],
  },
  {
    id: 'GUIDE-ONCE',
    requirement:
      'A claim is journaled once and gives the same answer for ever. One that does not fit is refused on record. Of two clients one wins, and the other is told who.',
    proof: [
      `${GUIDE} › G1: a claim that is handed in again gives the same answer, and is journaled once`,
      `${GUIDE} › refuses, on record, work on a step that is not handed out, and of a try that was never made`,
      `${GUIDE} › G3: of two clients that hand in the same step at once, one is taken and the other is told who that was`,
      `${CRASH} › E4: cut after any entry, it ends the same and no finished step runs twice`,
    ],
  },
  {
    id: 'GUIDE-LONG-CHECK',
    requirement:
      'A check that takes longer than the patience of a call answers `working`, and is started once.',
    proof: `${GUIDE} › G2: answers that it works where a check takes long; the same claim again joins it, and it runs once`,
  },
  {
    id: 'GUIDE-REVIEW',
    requirement:
      'Reviews go to a provider and not to the client that did the work. Without one the start is refused, unless the workflow lets that be; then it is said.',
    proof: `${GUIDE} › a review goes to another agent; where there is none the start is refused, unless the workflow lets that be`,
  },
  {
    id: 'GUIDE-UNCOUNTED',
    requirement: 'Time-outs and limits that cannot be held in a guided run are told at its start.',
    proof: `${GUIDE} › says at the start what it cannot count`,
  },
  {
    id: 'GUIDE-HANDOVER',
    requirement:
      '`lockstep handover` gives a run to another drive at a step boundary, after the same checks as at a start, on record; the end is that of a run that was never handed over.',
    proof: [
      'test/cli/handover.test.ts › GUIDE-HANDOVER: a run changes hands',
      `${CRASH} › handed over in the middle, from one drive to the other and back, it ends as one that never was`,
    ],
  },
];
