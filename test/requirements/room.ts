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
  {
    id: 'LS-ROOM-HOUSE',
    requirement:
      'docs/ARCHITECTURE.md is the house as it is: folders, what each may import, and one run, one tool call and one diagnostic walked through the files in order.',
    proof: 'test/architecture-docs.test.ts › docs/ARCHITECTURE.md › LS-ROOM-HOUSE:*',
  },
  {
    id: 'LS-ROOM-ONE',
    requirement:
      'What several stages need is there once: closest name, circles among needs, quoting for a shell, what an agent can, a default step in tests.',
    proof: [
      'src/text/closest-name.test.ts › closest',
      'src/model/needs.test.ts › orderByNeeds',
      'src/compile/lower/step.test.ts › rule 12: defaults › rule 12: a step that tests build by hand has the same defaults',
      'test/capabilities.test.ts › AG-GUARD-TABLE: what an agent says it can is what the table says',
    ],
  },
];
