// The Codex CLI as an agent: what it is given, how it is held, what becomes of what it says. What the real client does
// with it is shown in e2e/ (real-agents-e2e.ts).

import type { Requirement } from '../ledger.ts';

const agent = 'src/agents/codex/codex-agent.test.ts';

export const realAgentsCodex: Requirement[] = [
  {
    id: 'AG-CODEX-CONTRACT',
    requirement: 'The codex agent passes the suite that every agent passes.',
    proof: `${agent} › agent contract: codex`,
  },
  {
    id: 'AG-CODEX-ARGV',
    requirement: 'Prompts and secrets are never among the words of the codex process.',
    proof: `${agent} › what is given › AG-CODEX-ARGV: neither the prompt nor a secret is among the words`,
  },
  {
    id: 'AG-CODEX-SANDBOX',
    requirement:
      'The sandbox of codex follows permission mode and tools: read-only without a tool that writes.',
    proof: `${agent} › what is given › AG-CODEX-SANDBOX: *`,
  },
  {
    id: 'AG-CODEX-PARAMS',
    requirement:
      'Params of codex are passed on, cannot loosen what holds it, and are told where it knows none such.',
    proof: `${agent} › what is given › AG-CODEX-PARAMS: *`,
  },
  {
    id: 'AG-CODEX-HOOK-TRUST',
    requirement: 'Hooks that nobody has reviewed do not begin to run because Lockstep drives codex.',
    proof: `${agent} › hooks › AG-CODEX-HOOK-TRUST: *`,
  },
  {
    id: 'AG-CODEX-SEARCH',
    requirement: "Codex's own web search, which no hook sees, is off where a step is held to tools or rules.",
    proof: `${agent} › hooks › AG-CODEX-SEARCH: *`,
  },
  {
    id: 'AG-CODEX-UNASKED',
    requirement: 'A call of codex that ran and that the guard was not asked about fails the step.',
    proof: `${agent} › hooks › AG-CODEX-UNASKED: *`,
  },
  {
    id: 'AG-CODEX-EVENTS',
    requirement: 'What codex does is told as it does it; its last message is the answer.',
    proof: `${agent} › what it says › AG-CODEX-EVENTS: *`,
  },
  {
    id: 'AG-CODEX-USAGE',
    requirement: 'Tokens of a codex session that goes on are counted once.',
    proof: `${agent} › what it says › AG-CODEX-USAGE: of a session that goes on, only what came on top`,
  },
  {
    id: 'AG-CODEX-ERRORS',
    requirement:
      'Failed turns of codex have a class: rate limit, overloaded, error; and when to come back, where it says.',
    proof: 'src/agents/codex/failure.test.ts › what a failed turn means › AG-CODEX-ERRORS: *',
  },
  {
    id: 'AG-CODEX-PATCH',
    requirement: 'A patch of codex is judged file by file, as Write and Edit.',
    proof: 'src/clients/codex/tools.test.ts › calls in our words › AG-CODEX-PATCH: *',
  },
  {
    id: 'AG-CODEX-READS',
    requirement:
      'Whoever may Read, Grep, Glob or LS may do so with the plain commands codex has for it, without Bash.',
    proof: 'src/clients/codex/tools.test.ts › commands that only look › AG-CODEX-READS: *',
  },
  {
    id: 'AG-CODEX-MCP',
    requirement: 'MCP servers of a step reach codex, values of their variables and headers by name only.',
    proof: 'src/agents/codex/mcp-servers.test.ts › MCP servers › AG-CODEX-MCP: *',
  },
  {
    id: 'AG-CODEX-UNTOUCHED',
    requirement: "Driving codex changes nothing in its user's own configuration.",
    proof: 'src/agents/codex/project-trust.test.ts › what a project brings › AG-CODEX-UNTOUCHED: *',
  },
];
