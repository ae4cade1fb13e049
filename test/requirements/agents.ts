import type { Requirement } from '../ledger.ts';

export const agents: Requirement[] = [
  // ── Agents so far ──
  {
    id: 'LS-SCRIPT-ANSWERS',
    requirement: 'The scripted agent answers by step id, path (which beats an id) and `*`.',
    proof:
      'src/agents/script/script-agent.test.ts › which answer › LS-SCRIPT-ANSWERS, LS-SCRIPT-SUCCESSIVE:*',
  },
  {
    id: 'LS-SCRIPT-SUCCESSIVE',
    requirement: 'Successive dispatches take successive answers; the last repeats.',
    proof:
      'src/agents/script/script-agent.test.ts › which answer › LS-SCRIPT-ANSWERS, LS-SCRIPT-SUCCESSIVE:*',
  },
  {
    id: 'LS-SCRIPT-WORK',
    requirement: "It writes, runs and commits before it answers; its writes obey the step's tools.",
    proof:
      'src/agents/script/script-agent.test.ts › what it does › LS-SCRIPT-WORK: writes, runs and commits, in that order, before it answers',
  },
  {
    id: 'LS-SCRIPT-FAULTS',
    requirement: 'It can exit with a code, delay, hang and break the stream.',
    proof: 'src/agents/script/script-agent.test.ts › what it says › LS-SCRIPT-FAULTS:*',
  },
  {
    id: 'LS-SCRIPT-USAGE',
    requirement: 'It reports usage and cost.',
    proof:
      'src/agents/script/script-agent.test.ts › what it says › LS-SCRIPT-USAGE: reports what it is said to have used',
  },
  {
    id: 'LS-SCRIPT-PINNED',
    requirement: 'The script file is pinned with the run.',
    proof:
      'src/agents/script/script-agent.test.ts › which answer › LS-SCRIPT-ANSWERS, LS-SCRIPT-SUCCESSIVE:*',
  },
  {
    id: 'LS-SCRIPT-DOCS',
    requirement: 'It is documented as a feature.',
    proof: 'test/docs.test.ts › docs/scripted-agent.md',
  },
  {
    id: 'LS-COMMAND-ARGV',
    requirement: 'A command template in argv mode puts `{{ prompt }}` into an argument.',
    proof:
      'src/agents/command/command-agent.test.ts › templates › LS-COMMAND-ARGV: puts the prompt into an argument, unread by any shell',
  },
  {
    id: 'LS-COMMAND-STDIN',
    requirement: 'A command template in stdin mode gives the prompt on stdin.',
    proof:
      'src/agents/command/command-agent.test.ts › templates › LS-COMMAND-STDIN: gives the prompt on standard input',
  },
  {
    id: 'LS-COMMAND-DEFAULTS',
    requirement: "A command template's defaults fill in params.",
    proof:
      "src/agents/command/command-agent.test.ts › templates › LS-COMMAND-DEFAULTS: fills in params, the step's before the provider's; what is no text as JSON",
  },
  {
    id: 'LS-AGENT-REQUEST',
    requirement:
      'The agent port carries system prompt, prompt, tools policy, model, params, schema, session, MCP servers, setting sources, permission mode, max turns, cwd, env, secrets, cancellation.',
    proof:
      'src/runtime/perform/run-agent.test.ts › what the agent is asked › LS-AGENT-REQUEST: carries everything the step says',
  },
  {
    id: 'LS-AGENT-ANSWER',
    requirement:
      'The agent port brings back streamed events, final text, structured output, usage, cost, session id, error class.',
    proof:
      'src/runtime/perform/run-agent.test.ts › what comes of it › LS-AGENT-ANSWER: keeps usage, session, model, provider and exit code',
  },
  {
    id: 'LS-AGENT-CONTRACT-SCRIPT',
    requirement: 'The scripted agent passes the contract suite.',
    proof: 'src/agents/script/script-agent.test.ts › agent contract: script',
  },
  {
    id: 'LS-AGENT-CONTRACT-COMMAND',
    requirement: 'The command agent passes the contract suite.',
    proof: 'src/agents/command/command-agent.test.ts › agent contract: command',
  },
  {
    id: 'LS-AGENT-NONE',
    requirement: 'Without any client the error says what to install and names --script.',
    proof:
      'test/cli/run.test.ts › agents › rule 12: without a client and without a script nothing is made, and --script is named',
  },
];
