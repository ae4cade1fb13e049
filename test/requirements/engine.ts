import type { Requirement } from '../ledger.ts';

export const engine: Requirement[] = [
  // ── Engine: verbs ──
  {
    id: 'LS-VERB-PROMPT',
    requirement: '`prompt` by name, text and file gives the agent a task.',
    proof: [
      'src/engine/dispatch.test.ts › prompts',
      'src/runtime/perform/run-agent.test.ts › what the agent is asked',
    ],
  },
  {
    id: 'LS-VERB-RUN-ARGV',
    requirement: '`run` with a list runs a command.',
    proof: [
      'src/runtime/perform/run-command.test.ts › a command',
      "src/engine/dispatch.test.ts › commands › { kind: 'argv', argv: [ 'echo', '{{ inputs.x }}' ] }",
    ],
  },
  {
    id: 'LS-VERB-RUN-SHELL',
    requirement: '`run` with a line runs it in a shell.',
    proof: [
      "src/engine/dispatch.test.ts › commands › { kind: 'shell', line: 'echo {{ inputs.x }}' }",
      'src/runtime/perform/run-command.test.ts › a command › runs in the workspace and gives its output',
    ],
  },
  {
    id: 'LS-VERB-CALL',
    requirement: '`call` with `with` calls a handler.',
    proof: [
      'src/engine/dispatch.test.ts › commands › a handler gets its arguments rendered, types kept',
      'src/runtime/handlers/call-handler.test.ts › every handler',
    ],
  },
  {
    id: 'LS-VERB-WAIT-FILES',
    requirement: '`wait: { files, min, timeout, every }` blocks until enough files are there.',
    proof: 'src/runtime/perform/wait.test.ts › a wait for files',
  },
  {
    id: 'LS-VERB-WAIT-SIGNAL',
    requirement: '`wait: { signal }` blocks until the signal comes; one sent before is kept, once.',
    proof: [
      'src/runtime/perform/wait.test.ts › a wait for a signal',
      'src/drivers/run/run.test.ts › the run drive › a signal sent before its wait is kept, and serves one wait',
    ],
  },
  {
    id: 'LS-VERB-WAIT-FOR',
    requirement: '`wait: { for }` blocks for a time, across a restart too.',
    proof: [
      'src/runtime/perform/wait.test.ts › a wait for a time',
      'src/engine/dispatch.test.ts › waits › E4: a wait and a delay that a crash cut short go on from when they began',
    ],
  },
  {
    id: 'LS-VERB-ASK',
    requirement: '`ask` with `choices` is answered by a person.',
    proof: 'src/engine/acceptance.test.ts › people',
  },
  {
    id: 'LS-VERB-WORKFLOW',
    requirement: '`workflow` with `with` runs another workflow in its own scope.',
    proof: [
      'src/engine/order.test.ts › order › rule 1: a called workflow sees its inputs only, and its caller its outputs',
      'src/engine/order.test.ts › order › a called workflow whose input is of the wrong type fails the step with exit code 2',
    ],
  },
  {
    id: 'LS-VERB-STEPS',
    requirement: '`steps` alone is a sequence.',
    proof:
      'src/engine/order.test.ts › order › rule 2: steps.x shows the result, and a sequence has the value of the last step that ran',
  },
  {
    id: 'LS-VERB-PARALLEL',
    requirement: '`steps` with `parallel: true` runs all at once, with `concurrency` so many.',
    proof: [
      'src/engine/fan.test.ts › parallel (rule 6)',
      'src/drivers/run/run.test.ts › the run drive › R1: branches advance as their effects complete, whatever the order',
    ],
  },
  {
    id: 'LS-VERB-LOOP-WHILE',
    requirement: '`loop: { while, max }` tests before each pass.',
    proof:
      'src/engine/fan.test.ts › loop (rule 5) › while is tested before each pass: false at once means no pass',
  },
  {
    id: 'LS-VERB-LOOP-UNTIL',
    requirement: '`loop: { until, max }` tests after each pass.',
    proof: 'src/engine/fan.test.ts › loop (rule 5) › until is tested after each pass and sees the body',
  },
  {
    id: 'LS-VERB-EACH',
    requirement: '`each: x in list` runs its steps per item, with `concurrency` so many at once.',
    proof: 'src/engine/fan.test.ts › each (rules 1, 2, 6)',
  },
  {
    id: 'LS-VERB-EACH-DEPENDENCIES',
    requirement: '`order: dependencies` runs items after those they depend on, and names a circle.',
    proof: 'src/engine/fan.test.ts › each (rules 1, 2, 6) › order: dependencies *',
  },
  {
    id: 'LS-VERB-NESTED',
    requirement: 'Verbs nest freely.',
    proof: [
      'src/engine/crash.test.ts › any workflow',
      'test/crash/cut.test.ts › a finished journal with every verb › ran every verb to its end',
    ],
  },
  // ── Engine: refused until their issue comes ──
  {
    id: 'LS-REFUSED-GATES',
    requirement: '`gates` is parsed, checked and refused at run with a message that names it.',
    proof: [
      'src/compile/compile.test.ts › what only a live session can do › is accepted, and named with its place',
      'src/drivers/run/run.test.ts › the run drive › refuses what needs a live session, before anything is made',
    ],
  },
  {
    id: 'LS-REFUSED-EVENTS',
    requirement: '`events` is parsed, checked and refused at run with a message that names it.',
    proof: [
      'src/compile/compile.test.ts › what only a live session can do › is accepted, and named with its place',
      'src/drivers/run/run.test.ts › the run drive › refuses what needs a live session, before anything is made',
    ],
  },
  {
    id: 'LS-REFUSED-SAY',
    requirement: '`say` is parsed, checked and refused at run with a message that names it.',
    proof: [
      'src/compile/compile.test.ts › what only a live session can do › is accepted, and named with its place',
      'src/drivers/run/run.test.ts › the run drive › refuses what needs a live session, before anything is made',
    ],
  },
  {
    id: 'LS-REFUSED-RULES',
    requirement: '`rules` is parsed, checked and refused at run with a message that names it.',
    proof: [
      'src/compile/compile.test.ts › what only a live session can do › is accepted, and named with its place',
      'src/drivers/run/run.test.ts › the run drive › refuses what needs a live session, before anything is made',
    ],
  },
  {
    id: 'LS-REFUSED-SESSION-VALUES',
    requirement: '`session.*` is parsed, checked and refused at run with a message that names it.',
    proof: [
      'src/compile/compile.test.ts › what only a live session can do › is accepted, and named with its place',
      'src/drivers/run/run.test.ts › the run drive › refuses what needs a live session, before anything is made',
    ],
  },
  {
    id: 'LS-REFUSED-SESSION-HANDLERS',
    requirement:
      'The session handlers are parsed, checked and refused at run with a message that names them.',
    proof: [
      'src/compile/compile.test.ts › what only a live session can do › is accepted, and named with its place',
      'src/drivers/run/run.test.ts › the run drive › refuses what needs a live session, before anything is made',
    ],
  },
  // ── Invariants of the architecture ──
  {
    id: 'LS-INV-J1',
    requirement: 'J1: the journal is the only truth; everything shown is a fold of it.',
    proof: [
      'src/views/outline.test.ts › the outline of a run › J1: shows every step with its status, tries, figures and reasons',
      'src/views/stories.test.ts › recorded journals',
      'test/cli/runs.test.ts › runs › LS-CLI-RUNS: J1: without its view a run is read from its journal, and a broken one does not hide the others',
    ],
  },
  {
    id: 'LS-INV-J2',
    requirement: 'J2: an entry is durable before any effect or report that depends on it.',
    proof: [
      'src/drivers/run/run.test.ts › the run drive › J2: an attempt is durable before its effect starts, and its end before the next one shows',
      'src/stores/file/journal-writer.test.ts › flush › J2: is one write and one fdatasync however much was appended, *',
    ],
  },
  {
    id: 'LS-INV-J3',
    requirement: 'J3: one writer per run.',
    proof: [
      'src/stores/file/lease.test.ts › a lease',
      'src/stores/file/lease.test.ts › many processes',
      'src/stores/file/file-store.test.ts › fileStore › lease',
    ],
  },
  {
    id: 'LS-INV-J4',
    requirement:
      'J4: a torn last line is cut and reported; a whole line that does not verify stops the run with the offset; audit finds an edit.',
    proof: [
      'src/stores/file/journal-reader.test.ts › the journal',
      'test/cli/runs.test.ts › audit › LS-CLI-AUDIT-VERIFY: J4: a changed byte is found, with its offset, and exits 1',
    ],
  },
  {
    id: 'LS-INV-E1',
    requirement: 'E1: fold and decide depend on their arguments only.',
    proof: [
      'src/engine/order.test.ts › values of the world › E1: files() enters as an observation, and is asked for only when the answer depends on it',
      'test/architecture.test.ts › purity rules',
    ],
  },
  {
    id: 'LS-INV-E2',
    requirement: 'E2: the cost of one step does not depend on how many went before it.',
    proof: [
      'src/engine/fan.test.ts › each (rules 1, 2, 6) › E2: state does not grow with finished passes beyond their outputs',
      'src/views/outline.test.ts › the weight of an outline › E2: stays small over 10,000 items, with exact totals and a bounded number of failures kept',
    ],
  },
  {
    id: 'LS-INV-E3',
    requirement: 'E3: same workflow and journal, same commands in the same order.',
    proof:
      'src/engine/crash.test.ts › crash and resume › E3: the same workflow and journal give the same commands in the same order',
  },
  {
    id: 'LS-INV-E4',
    requirement: 'E4: any crash point yields the same end as not crashing, and no finished step runs twice.',
    proof: [
      'src/engine/crash.test.ts › crash and resume › E4: *',
      'src/engine/crash.test.ts › any workflow › E4: ends the same wherever it is cut, in whichever order branches finish',
      'test/crash/cut.test.ts › a finished journal with every verb',
    ],
  },
  {
    id: 'LS-INV-R1',
    requirement: 'R1: one await point.',
    proof:
      'src/drivers/run/run.test.ts › the run drive › R1: branches advance as their effects complete, whatever the order',
  },
  {
    id: 'LS-INV-S1',
    requirement: 'S1: no step is left out without an entry that says why and on whose word.',
    proof: [
      'src/engine/order.test.ts › order › S1: leaves a step out only with an entry that says why and on whose word',
      'src/views/audit.test.ts › the audit › S1: names every skip with its reason, and every override with who said so',
    ],
  },
  {
    id: 'LS-INV-S2',
    requirement: 'S2: a workflow is pinned at start; editing files never changes this run.',
    proof:
      'src/drivers/run/run.test.ts › the run drive › S2: a run is resumed from what was pinned, whatever the definition says by then',
  },
  {
    id: 'LS-INV-S3',
    requirement: 'S3: no secret value reaches a journal, log, state, prompt copy, event or page.',
    proof: [
      'src/drivers/run/run.test.ts › the run drive › S3: *',
      'src/runtime/mask.test.ts › spellings',
      'src/runtime/mask.test.ts › streams',
    ],
  },
  {
    id: 'LS-INV-S4',
    requirement:
      'S4: no path the engine resolves leaves the workspace: absolute, `..`, or through a symlink.',
    proof: [
      'src/workspaces/boundary.test.ts',
      'src/workspaces/files.test.ts › S4: somebody swaps what is on the way while it is used',
      'src/drivers/run/run.test.ts › the run drive › S4: files() outside the workspace fails the step, once',
    ],
  },
  {
    id: 'LS-INV-S5',
    requirement: 'S5: output of any size streams through bounded memory.',
    proof: [
      'src/runtime/perform/run-command.test.ts › output › S5: LS-OUTPUT-MEMORY: gigabytes leave memory flat',
      'src/system/processes.test.ts › many and much › S5: *',
    ],
  },
  {
    id: 'LS-ENGINE-PLACES',
    requirement:
      'Which places a step can be in and what moves it is one table; nothing else changes a place, and a move that the table does not have is an error.',
    proof: 'src/engine/places.test.ts',
  },
  {
    id: 'LS-ENGINE-ELAPSED',
    requirement: 'Run time counts only while something is ready or running.',
    proof: 'src/engine/time.test.ts',
  },
  {
    id: 'LS-TOLD',
    requirement:
      'Whoever looks on is told of every durable entry, once and in order. That attempts started and finished may be told while the next command comes up, but never after what it prints, nor later where a step, a record or a child depends on it.',
    proof: 'src/hosting/told-order.test.ts',
  },
  {
    id: 'LS-ENGINE-LOOKS',
    requirement:
      'Looks at the workspace that go on at once are decided about in the order in which they began.',
    proof: 'src/hosting/look-order.test.ts',
  },
];
