import type { Requirement } from '../ledger.ts';

export const bench: Requirement[] = [
  // ── Bench ──
  {
    id: 'LS-BENCH-SEQUENCE-FLOOR',
    requirement:
      '1,000 no-op steps in sequence, durable: at least 0.6 of a bare one-fdatasync-per-step loop (goal: 0.75).',
    proof: 'bench › sequence-floor',
  },
  {
    id: 'LS-BENCH-SEQUENCE-PEER',
    requirement:
      '1,000 no-op steps in sequence, durable: at least three times LangGraph.js with its SQLite checkpointer (goal: four).',
    proof: 'bench › sequence-peer',
  },
  {
    id: 'LS-BENCH-ENGINE',
    requirement:
      'Without fsync a step costs at most 0.45 of a step of the bare loop with fsync (goal: 0.20).',
    proof: 'bench › engine',
  },
  {
    id: 'LS-BENCH-ENGINE-FLAT',
    requirement: '30,000 items cost at most 1.1 times as much per item as 10,000, without fsync.',
    proof: 'bench › engine-flat',
  },
  {
    id: 'LS-BENCH-EACH',
    requirement: '`each` over 10,000 items costs at most 1.05 times as much per item as over 1,000.',
    proof: 'bench › each',
  },
  {
    id: 'LS-BENCH-EACH-MEMORY',
    requirement: '`each` over 10,000 items with 1 KB outputs stays within 130 MB.',
    proof: 'bench › each-memory',
  },
  {
    id: 'LS-BENCH-PARALLEL-PEER',
    requirement: '`parallel` of 100 no-op steps takes at most 0.12 of LangGraph.js (goal: 0.1).',
    proof: 'bench › parallel-peer',
  },
  {
    id: 'LS-BENCH-PARALLEL-FLOOR',
    requirement: '`parallel` of 1,000 no-op steps takes at most 8 times the bare loop (goal: 3).',
    proof: 'bench › parallel-floor',
  },
  {
    id: 'LS-BENCH-RESUME',
    requirement:
      'Resume of a 10,000-step run takes at most 3 times reading and JSON-parsing its journal (goal: 2.5).',
    proof: 'bench › resume',
  },
  {
    id: 'LS-BENCH-SPAWN',
    requirement: 'A `run` step of /bin/true takes at most 2.1 times a bare spawn (goal: 1.3).',
    proof: 'bench › spawn',
  },
  {
    id: 'LS-BENCH-VERSION',
    requirement: '`lockstep --version` takes at most 1.6 times `node -e 0`.',
    proof: 'bench › version',
  },
  {
    id: 'LS-BENCH-VALIDATE',
    requirement: '`validate` of the demo workflow takes at most 8 times `node -e 0` (goal: 4).',
    proof: 'bench › validate',
  },
  {
    id: 'LS-BENCH-GROWTH-ITEMS',
    requirement: '100,000 items cost at most 1.2 times as much per item as 10,000.',
    proof: 'bench › growth-items',
  },
  {
    id: 'LS-BENCH-GROWTH-FILES',
    requirement:
      'A read-only agent step in a repository of 50,000 files costs at most two `git status`, and stalls nothing for more than 80 ms (goal: 50).',
    proof: ['bench › growth-files', 'bench › growth-stall'],
  },
  {
    id: 'LS-BENCH-GROWTH-RUNS',
    requirement: '`lockstep runs` with 2,000 runs takes at most 5 times as long as with 20.',
    proof: 'bench › growth-runs',
  },
  {
    id: 'LS-BENCH-GROWTH-DEFINITION',
    requirement: 'A definition of 4,000 steps costs at most 1.3 times as much per step as one of 400.',
    proof: 'bench › growth-definition',
  },
  {
    id: 'LS-BENCH-AGE',
    requirement:
      'Results of the bench name the commit they were measured on. The ledger refuses those that are older than the code by more than a few commits; where a clone is too shallow to tell, it says so.',
    proof: 'test/bench-results.test.ts › the age of results',
  },
  {
    id: 'LS-BENCH-README',
    requirement: 'The bench writes the table in README.md.',
    proof: 'test/bench-results.test.ts › the table in README.md',
  },
  // ── Speed ──
  {
    id: 'LS-SPEED-NEEDS-ONCE',
    requirement: 'A definition that names others is lowered once, however many layers of names it has.',
    proof: 'src/drivers/run/load.test.ts › *',
  },
  {
    id: 'LS-SPEED-SCHEMA-ONCE',
    requirement: 'Steps that check the same schema at once compile it once.',
    proof: 'src/runtime/schema.test.ts › a schema that 500 steps check at once is compiled once',
  },
  {
    id: 'LS-SPEED-PARALLEL-CEILING',
    requirement: 'A `parallel` without `concurrency` runs at most 256 branches at once.',
    proof: 'src/compile/lower/work.test.ts › a parallel that does not say how many at a time',
  },
  {
    id: 'LS-SPEED-JOURNAL-NOTE',
    requirement:
      'The note of how far a journal came is written when the run waits, once for all steps that ended until then, and when the run is closed or stopped.',
    proof: [
      'src/stores/file/journal-head.test.ts › J5: the note is written as soon as the process waits for something',
      'src/stores/file/journal-head.test.ts › a chain of steps that end at once shares one note, and the last of them is in it',
      'src/stores/file/journal-head.test.ts › J5: closing and settling write what was reached, without waiting',
    ],
  },
  {
    id: 'MCP-BENCH-CONTINUE',
    requirement:
      '`continue_workflow` over stdio, which is durable when it answers, takes at most seven times as long as an echo tool of the same SDK with the same payload (median). Wanted: three times.',
    proof: 'bench › mcp-continue',
  },
  {
    id: 'MCP-BENCH-FLAT',
    requirement: 'The last 100 of 1,000 steps over MCP take at most 1.1 times as long as the first 100.',
    proof: 'bench › mcp-flat',
  },
  {
    id: 'MCP-BENCH-START',
    requirement: '`lockstep mcp` gives its first answer within five times `node -e 0`. Wanted: three times.',
    proof: 'bench › mcp-start',
  },
];
