import type { Requirement } from '../ledger.ts';

export const realAgents: Requirement[] = [
  // ── The guard ──
  {
    id: 'AG-GUARD-LISTS',
    requirement:
      'Rule 8: deny wins over allow, `[]` is none; patterns count for every command of a shell line, for paths as spelt and as linked, for MCP tools; our own control tools are never filtered.',
    proof: 'src/engine/guard.test.ts › AG-GUARD-LISTS: rule 8: the lists',
  },
  {
    id: 'AG-GUARD-RULES',
    requirement:
      'Rule 9: block, ask, warn and rewrite, in order, after the lists; what cannot be evaluated blocks in a block rule and is recorded elsewhere.',
    proof: 'src/engine/guard.test.ts › AG-GUARD-RULES: rule 9: the rules',
  },
  {
    id: 'AG-GUARD-RUN',
    requirement: '`tools` and `rules` bind in the run drive, and what they deny is on record.',
    proof: 'test/cli/guard.test.ts › AG-GUARD-RUN: rules in a run',
  },
  {
    id: 'AG-GUARD-FACTS',
    requirement: 'The facts of a session (files read and modified, calls, errors) are kept for its rules.',
    proof: 'src/runtime/perform/tool-guard.test.ts › AG-GUARD-FACTS: what a session knows',
  },
  {
    id: 'AG-GUARD-DOOR',
    requirement:
      'A hook, a process of its own, asks the run over a private socket: in parallel, with payloads of any size.',
    proof: 'src/system/hook-door.test.ts › AG-GUARD-DOOR: a hook that knocks',
  },
  {
    id: 'AG-GUARD-CLOSED',
    requirement: 'A hook that nobody answers denies.',
    proof:
      'src/system/hook-door.test.ts › AG-GUARD-CLOSED: H1: a hook that nobody answers ends with exit code 2',
  },
  {
    id: 'AG-GUARD-SWEPT',
    requirement: 'What a killed run leaves of its doors is removed by the next, and on resume.',
    proof: [
      'src/system/hook-door.test.ts › the folder of a door › AG-GUARD-SWEPT: H4: what a killed process left is removed by the next; what lives stays',
      'test/cli/guard.test.ts › AG-GUARD-SWEPT: a resume removes the doors that killed runs have left',
    ],
  },
  {
    id: 'AG-GUARD-UNENFORCEABLE',
    requirement:
      'A rule that the chosen client cannot enforce is a load error, or with `guard.unenforceable: warn` on record; where the client is found only then, before anything is made.',
    proof: [
      'src/compile/check/enforceable.test.ts › AG-GUARD-UNENFORCEABLE: what the chosen client cannot be held to',
      'test/cli/guard.test.ts › AG-GUARD-UNENFORCEABLE: what the chosen client cannot be held to',
    ],
  },
  {
    id: 'AG-GUARD-READ-ONLY',
    requirement:
      'Reviewers are read-only in fact: a change that git shows fails the step, and names the files.',
    proof: 'test/cli/guard.test.ts › AG-GUARD-READ-ONLY: who has no tool to write with is held to reading',
  },
  {
    id: 'AG-GUARD-TABLE',
    requirement: 'A table says which client can enforce what: in the docs, and as the agents themselves say.',
    proof: [
      'test/capabilities.test.ts › AG-GUARD-TABLE: the table in docs/agents.md is the data',
      'test/capabilities.test.ts › AG-GUARD-TABLE: what an agent says it can is what the table says',
    ],
  },
];
