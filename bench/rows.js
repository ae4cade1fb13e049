// rows: what is measured, what it is held against, and the bar. A ratio is taken within one round, where both sides
// met the same machine; the row shows the median of the rounds.

const floor = './workloads/floor.js';
const langgraph = './workloads/langgraph.js';
const lockstep = './.build/lockstep-adapter.mjs';
const hook = './workloads/hook.js';
const mcp = './workloads/mcp.js';
const thousand = { steps: 1_000, warm: {} };

/** name → how: a workload in a process of its own, or a command line that is timed from outside. */
export const measurements = {
  'loop, 1,000 in sequence': { workload: [floor, 'sequence', thousand] },
  'loop, 1,000 at once': { workload: [floor, 'parallel', thousand] },
  'LangGraph, 1,000 in sequence': { workload: [langgraph, 'sequence', thousand] },
  'LangGraph, 100 at once': { workload: [langgraph, 'parallel', { steps: 100, warm: {} }] },
  'spawn, 200 times': { workload: [floor, 'spawns', { steps: 200, warm: { steps: 20 } }] },
  'Lockstep, 1,000 in sequence': { workload: [lockstep, 'sequence', thousand] },
  'Lockstep, 1,000 in sequence, no fsync': {
    workload: [lockstep, 'sequence', { ...thousand, fsync: false }],
  },
  'Lockstep, each of 10,000, no fsync': {
    workload: [lockstep, 'each', { steps: 10_000, fsync: false, warm: { steps: 1_000 } }],
  },
  'Lockstep, each of 30,000, no fsync': {
    workload: [lockstep, 'each', { steps: 30_000, fsync: false, warm: { steps: 1_000 } }],
  },
  'Lockstep, each of 1,000, ten times': {
    workload: [lockstep, 'each', { steps: 1_000, repeat: 10, warm: { repeat: 1 } }],
  },
  'Lockstep, each of 10,000': { workload: [lockstep, 'each', { steps: 10_000, warm: { steps: 1_000 } }] },
  'Lockstep, 100 at once': { workload: [lockstep, 'parallel', { steps: 100, warm: {} }] },
  'Lockstep, 1,000 at once': { workload: [lockstep, 'parallel', thousand] },
  'Lockstep, resume of 10,000 steps': { workload: [lockstep, 'resume', { steps: 10_000 }] },
  'Lockstep, /bin/true 200 times': { workload: [lockstep, 'spawns', { steps: 200, warm: { steps: 20 } }] },
  'Lockstep, each of 100,000, no fsync': {
    workload: [lockstep, 'each', { steps: 100_000, fsync: false, warm: { steps: 1_000 } }],
  },
  'Lockstep, agent steps beside 50,000 files': {
    workload: [lockstep, 'besideFiles', { steps: 10, files: 50_000 }],
  },
  'Lockstep, definition of 400': { workload: [lockstep, 'definition', { steps: 400, warm: {} }] },
  'Lockstep, definition of 4,000': { workload: [lockstep, 'definition', { steps: 4_000, warm: {} }] },
  'lockstep runs, of 20': {
    command: ['../../dist/lockstep.js', 'runs', '--limit', '5000', '--state-dir', 'runs'],
    cwd: '.runs-20',
    needs: [lockstep, 'manyRuns', { runs: 20, steps: 20 }],
  },
  'lockstep runs, of 2,000': {
    command: ['../../dist/lockstep.js', 'runs', '--limit', '5000', '--state-dir', 'runs'],
    cwd: '.runs-2000',
    needs: [lockstep, 'manyRuns', { runs: 2_000, steps: 20 }],
  },
  'lockstep mcp, 1,000 steps': { workload: [mcp, 'walk', { steps: 1_000 }] },
  'lockstep mcp, first answer': { workload: [mcp, 'start', { times: 11 }] },
  'hook, line of shell': { workload: [hook, 'shell', { times: 61 }] },
  'hook, warm daemon': { workload: [hook, 'warm', { times: 31 }] },
  'hook, cold': { workload: [hook, 'cold', { times: 7 }] },
  'node -e 0': { command: ['-e', '0'] },
  'lockstep --version': { command: ['../dist/lockstep.js', '--version'] },
  'lockstep validate': {
    command: ['../../dist/lockstep.js', 'validate', 'spec-implementation'],
    cwd: '.demo',
  },
};

const perStep = (one, other) => one.perStep / other.perStep;

/**
 * `of` names the measurements that `ratio` gets, from one round. `most` and `least` are the bar, below which nothing may fall
 * unnoticed; `goal` is what we want, where it is not reached yet.
 */
export const rows = [
  {
    id: 'sequence-floor',
    what: '1,000 no-op steps in sequence, durable: speed against a loop with one fdatasync per step',
    least: 0.6,
    goal: 0.75,
    of: ['loop, 1,000 in sequence', 'Lockstep, 1,000 in sequence'],
    ratio: perStep,
  },
  {
    id: 'sequence-peer',
    what: '  … speed against LangGraph.js with its SQLite checkpointer (which does not flush per step)',
    least: 3,
    goal: 4,
    of: ['LangGraph, 1,000 in sequence', 'Lockstep, 1,000 in sequence'],
    ratio: perStep,
  },
  {
    id: 'engine',
    what: 'the same without fsync: time per step against a step of the loop with fsync',
    most: 0.45,
    goal: 0.2,
    of: ['Lockstep, 1,000 in sequence, no fsync', 'loop, 1,000 in sequence'],
    ratio: perStep,
  },
  {
    id: 'engine-flat',
    what: '  … each over 30,000 items against 10,000, per item',
    most: 1.1,
    of: ['Lockstep, each of 30,000, no fsync', 'Lockstep, each of 10,000, no fsync'],
    ratio: perStep,
  },
  {
    id: 'each',
    what: 'each over 10,000 items against 1,000, per item, durable',
    most: 1.05,
    of: ['Lockstep, each of 10,000', 'Lockstep, each of 1,000, ten times'],
    ratio: perStep,
  },
  {
    id: 'each-memory',
    what: '  … peak memory over 10,000 items with outputs of 1 KB, in MB',
    most: 130,
    of: ['Lockstep, each of 10,000'],
    ratio: ({ rss }) => rss / 1e6,
  },
  {
    id: 'parallel-peer',
    what: 'parallel of 100 no-op steps against LangGraph.js',
    most: 0.12,
    goal: 0.1,
    of: ['Lockstep, 100 at once', 'LangGraph, 100 at once'],
    ratio: perStep,
  },
  {
    id: 'parallel-floor',
    what: 'parallel of 1,000 no-op steps against the loop (two flushes in all)',
    most: 8,
    goal: 3,
    of: ['Lockstep, 1,000 at once', 'loop, 1,000 at once'],
    ratio: perStep,
  },
  {
    id: 'resume',
    what: 'resume of a 10,000-step run (load, verify, fold) against reading and JSON-parsing its journal',
    most: 2.5,
    of: ['Lockstep, resume of 10,000 steps'],
    ratio: ({ ms, parseMs }) => ms / parseMs,
  },
  {
    id: 'spawn',
    what: 'a `run` step of /bin/true against a bare spawn',
    most: 2.1,
    // The one flush of a step is 0.12 of it by itself.
    goal: 1.3,
    of: ['Lockstep, /bin/true 200 times', 'spawn, 200 times'],
    ratio: perStep,
  },
  {
    id: 'version',
    what: '`lockstep --version` against `node -e 0`',
    most: 1.6,
    of: ['lockstep --version', 'node -e 0'],
    ratio: perStep,
  },
  {
    id: 'validate',
    what: '`lockstep validate` of the demo workflow against `node -e 0`',
    most: 8,
    goal: 4,
    of: ['lockstep validate', 'node -e 0'],
    ratio: perStep,
  },
  {
    id: 'mcp-continue',
    what: '`continue_workflow` over stdio against an echo tool of the same SDK with the same payload, median',
    most: 7,
    // A call is one flush and about 110 system calls; it makes three files (lease, two logs) and a folder, and removes the lease
    // before. A fifth of the server's processor time was ext4's search for an inode past those removed in the last seconds.
    goal: 3,
    of: ['lockstep mcp, 1,000 steps'],
    ratio: ({ perStep, echoMs }) => perStep / echoMs,
  },
  {
    id: 'mcp-flat',
    what: '  … the last 100 of 1,000 steps against the first 100',
    most: 1.1,
    of: ['lockstep mcp, 1,000 steps'],
    ratio: ({ first, last }) => last / first,
  },
  {
    id: 'mcp-start',
    what: '`lockstep mcp` from its start to its first answer against `node -e 0`',
    most: 5,
    // A bare server of the same SDK, bundled as this one is and with its compiled code kept, needs 2.9 to 3.2 of processor time.
    goal: 3,
    of: ['lockstep mcp, first answer', 'node -e 0'],
    ratio: perStep,
  },
  {
    id: 'hook-shell',
    what: 'a hook where no workflow binds the session (a line of shell) against `/bin/true`',
    most: 6,
    of: ['hook, line of shell'],
    ratio: ({ perStep }) => perStep,
  },
  {
    id: 'hook-warm',
    what: 'a hook of a bound session, answered by a warm daemon, against `node -e 0`',
    most: 1.6,
    of: ['hook, warm daemon'],
    ratio: ({ perStep }) => perStep,
  },
  {
    id: 'hook-cold',
    what: '  … and the first one, which starts the daemon',
    most: 10,
    of: ['hook, cold'],
    ratio: ({ perStep }) => perStep,
  },
  {
    id: 'growth-items',
    what: 'each over 100,000 items against 10,000, per item, without fsync',
    most: 1.2,
    of: ['Lockstep, each of 100,000, no fsync', 'Lockstep, each of 10,000, no fsync'],
    ratio: perStep,
  },
  {
    id: 'growth-files',
    what: 'a read-only agent step in a repository of 50,000 files against one `git status`',
    most: 2,
    of: ['Lockstep, agent steps beside 50,000 files'],
    ratio: ({ perStep, statusMs }) => perStep / statusMs,
  },
  {
    id: 'growth-stall',
    what: '  … the longest time that its event loop stood still, in ms',
    most: 50,
    of: ['Lockstep, agent steps beside 50,000 files'],
    ratio: ({ stallMs }) => stallMs,
  },
  {
    id: 'growth-runs',
    what: '`lockstep runs` with 2,000 runs against the same with 20',
    most: 5,
    of: ['lockstep runs, of 2,000', 'lockstep runs, of 20'],
    ratio: perStep,
  },
  {
    id: 'growth-definition',
    what: 'reading and checking a definition of 4,000 steps against one of 400, per step',
    // Small definitions became four times as fast and large ones twice: what is left of a large one is garbage collection.
    most: 1.6,
    of: ['Lockstep, definition of 4,000', 'Lockstep, definition of 400'],
    ratio: perStep,
  },
];
