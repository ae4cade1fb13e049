// The requirement ledger: every demand on Lockstep, and the test that proves it.
// A proof is `file › test name` (the titles of the suites around it and its own, joined with ` › `). The title of a
// suite stands for every test in it, `*` for any text (tables), and `bench › row` for a row of bench/results.json.
// `npm run ledger` compares this with the last whole run of the tests; `npm run ledger -- --missing` lists what has
// no proof. A test may cite an id in its name; an id that is not here fails.

import type { Requirement } from './ledger.ts';
import { agents } from './requirements/agents.ts';
import { bench } from './requirements/bench.ts';
import { builtins } from './requirements/builtins.ts';
import { commandLine } from './requirements/command-line.ts';
import { commandLine5 } from './requirements/command-line-5.ts';
import { compiler } from './requirements/compiler.ts';
import { engine } from './requirements/engine.ts';
import { evidenceGates } from './requirements/evidence-gates.ts';
import { evidenceGit } from './requirements/evidence-git.ts';
import { evidenceTests } from './requirements/evidence-tests.ts';

import { firstDay } from './requirements/first-day.ts';
import { gates } from './requirements/gates.ts';
import { gobby } from './requirements/gobby.ts';
import { growthGit } from './requirements/growth-git.ts';
import { growthViews } from './requirements/growth-views.ts';
import { guard } from './requirements/guard.ts';
import { guardDrive } from './requirements/guard-drive.ts';
import { guardE2e } from './requirements/guard-e2e.ts';
import { guardSeed } from './requirements/guard-seed.ts';
import { guardSessions } from './requirements/guard-sessions.ts';
import { guardSetup } from './requirements/guard-setup.ts';
import { guardTemplates } from './requirements/guard-templates.ts';
import { guide } from './requirements/guide.ts';
import { hosting } from './requirements/hosting.ts';
import { journal } from './requirements/journal.ts';
import { language } from './requirements/language.ts';
import { mcp } from './requirements/mcp.ts';
import { mcpE2e } from './requirements/mcp-e2e.ts';
import { orchestrate } from './requirements/orchestrate.ts';
import { orchestrateMore } from './requirements/orchestrate-more.ts';
import { page } from './requirements/page.ts';
import { project } from './requirements/project.ts';
import { realAgents } from './requirements/real-agents.ts';
import { realAgentsClaude } from './requirements/real-agents-claude.ts';
import { realAgentsCodex } from './requirements/real-agents-codex.ts';
import { realAgentsDoctor } from './requirements/real-agents-doctor.ts';
import { realAgentsE2e } from './requirements/real-agents-e2e.ts';
import { realAgentsGemini } from './requirements/real-agents-gemini.ts';
import { realAgentsRuntime } from './requirements/real-agents-runtime.ts';
import { report } from './requirements/report.ts';
import { room } from './requirements/room.ts';
import { runtime } from './requirements/runtime.ts';
import { securityApprovals } from './requirements/security-approvals.ts';
import { securityCalls } from './requirements/security-calls.ts';
import { securityGit } from './requirements/security-git.ts';
import { securityJournal } from './requirements/security-journal.ts';
import { securityNumbers } from './requirements/security-numbers.ts';
import { securityPeople } from './requirements/security-people.ts';
import { securityShell } from './requirements/security-shell.ts';
import { securityValues } from './requirements/security-values.ts';
import { tracker } from './requirements/tracker.ts';
import { workflowTests } from './requirements/workflow-tests.ts';
import { workrail } from './requirements/workrail.ts';
import { worktrees } from './requirements/worktrees.ts';
import { wrangler44, wranglerDialect } from './requirements/wrangler-44.ts';
import { wrangler47 } from './requirements/wrangler-47.ts';

export const requirements: Requirement[] = [
  ...project,
  ...room,
  ...growthGit,
  ...language,
  ...compiler,
  ...engine,
  ...journal,
  ...runtime,
  ...guide,
  ...guard,
  ...guardE2e,
  ...guardDrive,
  ...guardSetup,
  ...guardSeed,
  ...guardSessions,
  ...guardTemplates,
  ...mcp,
  ...hosting,
  ...agents,
  ...realAgentsClaude,
  ...realAgents,
  ...realAgentsCodex,
  ...realAgentsGemini,
  ...realAgentsDoctor,
  ...realAgentsRuntime,
  ...realAgentsE2e,
  ...mcpE2e,
  ...commandLine,
  ...commandLine5,
  ...firstDay,
  ...securityApprovals,
  ...securityCalls,
  ...securityGit,
  ...securityJournal,
  ...securityNumbers,
  ...securityPeople,
  ...securityShell,
  ...securityValues,
  ...evidenceGit,
  ...tracker,
  ...evidenceTests,
  ...gates,
  ...evidenceGates,
  ...growthViews,
  ...report,
  ...page,
  ...worktrees,
  ...orchestrateMore,
  ...bench,
  ...orchestrate,
  ...builtins,
  ...wrangler44,
  ...wranglerDialect,
  ...wrangler47,
  ...workrail,
  ...gobby,
  ...workflowTests,
];
