// Claude, through its command and through its SDK, and which client a run gets. What the real client does with it is
// shown in e2e/ (real-agents-e2e.ts).

import type { Requirement } from '../ledger.ts';

const agent = 'src/agents/claude/claude-agent.test.ts';
const usage = 'src/agents/claude/usage.test.ts';
const registry = 'src/agents/agents.test.ts';

export const realAgentsClaude: Requirement[] = [
  {
    id: 'AG-CLAUDE-CONTRACT-CLI',
    requirement: 'The claude agent passes the suite that every agent passes, through the command.',
    proof: `${agent} › cli › agent contract: claude, cli`,
  },
  {
    id: 'AG-CLAUDE-CONTRACT-SDK',
    requirement: 'The claude agent passes the suite that every agent passes, through the SDK.',
    proof: `${agent} › sdk › agent contract: claude, sdk`,
  },
  {
    id: 'AG-CLAUDE-FIND',
    requirement: 'The Agent SDK is used where it is installed, else the command; neither is pulled in.',
    proof: 'src/agents/claude/find-claude.test.ts › AG-CLAUDE-FIND',
  },
  {
    id: 'AG-CLAUDE-ARGV',
    requirement: 'Prompts and keys are never among the words of the claude process.',
    proof: `${agent} › * › what it is given › L3: AG-CLAUDE-ARGV: *`,
  },
  {
    id: 'AG-CLAUDE-VERBATIM',
    requirement: 'Rendered text is neither a command of Claude nor a file that it reads past the guard.',
    proof: `${agent} › * › what it is given › L4: AG-CLAUDE-VERBATIM: *`,
  },
  {
    id: 'AG-CLAUDE-ALONE',
    requirement: 'A step cannot look for other sessions of Claude on the machine, or write to them.',
    proof: `${agent} › * › what it is given › AG-CLAUDE-ALONE: *`,
  },
  {
    id: 'AG-CLAUDE-PARAMS',
    requirement: 'Params of claude are passed on; one it does not have is a warning.',
    proof: `${agent} › * › what it is given › AG-CLAUDE-PARAMS: *`,
  },
  {
    id: 'AG-CLAUDE-ROOT',
    requirement: 'bypassPermissions as root becomes acceptEdits with the allowed tools, on record.',
    proof: `${agent} › * › what it is given › AG-CLAUDE-ROOT: *`,
  },
  {
    id: 'AG-CLAUDE-EVENTS',
    requirement: 'What Claude says and does is told while it works: text, calls, what came of them.',
    proof: `${agent} › * › what it says › AG-CLAUDE-EVENTS: *`,
  },
  {
    id: 'AG-CLAUDE-STRUCTURE',
    requirement: 'A structured answer to any schema; success without one is not done.',
    proof: `${agent} › * › what it says › AG-CLAUDE-STRUCTURE: *`,
  },
  {
    id: 'AG-CLAUDE-API-ERROR',
    requirement: 'An API error that comes as a success has failed, with its class and when to come back.',
    proof: `${agent} › * › what it says › AG-CLAUDE-API-ERROR: *`,
  },
  {
    id: 'AG-CLAUDE-LIMITS',
    requirement: 'Used up turns and budgets are a limit, and not tried again.',
    proof: `${agent} › * › what it says › AG-CLAUDE-LIMITS: *`,
  },
  {
    id: 'AG-CLAUDE-UNGUARDED',
    requirement: 'A call that Claude made without asking the guard ends the step as failed.',
    proof: `${agent} › * › the guard › C2: AG-CLAUDE-UNGUARDED: *`,
  },
  {
    id: 'AG-CLAUDE-CUMULATIVE',
    requirement: 'The counters of a session that goes on are not counted twice.',
    proof: `${usage} › * › AG-CLAUDE-CUMULATIVE: *`,
  },
  {
    id: 'AG-CLAUDE-PRICE',
    requirement: 'A price that Claude only guesses at is unknown.',
    proof: `${usage} › * › *AG-CLAUDE-PRICE: *`,
  },
  {
    id: 'AG-PROVIDER',
    requirement: 'The provider is the one named, else the first client found: claude, codex, gemini.',
    proof: `${registry} › AG-PROVIDER: which agent answers`,
  },
  {
    id: 'AG-UNAVAILABLE',
    requirement: 'Without a client the error says what to install and names --script.',
    proof: `${registry} › AG-UNAVAILABLE: nobody is there`,
  },
];
