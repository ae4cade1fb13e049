import type { Requirement } from '../ledger.ts';

const AGENT = 'src/agents/gemini/gemini-agent.test.ts';

export const realAgentsGemini: Requirement[] = [
  // ── Gemini ──
  {
    id: 'AG-GEMINI-CONTRACT',
    requirement: 'The Gemini CLI passes the contract of agents; what it cannot do is declared.',
    proof: `${AGENT} › agent contract: gemini`,
  },
  {
    id: 'AG-GEMINI-STDIN',
    requirement: 'Prompt and system prompt are in no argument of gemini, nor is a key.',
    proof: `${AGENT} › what it is given › AG-GEMINI-STDIN:*`,
  },
  {
    id: 'AG-GEMINI-HOME',
    requirement:
      "What a step adds to gemini's settings is never written to those of its user, which stay in force.",
    proof: `${AGENT} › what it is given › AG-GEMINI-HOME:*`,
  },
  {
    id: 'AG-GEMINI-SESSION',
    requirement: 'A session of gemini has an id, and goes on by it.',
    proof: `${AGENT} › what it is given › AG-GEMINI-SESSION:*`,
  },
  {
    id: 'AG-GEMINI-MODE',
    requirement: 'Each permission mode is an approval mode of gemini; one it does not know fails the step.',
    proof: `${AGENT} › what it is given › AG-GEMINI-MODE:*`,
  },
  {
    id: 'AG-GEMINI-PARAMS',
    requirement: 'Params reach gemini; one that it does not know, or cannot use, is a warning.',
    proof: `${AGENT} › what it is given › AG-GEMINI-PARAMS:*`,
  },
  {
    id: 'AG-GEMINI-MENTIONS',
    requirement: 'No `@path` or `/word` of a prompt is acted upon by gemini itself.',
    proof: 'src/agents/gemini/prompt.test.ts › AG-GEMINI-MENTIONS: the prompt arrives as it was written',
  },
  {
    id: 'AG-GEMINI-TEXT',
    requirement: 'The answer of gemini is what it said after its last tool; events come while it works.',
    proof: `${AGENT} › what it says › AG-GEMINI-TEXT:*`,
  },
  {
    id: 'AG-GEMINI-USAGE',
    requirement: 'Tokens and turns of gemini are counted; its price is unknown, never zero.',
    proof: `${AGENT} › what it says › AG-GEMINI-USAGE:*`,
  },
  {
    id: 'AG-GEMINI-METER',
    requirement: 'What gemini uses up is known while it works, so that a limit can end it.',
    proof: 'src/agents/gemini/session-meter.test.ts › AG-GEMINI-METER:*',
  },
  {
    id: 'AG-GEMINI-GUARD',
    requirement: 'The guard is asked about every call of gemini, in our words, and told how it ended.',
    proof: `${AGENT} › the guard › AG-GEMINI-GUARD:*`,
  },
  {
    id: 'AG-GEMINI-POLICY',
    requirement: 'A tool that is withheld whole is not offered by gemini.',
    proof: `${AGENT} › the guard › AG-GEMINI-POLICY:*`,
  },
  {
    id: 'AG-GEMINI-FAIL-CLOSED',
    requirement: "Gemini's hooks fail open; a step under tools or rules does not.",
    proof: `${AGENT} › the guard › AG-GEMINI-FAIL-CLOSED:*`,
  },
  {
    id: 'AG-GEMINI-API-ERROR',
    requirement: 'An API error that gemini reports fails the step in words.',
    proof: `${AGENT} › what goes wrong › AG-GEMINI-API-ERROR:*`,
  },
  {
    id: 'AG-GEMINI-RATE-LIMIT',
    requirement: 'A rate limit and an overloaded API are told apart, with when to come back.',
    proof: `${AGENT} › what goes wrong › AG-GEMINI-RATE-LIMIT:*`,
  },
  {
    id: 'AG-GEMINI-EXIT-CODES',
    requirement: "Gemini's own exit codes are told in words, with what to do.",
    proof: `${AGENT} › what goes wrong › AG-GEMINI-EXIT-CODES:*`,
  },
  {
    id: 'AG-GEMINI-TURNS',
    requirement: 'A step that reaches max_turns fails, class limit.',
    proof: `${AGENT} › what goes wrong › AG-GEMINI-TURNS:*`,
  },
];
