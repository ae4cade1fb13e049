import type { Requirement } from '../ledger.ts';

export const engine: Requirement[] = [
  // ── Engine: verbs ──
  { id: 'LS-VERB-PROMPT', requirement: '`prompt` by name, text and file gives the agent a task.', proof: [] },
  { id: 'LS-VERB-RUN-ARGV', requirement: '`run` with a list runs a command.', proof: [] },
  { id: 'LS-VERB-RUN-SHELL', requirement: '`run` with a line runs it in a shell.', proof: [] },
  { id: 'LS-VERB-CALL', requirement: '`call` with `with` calls a handler.', proof: [] },
  {
    id: 'LS-VERB-WAIT-FILES',
    requirement: '`wait: { files, min, timeout, every }` blocks until enough files are there.',
    proof: [],
  },
  {
    id: 'LS-VERB-WAIT-SIGNAL',
    requirement: '`wait: { signal }` blocks until the signal comes; one sent before is kept, once.',
    proof: [],
  },
  {
    id: 'LS-VERB-WAIT-FOR',
    requirement: '`wait: { for }` blocks for a time, across a restart too.',
    proof: [],
  },
  { id: 'LS-VERB-ASK', requirement: '`ask` with `choices` is answered by a person.', proof: [] },
  {
    id: 'LS-VERB-WORKFLOW',
    requirement: '`workflow` with `with` runs another workflow in its own scope.',
    proof: [],
  },
  { id: 'LS-VERB-STEPS', requirement: '`steps` alone is a sequence.', proof: [] },
  {
    id: 'LS-VERB-PARALLEL',
    requirement: '`steps` with `parallel: true` runs all at once, with `concurrency` so many.',
    proof: [],
  },
  { id: 'LS-VERB-LOOP-WHILE', requirement: '`loop: { while, max }` tests before each pass.', proof: [] },
  { id: 'LS-VERB-LOOP-UNTIL', requirement: '`loop: { until, max }` tests after each pass.', proof: [] },
  {
    id: 'LS-VERB-EACH',
    requirement: '`each: x in list` runs its steps per item, with `concurrency` so many at once.',
    proof: [],
  },
  {
    id: 'LS-VERB-EACH-DEPENDENCIES',
    requirement: '`order: dependencies` runs items after those they depend on, and names a circle.',
    proof: [],
  },
  { id: 'LS-VERB-NESTED', requirement: 'Verbs nest freely.', proof: [] },
  // ── Engine: refused until their issue comes ──
  {
    id: 'LS-REFUSED-GATES',
    requirement: '`gates` is parsed, checked and refused at run with a message that names it.',
    proof: [],
  },
  {
    id: 'LS-REFUSED-TRACKER',
    requirement:
      'The tracker handlers are parsed, checked and refused at run with a message that names them.',
    proof: [],
  },
  {
    id: 'LS-REFUSED-WORKTREE',
    requirement: '`workspace: worktree` is parsed, checked and refused at run with a message that names it.',
    proof: [],
  },
  {
    id: 'LS-REFUSED-EVENTS',
    requirement: '`events` is parsed, checked and refused at run with a message that names it.',
    proof: [],
  },
  {
    id: 'LS-REFUSED-SAY',
    requirement: '`say` is parsed, checked and refused at run with a message that names it.',
    proof: [],
  },
  {
    id: 'LS-REFUSED-RULES',
    requirement: '`rules` is parsed, checked and refused at run with a message that names it.',
    proof: [],
  },
  {
    id: 'LS-REFUSED-SESSION-VALUES',
    requirement: '`session.*` is parsed, checked and refused at run with a message that names it.',
    proof: [],
  },
  {
    id: 'LS-REFUSED-SESSION-HANDLERS',
    requirement:
      'The session handlers are parsed, checked and refused at run with a message that names them.',
    proof: [],
  },
  // ── Invariants of the architecture ──
  {
    id: 'LS-INV-J1',
    requirement: 'J1: the journal is the only truth; everything shown is a fold of it.',
    proof: [],
  },
  {
    id: 'LS-INV-J2',
    requirement: 'J2: an entry is durable before any effect or report that depends on it.',
    proof: [],
  },
  { id: 'LS-INV-J3', requirement: 'J3: one writer per run.', proof: [] },
  {
    id: 'LS-INV-J4',
    requirement:
      'J4: a torn last line is cut and reported; a whole line that does not verify stops the run with the offset; audit finds an edit.',
    proof: [],
  },
  { id: 'LS-INV-E1', requirement: 'E1: fold and decide depend on their arguments only.', proof: [] },
  {
    id: 'LS-INV-E2',
    requirement: 'E2: the cost of one step does not depend on how many went before it.',
    proof: [],
  },
  {
    id: 'LS-INV-E3',
    requirement: 'E3: same workflow and journal, same commands in the same order.',
    proof: [],
  },
  {
    id: 'LS-INV-E4',
    requirement: 'E4: any crash point yields the same end as not crashing, and no finished step runs twice.',
    proof: [],
  },
  { id: 'LS-INV-R1', requirement: 'R1: one await point.', proof: [] },
  {
    id: 'LS-INV-S1',
    requirement: 'S1: no step is left out without an entry that says why and on whose word.',
    proof: [],
  },
  {
    id: 'LS-INV-S2',
    requirement: 'S2: a workflow is pinned at start; editing files never changes this run.',
    proof: [],
  },
  {
    id: 'LS-INV-S3',
    requirement: 'S3: no secret value reaches a journal, log, state, prompt copy, event or page.',
    proof: [],
  },
  {
    id: 'LS-INV-S4',
    requirement:
      'S4: no path the engine resolves leaves the workspace: absolute, `..`, or through a symlink.',
    proof: [],
  },
  { id: 'LS-INV-S5', requirement: 'S5: output of any size streams through bounded memory.', proof: [] },
];
