import type { Requirement } from '../ledger.ts';

// SPEC-000044 in its own numbers, which its second text replaces in part (wrangler-47.ts). The slash command of FR-012
// comes with the MCP server. ERR are the rows of its error table, ESC the steps of its escalation protocol, LAUNCH
// its launch criteria, each in the order they stand there.

/** Any test that names the requirement. */
const named = (id: string, requirement: string): Requirement => ({ id, requirement, proof: `*${id}*` });

export const wrangler44: Requirement[] = [
  named('WR44-FR-001', 'A workflow in YAML is taken and run the same way every time.'),
  named('WR44-FR-002', 'Every task for an agent is a session of its own, which knows nothing of the others.'),
  {
    id: 'WR44-FR-003',
    requirement: 'What an agent answers is held against the schema that its file names.',
    proof: ['*WR44-LAUNCH-5*', '*WR44-ERR-1*'],
  },
  {
    id: 'WR44-FR-004',
    requirement: 'A loop ends after `maxRetries` passes, counted by the engine, and then escalates.',
    proof: ['*WR44-LAUNCH-3*', '*LS-WRFIX-ESCALATE*'],
  },
  {
    id: 'WR44-FR-005',
    requirement: 'What a step came to is on disk before the next one starts.',
    proof: '*WR44-LAUNCH-4*',
  },
  {
    id: 'WR44-FR-006',
    requirement: 'A run that was killed or interrupted goes on from there.',
    proof: '*WR44-LAUNCH-4*',
  },
  {
    id: 'WR44-FR-007',
    requirement: 'Every step that starts, ends or is left out is an entry of the audit trail.',
    proof: '*WR44-NFR-observability*',
  },
  named(
    'WR44-FR-008',
    'Agents that a run starts have the tracker and their own session, over MCP, with every client, where their tools name them.',
  ),
  {
    id: 'WR44-FR-009',
    requirement:
      'What blocks an agent, or a loop that is used up, pauses the run and is put before a person.',
    proof: ['*WR44-ERR-7*', '*WR44-ERR-3*'],
  },
  named('WR44-FR-010', '`--dry-run` does analyze and plan, and nothing else.'),
  named(
    'WR44-FR-011',
    'A final report has test results, the TDD certification, the outcome of the reviews and the files changed.',
  ),
  named('WR44-FR-012', 'It is started from a command line, through npx too.'),
  {
    id: 'WR44-FR-013',
    requirement: 'A `gate-group` finds its gates as Markdown files in a folder.',
    proof: ['*WR44-LAUNCH-2*', '*WR44-LAUNCH-6*'],
  },
  {
    id: 'WR44-FR-014',
    requirement: 'A new gate is a new Markdown file, and nothing else.',
    proof: '*WR44-LAUNCH-6*',
  },
  named('WR44-FR-015', 'Workflows are YAML files in a folder `workflows/`.'),

  {
    id: 'WR44-NFR-performance',
    requirement: 'Between two phases the engine takes less than five seconds.',
    // Speed is measured, not tested: 1,000 steps take less than a second there.
    proof: ['bench › sequence-floor', 'bench › sequence-peer'],
  },
  {
    id: 'WR44-NFR-reliability',
    requirement: 'Nothing is lost when the process is killed: each phase is on disk before the next.',
    proof: ['*WR44-LAUNCH-4*', 'test/crash/kill.test.ts'],
  },
  named('WR44-NFR-security', 'No key and no secret is in a prompt.'),
  named(
    'WR44-NFR-observability',
    'Every start, end and failure of a step is on record with its time and what it was.',
  ),
  {
    id: 'WR44-NFR-compatibility',
    requirement: 'It works with the Claude Agent SDK.',
    proof: [
      'src/agents/claude/claude-agent.test.ts › sdk › agent contract: claude, sdk',
      'e2e/scenarios/spec-implementation.test.ts › a specification becomes a branch: work that is sent back, a review that rejects, a fix, real commits',
    ],
  },
  named('WR44-NFR-testing', 'More than 80 % of the orchestration is covered by tests.'),

  named(
    'WR44-ERR-1',
    'An answer of the wrong shape is sent back once with what is wrong; then the phase has failed.',
  ),
  named('WR44-ERR-2', 'An agent that uses up its turns has timed out; the run is resumed from there.'),
  named('WR44-ERR-3', 'Critical issues enter the fix loop; where it is used up the run pauses.'),
  named(
    'WR44-ERR-4',
    'Failing tests in the verification fail the run, with what they said; it is resumed after a fix.',
  ),
  named(
    'WR44-ERR-5',
    'An MCP server that does not answer is tried three times more, then the step fails and says so.',
  ),
  {
    id: 'WR44-ERR-6',
    requirement: 'A killed process leaves everything behind that a resume needs.',
    proof: '*WR44-LAUNCH-4*',
  },
  named('WR44-ERR-7', 'Unclear requirements come back as a blocker, and the run pauses for a person.'),
  named('WR44-ERR-8', 'A workflow that is wrong is refused at once, with what is wrong and where.'),
  named('WR44-ERR-9', 'An agent whose file is missing or broken is refused at once, with its path.'),

  named('WR44-ESC-1', 'The state of the run becomes paused.'),
  named('WR44-ESC-2', 'Everything it takes to go on is saved.'),
  named('WR44-ESC-3', 'The blocker is on stdout and in blocker.json.'),
  named('WR44-ESC-4', 'The exit code is 2, neither success (0) nor an error (1).'),
  named('WR44-ESC-5', 'A person resolves it.'),
  named('WR44-ESC-6', '`run --resume ID` goes on from there.'),

  named('WR44-LAUNCH-1', '`spec-implementation` runs from one end to the other.'),
  named('WR44-LAUNCH-2', 'Gates always run after an implementation, as the audit log shows.'),
  named('WR44-LAUNCH-3', 'The fix loop makes exactly `maxRetries` passes before it escalates.'),
  named('WR44-LAUNCH-4', 'After a crash a run goes on from its last checkpoint.'),
  named('WR44-LAUNCH-5', 'The schemas hold for what every agent answers.'),
  named('WR44-LAUNCH-6', 'A new gate file works without a change of code.'),
  {
    id: 'WR44-LAUNCH-7',
    requirement: 'More than 80 % of the orchestration is covered by tests.',
    proof: '*WR44-NFR-testing*',
  },
  named('WR44-LAUNCH-8', 'The command works with npx.'),
];

const fixes = (id: string, requirement: string): Requirement => ({
  id,
  requirement,
  proof: `test/wrangler/fixes.test.ts › * › *${id}:*`,
});
const printed = (id: string, requirement: string): Requirement => ({
  id,
  requirement,
  proof: `test/wrangler/printed.test.ts › what the specifications print › *${id}:*`,
});

/** What the original is known to have got wrong; and that what the two texts print runs. */
export const wranglerDialect: Requirement[] = [
  fixes('LS-WRFIX-FAILWHEN', '`failWhen` is obeyed, in both generations.'),
  fixes('LS-WRFIX-FAILWHEN-ABSENT', 'Data that is not there fails a `failWhen`.'),
  fixes('LS-WRFIX-FAILWHEN-KIND', 'Data of another kind than a `failWhen` asks about fails it.'),
  fixes('LS-WRFIX-CONDITION', '`condition` is evaluated on any step.'),
  fixes('LS-WRFIX-PARALLEL-OUTPUT', 'The `output` of a parallel group exists.'),
  fixes('LS-WRFIX-TASK-OUTPUTS', 'What steps put out for a task is there after the tasks.'),
  fixes(
    'LS-WRFIX-LATEST',
    'A name that is put out both beside and inside of the tasks is what was put out last.',
  ),
  fixes('LS-WRFIX-SAFETY-STEP', '`safety.maxStepTimeoutMs` bites.'),
  fixes('LS-WRFIX-SAFETY-RUN', '`safety.maxWorkflowDurationMs` bites.'),
  fixes('LS-WRFIX-SAFETY-LOOP', '`safety.maxLoopRetries` bites.'),
  fixes('LS-WRFIX-SAFETY-ERRORS', '`safety.failOnStepError` decides what a failed step does to the run.'),
  fixes('LS-WRFIX-LOOP-FALSE', 'A loop whose condition is already false does not run its steps.'),
  fixes('LS-WRFIX-ESCALATE', 'An exhausted `escalate` stops everything after it.'),
  fixes('LS-WRFIX-UNKNOWN-FIELD', 'An unknown field is an error, with what was probably meant.'),
  printed('LS-WRPRINT-44-SPEC', 'spec-implementation of SPEC-000044 runs as printed, and converted.'),
  printed('LS-WRPRINT-44-QUICK-FIX', 'quick-fix of SPEC-000044 runs as printed, and converted.'),
  printed('LS-WRPRINT-44-FAST', 'Its fast and thorough reviews run in a wrapper, and converted.'),
  printed(
    'LS-WRPRINT-47-SPEC',
    'spec-implementation of SPEC-000047 runs as printed with the built-ins, and converted.',
  ),
  printed('LS-WRPRINT-47-STEPS', 'Its steps that are printed by themselves run in a wrapper, and converted.'),
  printed(
    'LS-WRPRINT-47-SAFETY',
    'Its safety and defaults run with steps in place of the dots, and converted.',
  ),
];
