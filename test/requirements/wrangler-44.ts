import type { Requirement } from '../ledger.ts';

// SPEC-000044 in its own numbers, which its second text replaces in part (wrangler-47.ts). FR-008 and the slash command of
// FR-012 come with the MCP server. ERR are the rows of its error table, ESC the steps of its escalation protocol, LAUNCH
// its launch criteria, each in the order they stand there.

/** Any test that names the requirement. */
const named = (id: string, requirement: string): Requirement => ({ id, requirement, proof: `*${id}*` });

export const wrangler44: Requirement[] = [
  named('WR44-FR-001', 'A workflow in YAML is taken and run the same way every time.'),
  named('WR44-FR-002', 'Every task for an agent is a session of its own, which knows nothing of the others.'),
  named('WR44-FR-003', 'What an agent answers is held against the schema that its file names.'),
  named('WR44-FR-004', 'A loop ends after `maxRetries` passes, counted by the engine, and then escalates.'),
  named('WR44-FR-005', 'What a step came to is on disk before the next one starts.'),
  named('WR44-FR-006', 'A run that was killed or interrupted goes on from there.'),
  named('WR44-FR-007', 'Every step that starts, ends or is left out is an entry of the audit trail.'),
  named(
    'WR44-FR-009',
    'What blocks an agent, or a loop that is used up, pauses the run and is put before a person.',
  ),
  named('WR44-FR-010', '`--dry-run` does analyze and plan, and nothing else.'),
  named(
    'WR44-FR-011',
    'A final report has test results, the TDD certification, the outcome of the reviews and the files changed.',
  ),
  named('WR44-FR-012', 'It is started from a command line, through npx too.'),
  named('WR44-FR-013', 'A `gate-group` finds its gates as Markdown files in a folder.'),
  named('WR44-FR-014', 'A new gate is a new Markdown file, and nothing else.'),
  named('WR44-FR-015', 'Workflows are YAML files in a folder `workflows/`.'),

  {
    id: 'WR44-NFR-performance',
    requirement: 'Between two phases the engine takes less than five seconds.',
    proof: ['*WR44-NFR-performance*', 'bench › sequence-floor', 'bench › sequence-peer'],
  },
  named(
    'WR44-NFR-reliability',
    'Nothing is lost when the process is killed: each phase is on disk before the next.',
  ),
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
      'e2e/scenarios/spec-implementation.test.ts › a specification becomes a branch: one task, a review that rejects, a fix, commits, with the built-ins',
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
  named('WR44-ERR-6', 'A killed process leaves everything behind that a resume needs.'),
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
