import type { Requirement } from '../ledger.ts';

export const agents: Requirement[] = [
  // ── Agents so far ──
  {
    id: 'LS-SCRIPT-ANSWERS',
    requirement: 'The scripted agent answers by step id, path (which beats an id) and `*`.',
    proof: [],
  },
  {
    id: 'LS-SCRIPT-SUCCESSIVE',
    requirement: 'Successive dispatches take successive answers; the last repeats.',
    proof: [],
  },
  {
    id: 'LS-SCRIPT-WORK',
    requirement: "It writes, runs and commits before it answers; its writes obey the step's tools.",
    proof: [],
  },
  {
    id: 'LS-SCRIPT-FAULTS',
    requirement: 'It can exit with a code, delay, hang and break the stream.',
    proof: [],
  },
  { id: 'LS-SCRIPT-USAGE', requirement: 'It reports usage and cost.', proof: [] },
  { id: 'LS-SCRIPT-PINNED', requirement: 'The script file is pinned with the run.', proof: [] },
  { id: 'LS-SCRIPT-DOCS', requirement: 'It is documented as a feature.', proof: [] },
  {
    id: 'LS-COMMAND-ARGV',
    requirement: 'A command template in argv mode puts `{{ prompt }}` into an argument.',
    proof: [],
  },
  {
    id: 'LS-COMMAND-STDIN',
    requirement: 'A command template in stdin mode gives the prompt on stdin.',
    proof: [],
  },
  { id: 'LS-COMMAND-DEFAULTS', requirement: "A command template's defaults fill in params.", proof: [] },
  {
    id: 'LS-AGENT-REQUEST',
    requirement:
      'The agent port carries system prompt, prompt, tools policy, model, params, schema, session, MCP servers, setting sources, permission mode, max turns, cwd, env, secrets, cancellation.',
    proof: [],
  },
  {
    id: 'LS-AGENT-ANSWER',
    requirement:
      'The agent port brings back streamed events, final text, structured output, usage, cost, session id, error class.',
    proof: [],
  },
  { id: 'LS-AGENT-CONTRACT-SCRIPT', requirement: 'The scripted agent passes the contract suite.', proof: [] },
  { id: 'LS-AGENT-CONTRACT-COMMAND', requirement: 'The command agent passes the contract suite.', proof: [] },
  {
    id: 'LS-AGENT-NONE',
    requirement: 'Without any client the error says what to install and names --script.',
    proof: [],
  },
];
