import type { Requirement } from '../ledger.ts';

const HANDED = 'src/compile/dialects.test.ts › compile is handed its dialects';

/** Room for what comes: dialects, one of each thing, a house whose description is true. */
export const room: Requirement[] = [
  {
    id: 'LS-ROOM-DIALECTS',
    requirement:
      'Compile knows no language but its own: it is handed the dialects, which lie in a folder beside it; neither folder imports the other.',
    proof: [
      `${HANDED} › LS-ROOM-DIALECTS: a language of a table that it never saw is compiled as any other`,
      `${HANDED} › LS-ROOM-DIALECTS: handed none, it reads its own language alone and says so`,
      `${HANDED} › LS-ROOM-DIALECTS: the text of a prompt is read by the dialect whose syntax it names, or by none`,
      'test/architecture.test.ts › import rules › LS-ROOM-DIALECTS: compile and dialects may not import each other',
    ],
  },
];
