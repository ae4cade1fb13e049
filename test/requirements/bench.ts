import type { Requirement } from '../ledger.ts';

export const bench: Requirement[] = [
  // ── Bench ──
  {
    id: 'LS-BENCH-SEQUENCE-FLOOR',
    requirement:
      '1,000 no-op steps in sequence, durable: at least 0.65 of a bare one-fdatasync-per-step loop.',
    proof: 'bench › sequence-floor',
  },
  {
    id: 'LS-BENCH-SEQUENCE-PEER',
    requirement:
      '1,000 no-op steps in sequence, durable: at least twice LangGraph.js with its SQLite checkpointer.',
    proof: 'bench › sequence-peer',
  },
  {
    id: 'LS-BENCH-ENGINE',
    requirement: 'Without fsync a step costs at most 0.25 of a step of the bare loop with fsync.',
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
    requirement: '`parallel` of 100 no-op steps takes at most a tenth of LangGraph.js.',
    proof: 'bench › parallel-peer',
  },
  {
    id: 'LS-BENCH-PARALLEL-FLOOR',
    requirement: '`parallel` of 1,000 no-op steps takes at most 4 times the bare loop.',
    proof: 'bench › parallel-floor',
  },
  {
    id: 'LS-BENCH-RESUME',
    requirement: 'Resume of a 10,000-step run takes at most 2.5 times reading and JSON-parsing its journal.',
    proof: 'bench › resume',
  },
  {
    id: 'LS-BENCH-SPAWN',
    requirement: 'A `run` step of /bin/true takes at most 1.4 times a bare spawn.',
    proof: 'bench › spawn',
  },
  {
    id: 'LS-BENCH-VERSION',
    requirement: '`lockstep --version` takes at most 1.6 times `node -e 0`.',
    proof: 'bench › version',
  },
  {
    id: 'LS-BENCH-VALIDATE',
    requirement: '`validate` of the demo workflow takes at most 5 times `node -e 0`.',
    proof: 'bench › validate',
  },
];
