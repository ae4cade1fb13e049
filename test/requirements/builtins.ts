// What comes with Lockstep: workflows, agents, prompts, gates; the demo; the main job with the real clients.

import type { Requirement } from '../ledger.ts';

const demo = (title: string) =>
  `test/builtins.test.ts › the demo: a specification becomes a branch › ${title}`;
const files = (title: string) => `test/builtins.test.ts › the files › ${title}`;
const workflows = (title: string) => `test/builtins.test.ts › the workflows › ${title}`;

export const builtins: Requirement[] = [
  {
    id: 'LS-BUILTIN-SPEC',
    requirement:
      '`lockstep run SPEC.md` ends with real commits on a branch of its own; where one stands nothing has changed.',
    proof: demo('LS-BUILTIN-SPEC: *'),
  },
  {
    id: 'LS-BUILTIN-ORDER',
    requirement:
      'analyze, plan, execute (implement, reviews, fix-loop, checkpoint for each task by its dependencies), verify, publish.',
    proof: demo('LS-BUILTIN-ORDER: *'),
  },
  {
    id: 'LS-BUILTIN-REVIEWS',
    requirement: 'Every gate reviews every task after it is implemented and before the next begins.',
    proof: demo('LS-BUILTIN-REVIEWS: *'),
  },
  {
    id: 'LS-BUILTIN-TESTS',
    requirement:
      'The project’s tests are found and run by Lockstep; what an agent says of them decides nothing.',
    proof: demo('LS-BUILTIN-TESTS: *'),
  },
  {
    id: 'LS-DEMO-FLAW',
    requirement: 'The demo’s reviewers find a real flaw that passes the tests, and the fix mends it.',
    proof: demo('LS-DEMO-FLAW: *'),
  },
  {
    id: 'LS-DEMO-GATE',
    requirement:
      'A gate that the project adds as a file is asked with the others; what two gates find is one issue.',
    proof: demo('LS-DEMO-GATE: *'),
  },
  {
    id: 'LS-DEMO-AGAIN',
    requirement:
      'A gate that approved and whose files have not changed is left out of the next round, openly.',
    proof: demo('LS-DEMO-AGAIN: *'),
  },
  {
    id: 'LS-DEMO-VERDICTS',
    requirement: 'While it runs, the screen says what each gate said and which issues are to be fixed.',
    proof: demo('LS-DEMO-VERDICTS: *'),
  },
  {
    id: 'LS-DEMO-REPORT',
    requirement:
      'At the end the screen has the report in short: tests, reviews and their cost, fixes, requirements, commits, what to do next.',
    proof: demo('LS-DEMO-REPORT: *'),
  },
  {
    id: 'LS-DEMO-RESULT',
    requirement: 'What the demo leaves on the branch works: its own tests, run by hand, pass.',
    proof: demo('LS-DEMO-RESULT: *'),
  },
  {
    id: 'LS-DEMO-ISSUES',
    requirement: 'The tasks of the demo are issues in the tracker, and done at the end.',
    proof: demo('LS-DEMO-ISSUES: *'),
  },
  {
    id: 'LS-DEMO-COMMAND',
    requirement:
      '`npm run demo` shows the specification, the run, the report and the commits, in less than a minute.',
    proof: demo('LS-DEMO-COMMAND: *'),
  },
  {
    id: 'LS-BUILTIN-VALID',
    requirement: 'Every built-in workflow is valid, without a warning.',
    proof: files('LS-BUILTIN-VALID: *'),
  },
  {
    id: 'LS-BUILTIN-PAGE',
    requirement: 'docs/built-ins.md names what is there, with the inputs of every prompt.',
    proof: files('LS-BUILTIN-PAGE: *'),
  },
  {
    id: 'LS-BUILTIN-TEXT',
    requirement: 'Every built-in prompt reads well with none of its inputs given.',
    proof: files('LS-BUILTIN-TEXT: *'),
  },
  {
    id: 'LS-BUILTIN-VERIFY',
    requirement: 'Publishing without verification is refused before anything runs.',
    proof: workflows('LS-BUILTIN-VERIFY: *'),
  },
  {
    id: 'LS-BUILTIN-CHECKS',
    requirement:
      '--skip-checks leaves out reviews and fix-loop, on record, and neither verify nor anything else.',
    proof: workflows('LS-BUILTIN-CHECKS: *'),
  },
  {
    id: 'LS-BUILTIN-PUSH',
    requirement: 'Implementing and fixing agents are kept from pushing and from branches, not only told.',
    proof: workflows('LS-BUILTIN-PUSH: *'),
  },
  {
    id: 'LS-BUILTIN-UNMET',
    requirement:
      'A requirement that is not met pauses the run before publish; the verifier is not asked to think again.',
    proof: workflows('LS-BUILTIN-UNMET: *'),
  },
  {
    id: 'LS-BUILTIN-VERDICTS',
    requirement: 'A verification without a verdict for every requirement is sent back.',
    proof: workflows('LS-BUILTIN-VERDICTS: *'),
  },
  {
    id: 'LS-BUILTIN-EXHAUSTED',
    requirement: 'Nothing but a person gets past what reviews left open, --on-error continue included.',
    proof: workflows('LS-BUILTIN-EXHAUSTED: *'),
  },
  {
    id: 'LS-BUILTIN-QUICK-FIX',
    requirement: 'quick-fix: implement, reviews, a fix, the tests, on a branch of its own.',
    proof: workflows('LS-BUILTIN-QUICK-FIX: *'),
  },
  {
    id: 'LS-BUILTIN-CODE-REVIEW',
    requirement:
      'code-review changes nothing, writes its findings where it is told to, and fails in CI if asked to.',
    proof: workflows('LS-BUILTIN-CODE-REVIEW: *'),
  },
  {
    id: 'LS-BUILTIN-COMMITTED',
    requirement:
      'Work that is not committed is not done: Lockstep looks itself, after each implementation and fix, before its own run of the tests leaves anything behind.',
    proof: 'test/testing/builtin.test.ts › LS-BUILTIN-COMMITTED: *',
  },
  {
    id: 'LS-BUILTIN-LEFT-OUT',
    requirement:
      'Steps that may be left out keep the rest from nothing: the run completes, and their outputs are null.',
    proof: 'test/testing/builtin.test.ts › LS-BUILTIN-LEFT-OUT: *',
  },
  {
    id: 'LS-BUILTIN-NO-GIT',
    requirement: 'Where there is no git, spec-implementation works in place, and every gate looks.',
    proof: 'test/testing/builtin.test.ts › LS-BUILTIN-NO-GIT: *',
  },
  {
    id: 'LS-BUILTIN-BASE',
    requirement: 'code-review with a base that git does not know fails before an agent is asked.',
    proof: 'test/testing/builtin.test.ts › LS-BUILTIN-BASE: *',
  },
  {
    id: 'LS-BUILTIN-STRICT',
    requirement: 'code-review that fails in CI says which issues are open.',
    proof: 'test/testing/builtin.test.ts › LS-BUILTIN-STRICT: *',
  },
  {
    id: 'LS-BUILTIN-CODEX-COMMITS',
    requirement:
      'Codex can commit in a worktree of a run, and its sandbox keeps hooks and configuration of git from it.',
    proof: 'src/agents/codex/codex-agent.test.ts › what is given › LS-BUILTIN-CODEX-COMMITS: *',
  },
  {
    id: 'LS-BUILTIN-CLAUDE-SCHEMA',
    requirement: 'The built-in schemas reach Claude, which refuses the draft they are of.',
    proof: 'src/agents/claude/claude-agent.test.ts › * › LS-BUILTIN-CLAUDE-SCHEMA: *',
  },
  {
    id: 'LS-BUILTIN-CLIENTS',
    requirement:
      'With each real client: one task, one rejected review, one fix, commits on a branch, by the built-in workflow.',
    proof:
      'e2e/scenarios/spec-implementation.test.ts › a specification becomes a branch: work that is sent back, a review that rejects, a fix, real commits',
  },
];
