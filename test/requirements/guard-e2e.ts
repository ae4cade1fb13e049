// The guard drive with real clients that a person starts: their hooks hold the session, and the model is a script on loopback.

import type { Requirement } from '../ledger.ts';

export const guardE2e: Requirement[] = [
  {
    id: 'GOB-E2E-PLAN',
    requirement:
      'Claude Code, Codex and the Gemini CLI, with hooks of `lockstep init --client`: an edit while planning is denied with the reason, the plan is written, the next prompt of the person approves it, a stop with failing checks is sent back, and the run completes. What a model writes beside the session does not become the session that the person goes on with.',
    proof:
      'e2e/scenarios/guard-plan.test.ts › a session plans, is denied what comes too early, gets approval, is sent back when it stops early, and finishes',
  },
  {
    id: 'GOB-E2E-COMPACT',
    requirement:
      'A session that is gone on with is held by the same run; where the client can be made to compact without a terminal, the step is said again after it.',
    proof:
      'e2e/scenarios/guard-compact.test.ts › a session that was compacted and gone on with is held as before, and told the step again',
  },
  {
    id: 'GOB-E2E-WAYS-OUT',
    requirement:
      "From the shell of a held client nobody speaks for the person: commands that change what holds the session are refused, the choice and the client's settings stay as they are, a killed daemon is replaced, and what a command changed all the same is found in that step.",
    proof: [
      'e2e/scenarios/guard-ways-out.test.ts › a model that tries to leave the step by its own shell changes no file that it may not',
      'src/system/led-clients.test.ts › clients whose hooks hold a session [skip: needs /proc]',
    ],
  },
  {
    id: 'GOB-E2E-HUNDRED',
    requirement:
      'A hundred ways to change a file in a step that may not write, from one session of each real client: denied, or found in that step by name.',
    proof:
      'e2e/scenarios/guard-hundred.test.ts › a hundred ways to change a file in a step that may not write are denied, or found in that step',
  },
  {
    id: 'GOB-E2E-PLUGIN',
    requirement:
      'Claude Code accepts the plugin, installs it from the checkout as its own marketplace, and its hooks hold a session.',
    proof:
      'e2e/scenarios/guard-plugin.test.ts › the plugin is installed from this checkout, and its hooks hold a session',
  },
  {
    id: 'GOB-E2E-UNBOUND',
    requirement:
      'With hooks installed and nothing chosen, a session is told nothing, no process of ours stays, and nothing is written.',
    proof:
      'e2e/scenarios/guard-unbound.test.ts › a session that no workflow binds is told nothing, starts nothing and leaves nothing',
  },
];
