import type { Requirement } from '../ledger.ts';

// SPEC-000047 in its own numbers. It has two requirements 3.4: a is the first of them. Success criteria are SC.

const layers = (name: string) => `test/wrangler/layers.test.ts › ${name}`;
const texts = (name: string) => `test/wrangler/texts.test.ts › ${name}`;

export const wrangler47: Requirement[] = [
  {
    id: 'WR47-FR-1.1',
    requirement:
      "Templates are looked for in the project's `.wrangler/` first, then among the built-in ones.",
    proof: layers('*WR47-FR-1.1*'),
  },
  {
    id: 'WR47-FR-1.2',
    requirement: 'Workflows, agents and prompts are all looked up alike.',
    proof: layers('*WR47-FR-1.2*'),
  },
  {
    id: 'WR47-FR-1.3',
    requirement:
      "An agent or prompt that a step names is the project's where it has one, else the built-in one.",
    proof: layers('*WR47-FR-1.3*'),
  },
  {
    id: 'WR47-FR-1.4',
    requirement: "A project's file of the same name replaces a built-in one; one of another name is new.",
    proof: layers('*WR47-FR-1.4*'),
  },
  {
    id: 'WR47-FR-1.5',
    requirement: 'There is no other configuration: all of it is in the workflow.',
    proof: layers('*WR47-FR-1.5*'),
  },
  {
    id: 'WR47-FR-2.1',
    requirement: 'An agent is a Markdown file: who it is, its tools, its model.',
    proof: layers('*WR47-FR-2.1*'),
  },
  {
    id: 'WR47-FR-2.2',
    requirement: 'A prompt is a Markdown file: what to do, with variables.',
    proof: texts('*WR47-FR-2.2*'),
  },
  {
    id: 'WR47-FR-2.3',
    requirement:
      "A step puts an agent and a prompt together: the agent's text, tools and model, the filled-in prompt.",
    proof: layers('*WR47-FR-2.3*'),
  },
  {
    id: 'WR47-FR-2.4',
    requirement: 'A prompt without an agent takes `defaults.agent`; without that it fails at load.',
    proof: layers('*WR47-FR-2.4*'),
  },
  {
    id: 'WR47-FR-2.5',
    requirement: "`model` of a step comes before the agent's, for that step only.",
    proof: layers('*WR47-FR-2.5*'),
  },
  {
    id: 'WR47-FR-2.6',
    requirement: 'The engine runs every step in its order; no agent chooses.',
    proof: '*WR47-FR-2.6*',
  },
  {
    id: 'WR47-FR-2.7',
    requirement:
      'The audit trail has of every step its name, the agent and prompt with where each was found, the output, the time and the model.',
    proof: layers('*WR47-FR-2.7*'),
  },
  {
    id: 'WR47-FR-2b.1',
    requirement: 'A `code` step calls a handler with its input, and no agent.',
    proof: '*WR47-FR-2b.1*',
  },
  {
    id: 'WR47-FR-2b.2',
    requirement:
      '`create-issues` makes issues and tasks of an analysis; `save-checkpoint` moves the current task to the completed ones.',
    proof: [
      'test/cli/issues.test.ts › *WR47-FR-2b.2, LS-TRK-RUN: *',
      'src/runtime/handlers/issues.test.ts › *WR47-FR-2b.2: *',
    ],
  },
  {
    id: 'WR47-FR-2c.1',
    requirement: 'Version 2 keeps an answer as it came, under the name of its output.',
    proof: '*WR47-FR-2c.1*',
  },
  {
    id: 'WR47-FR-2c.2',
    requirement: "What a prompt says about the form of its answer is the prompt's: nothing is enforced.",
    proof: '*WR47-FR-2c.2*',
  },
  {
    id: 'WR47-FR-2c.3',
    requirement: 'A condition on a property that is not there is false, and nothing breaks.',
    proof: '*WR47-FR-2c.3*',
  },
  {
    id: 'WR47-FR-2c.4',
    requirement: 'The audit trail has the raw answer of every step, whatever its form.',
    proof: '*WR47-FR-2c.4*',
  },
  {
    id: 'WR47-FR-3.1',
    requirement: '`condition` on a step: it runs only if that holds.',
    proof: '*WR47-FR-3.1*',
  },
  {
    id: 'WR47-FR-3.2',
    requirement: '`condition` on a loop: it goes on while that holds.',
    proof: '*WR47-FR-3.2*',
  },
  {
    id: 'WR47-FR-3.3',
    requirement: 'An exhausted loop stops the workflow (`escalate`), or is warned of and passed (`warn`).',
    proof: '*WR47-FR-3.3*',
  },
  {
    id: 'WR47-FR-3.4a',
    requirement:
      'Conditions have properties, `&& || !`, comparisons, `.includes()`, `.startsWith()` and numbers.',
    proof: '*WR47-FR-3.4a*',
  },
  {
    id: 'WR47-FR-3.4b',
    requirement: 'A condition that cannot be read is an error at load.',
    proof: '*WR47-FR-3.4b*',
  },
  {
    id: 'WR47-FR-4.1',
    requirement: 'Steps of a `parallel` group run at the same time.',
    proof: '*WR47-FR-4.1*',
  },
  {
    id: 'WR47-FR-4.2',
    requirement: 'All of a group end before anything follows; one that fails fails the group.',
    proof: '*WR47-FR-4.2*',
  },
  {
    id: 'WR47-FR-5.1',
    requirement: 'Safety limits and defaults are in the workflow, and bite.',
    proof: '*WR47-FR-5.1*',
  },
  {
    id: 'WR47-FR-5.2',
    requirement: '`model` and `enabled` on a step.',
    proof: '*WR47-FR-5.2*',
  },
  {
    id: 'WR47-FR-5.3',
    requirement: 'A project customizes by a workflow of its own in `.wrangler/workflows/`.',
    proof: layers('*WR47-FR-5.3*'),
  },
  {
    id: 'WR47-FR-6.1',
    requirement: '`--skip-checks` leaves out all steps that are no implementation.',
    proof: 'test/cli/specification.test.ts › leaving steps out › WR47-FR-6.1: *',
  },
  {
    id: 'WR47-FR-6.2',
    requirement: '`--skip-step` leaves out one by its name.',
    proof: 'test/cli/specification.test.ts › leaving steps out › WR47-FR-6.2: *',
  },
  {
    id: 'WR47-FR-6.3',
    requirement: 'Every skip is in the audit trail.',
    proof: '*WR47-FR-6.3*',
  },
  {
    id: 'WR47-FR-6.4',
    requirement: 'Nothing is skipped unless somebody said so: no agent can.',
    proof: 'test/wrangler/launch.test.ts › *WR47-FR-6.4: *',
  },
  {
    id: 'WR47-FR-7.1',
    requirement:
      'A run takes the name of a workflow, looked up in layers (the session tool comes with the MCP server).',
    proof: layers('*WR47-FR-7.1*'),
  },
  {
    id: 'WR47-FR-7.2',
    requirement: 'A run takes which steps to leave out (the session tool comes with the MCP server).',
    proof: [
      'test/cli/specification.test.ts › leaving steps out › WR47-FR-6.1: *',
      'test/cli/specification.test.ts › leaving steps out › WR47-FR-6.2: *',
    ],
  },
  {
    id: 'WR47-FR-7.3',
    requirement:
      'The results of steps since a point are there to be read (the session tool comes with the MCP server).',
    proof: '*WR47-FR-7.3*',
  },
  {
    id: 'WR47-FR-7.4',
    requirement: 'A summary of every step: how many, which were left out and why.',
    proof: '*WR47-FR-7.4*',
  },
  {
    id: 'WR47-FR-8.1',
    requirement: 'A run has a worktree and branch of its own; without git it works in place, and says so.',
    proof: '*WR47-FR-8.1*',
  },
  {
    id: 'WR47-FR-8.2',
    requirement: 'Every agent works in the worktree.',
    proof: '*WR47-FR-8.2*',
  },
  {
    id: 'WR47-FR-8.3',
    requirement: 'Prompts have the path of the worktree.',
    proof: texts('*WR47-FR-8.3*'),
  },
  {
    id: 'WR47-FR-8.4',
    requirement: 'The worktree is in the audit trail from the start.',
    proof: '*WR47-FR-8.4*',
  },
  {
    id: 'WR47-FR-8.5',
    requirement: "Commits, pushes and pull requests are the agents', and their prompts say how.",
    proof: 'test/builtins.test.ts › *WR47-FR-8.5: *',
  },
  {
    id: 'WR47-FR-8.6',
    requirement: 'The worktree stays when the run is complete.',
    proof: '*WR47-FR-8.6*',
  },
  {
    id: 'WR47-NFR-1',
    requirement: 'As few step types as possible: prompt, code, loop, parallel, per-task.',
    proof: '*WR47-NFR-1*',
  },
  {
    id: 'WR47-NFR-2',
    requirement: 'A parallel group takes less than twice as long as its slowest step.',
    proof: '*WR47-NFR-2*',
  },
  {
    id: 'WR47-NFR-3',
    requirement: 'A step that fails does not bring the engine down; the error policy applies.',
    proof: '*WR47-NFR-3*',
  },
  {
    id: 'WR47-NFR-4',
    requirement: 'No burden of backward compatibility: what version 2 has not is refused with a hint.',
    proof: '*WR47-NFR-4*',
  },
  {
    id: 'WR47-NFR-5',
    requirement: 'Every step and its result are in the audit trail.',
    proof: '*WR47-NFR-5*',
  },
  {
    id: 'WR47-SC-1',
    requirement: 'There are prompt, code, loop, parallel and per-task steps, and nothing else.',
    proof: '*WR47-SC-1*',
  },
  {
    id: 'WR47-SC-2',
    requirement: 'Agents and prompts are separate files; a step combines them.',
    proof: layers('*WR47-SC-2*'),
  },
  {
    id: 'WR47-SC-3',
    requirement: 'Every step that is not disabled runs; an agent has no way to skip one.',
    proof: '*WR47-SC-3*',
  },
  {
    id: 'WR47-SC-4',
    requirement: 'An agent or prompt of `.wrangler/` comes before the built-in one of its name.',
    proof: layers('*WR47-SC-4*'),
  },
  {
    id: 'WR47-SC-5',
    requirement: 'The summary has every step executed, with agent, prompt and result.',
    proof: '*WR47-SC-5*',
  },
  {
    id: 'WR47-SC-6',
    requirement:
      'A project disables and adds steps, replaces agents and prompts and changes models with files in `.wrangler/`.',
    proof: layers('*WR47-SC-6*'),
  },
  {
    id: 'WR47-SC-7',
    requirement: 'A project adds workflows in `.wrangler/workflows/`.',
    proof: layers('*WR47-SC-7*'),
  },
  {
    id: 'WR47-SC-8',
    requirement: "Fix loops run only when the review's output asks for it.",
    proof: '*WR47-SC-8*',
  },
  {
    id: 'WR47-SC-9',
    requirement: 'One agent runs different prompts, and one prompt is run by different agents.',
    proof: layers('*WR47-SC-9*'),
  },
  // ── What its own users' files have beside that ──
  {
    id: 'WR47-GROUP-REVIEW',
    requirement:
      'A parallel group whose steps answer with reviews has what a gate group has: a loop is entered when one of them found something, and what nobody says stays falsy.',
    proof: 'test/wrangler/originals.test.ts \u203a a group of reviews',
  },
  {
    id: 'WR47-INPUT-PATH',
    requirement: '`input` is a path and not a condition: its names have hyphens, its items numbers.',
    proof: 'test/wrangler/originals.test.ts \u203a input \u203a WR47-INPUT-PATH:*',
  },
  {
    id: 'WR47-INPUT-LEAF',
    requirement:
      "A fixer's `issues` are the actionable ones, and a value of `input` is known by the last name of its path too.",
    proof: 'test/wrangler/originals.test.ts \u203a input \u203a WR47-INPUT-LEAF:*',
  },
  {
    id: 'WR47-LAYER-ORCHESTRATION',
    requirement:
      '`.wrangler/orchestration/` is a layer below `.wrangler/`, and `list` says which of them a definition comes from.',
    proof: 'test/wrangler/originals.test.ts \u203a where its files are \u203a WR47-LAYER-ORCHESTRATION:*',
  },
  {
    id: 'WR47-BESIDE',
    requirement:
      "A workflow of a repository's own `workflows/`, given by path, finds `agents/` and `prompts/` beside it.",
    proof: 'test/wrangler/originals.test.ts \u203a where its files are \u203a WR47-BESIDE:*',
  },
  {
    id: 'WR47-SKIP-CHECKS-PUBLISH',
    requirement: '`--skip-checks` keeps what publishes.',
    proof: 'test/wrangler/originals.test.ts \u203a what publishes \u203a WR47-SKIP-CHECKS-PUBLISH:*',
  },
  {
    id: 'WR47-PUBLISH-DOUBT',
    requirement: 'After a crash a person is asked whether a publication happened; it is not repeated.',
    proof: 'test/wrangler/originals.test.ts \u203a what publishes \u203a WR47-PUBLISH-DOUBT:*',
  },
  {
    id: 'WR47-REPORTS',
    requirement: '`reporters` and `reportAs` are kept as labels, with a warning.',
    proof: 'test/wrangler/originals.test.ts \u203a fields that came later \u203a WR47-REPORTS:*',
  },
  {
    id: 'WR47-RUN-ON',
    requirement:
      '`runOn` says whether a step runs after a success, a failure or both; a run with a failure has failed all the same.',
    proof: 'test/wrangler/originals.test.ts \u203a fields that came later \u203a WR47-RUN-ON:*',
  },
  {
    id: 'WR47-EXHAUSTED-FAIL',
    requirement: '`onExhausted: fail` fails the run.',
    proof: 'test/wrangler/originals.test.ts \u203a fields that came later \u203a WR47-EXHAUSTED-FAIL:*',
  },
  {
    id: 'WR47-NO-BLOCKER',
    requirement: '`blocker: false`, `[]` and `""` are no blocker.',
    proof: 'test/wrangler/originals.test.ts \u203a blocker',
  },
];
