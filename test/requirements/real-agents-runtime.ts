import type { Requirement } from '../ledger.ts';

const DISPATCHES = 'src/drivers/run/dispatches.test.ts';
const RETRY = 'src/engine/steps/retry.test.ts';
const MCP = 'src/runtime/perform/mcp-check.test.ts';
const TRANSCRIPT = 'src/runtime/perform/transcript.test.ts';

export const realAgentsRuntime: Requirement[] = [
  // ── Around a dispatch ──
  {
    id: 'AG-FRESH',
    requirement: 'Each step is a fresh session unless it says `session`; no step sees another’s prompt.',
    proof: [
      'src/engine/session.test.ts › sessions that go on › AG-FRESH:*',
      `${DISPATCHES} › isolation › AG-FRESH:*`,
    ],
  },
  {
    id: 'AG-CHILD',
    requirement: 'A child carries LOCKSTEP_RUN and its step.',
    proof: [`${DISPATCHES} › isolation › AG-CHILD:*`, `${DISPATCHES} › isolation › AG-FRESH:*`],
  },
  {
    id: 'AG-SCHEMA',
    requirement:
      'A schema is always validated by us; a miss goes back with the exact errors in the same session within `tries`; JSON or one fenced block of it counts, nothing else; success without structured output is not done.',
    proof: `${DISPATCHES} › structured output › AG-SCHEMA:*`,
  },
  {
    id: 'AG-COST',
    requirement: 'Cost and tokens per step, run and model; an unknown price is shown as unknown, never zero.',
    proof: 'src/views/models.test.ts › cost and tokens by step, run and model › AG-COST:*',
  },
  {
    id: 'AG-SESSION-TOTALS',
    requirement:
      'Cumulative counters of continued sessions: what a dispatch used is counted once, after a crash too.',
    proof: [
      'src/engine/session.test.ts › sessions that go on › AG-SESSION-TOTALS*',
      `${DISPATCHES} › sessions › AG-SESSION-TOTALS*`,
      'src/runtime/perform/run-agent.test.ts › what comes of it › AG-SESSION-TOTALS:*',
    ],
  },
  {
    id: 'AG-LIMITS',
    requirement: '`limits.cost`, `tokens` and `turns` stop the next dispatch and abort the running one.',
    proof: `${DISPATCHES} › limits › AG-LIMITS:*`,
  },
  {
    id: 'AG-ACTIVITY',
    requirement: 'The live tree shows what an agent is doing: tool, file or command, last line; denials.',
    proof: [
      'src/cli/start/live.test.ts › on the screen › AG-ACTIVITY:*',
      `${TRANSCRIPT} › what is seen live › AG-ACTIVITY:*`,
    ],
  },
  {
    id: 'AG-TRANSCRIPT',
    requirement: '`logs` has the transcript, bounded and masked.',
    proof: [
      `${TRANSCRIPT} › the transcript › AG-TRANSCRIPT*`,
      'test/cli/runs.test.ts › logs › AG-TRANSCRIPT:*',
    ],
  },
  {
    id: 'AG-JSON-EVENTS',
    requirement: '`--json` has the events, told apart from journal entries.',
    proof: 'src/cli/start/live.test.ts › with --json › AG-JSON-EVENTS:*',
  },
  {
    id: 'AG-DENIALS',
    requirement: 'The story of a run tells which calls were denied, and why.',
    proof: 'src/views/models.test.ts › cost and tokens by step, run and model › AG-DENIALS:*',
  },
  {
    id: 'AG-BACKOFF',
    requirement: 'Back-off on rate limits that respects what the server says, and is shown.',
    proof: [
      `${RETRY} › how long it waits before the next dispatch › AG-BACKOFF:*`,
      `${RETRY} › where there is no time to wait › AG-BACKOFF:*`,
      'src/cli/screen/frame.test.ts › the live tree › AG-BACKOFF:*',
      'src/cli/screen/screen.test.ts › without a terminal › AG-BACKOFF:*',
    ],
  },
  {
    id: 'AG-RETRY-CLASSES',
    requirement: '`retry.on` has the classes `rate-limit`, `overloaded`, `timeout` and `error`.',
    proof: `${RETRY} › which failures › AG-RETRY-CLASSES:*`,
  },
  {
    id: 'AG-KEYS',
    requirement: 'API keys only through the environment; never in argv, prompt, journal or log.',
    proof: [
      'test/agents/keys.test.ts › keys › AG-KEYS:*',
      'src/hosting/secrets.test.ts › AG-KEYS*',
      `${MCP} › servers that cannot be reached › AG-KEYS*`,
    ],
  },
  {
    id: 'AG-MCP',
    requirement: 'MCP servers named in a workflow or agent are looked at and passed on as they are.',
    proof: `${MCP} › servers that can be reached › AG-MCP:*`,
  },
  {
    id: 'AG-MCP-FAILURE',
    requirement:
      'An MCP server that cannot be reached is retried three times with back-off, then a clear failure.',
    proof: `${MCP} › servers that cannot be reached › AG-MCP-FAILURE:*`,
  },
];
