// The MCP server with real parts at its other end: clients that a person starts, with a scripted model on loopback, and the
// tools with which others look at MCP servers.

import type { Requirement } from '../ledger.ts';

const LED = 'e2e/scenarios/guide-led.test.ts';

export const mcpE2e: Requirement[] = [
  {
    id: 'MCP-E2E-LED',
    requirement:
      'Claude Code, Codex and the Gemini CLI connect, list the tools, and are led through a workflow with a check: one prompt at a time, to its end.',
    proof: `${LED} › a client is led through three steps, sees one prompt at a time, and the run completes`,
  },
  {
    id: 'MCP-E2E-FALSE-CLAIM',
    requirement:
      'A real client that claims false results does not get past: each rejected try is in the journal, and the run is not complete when the client ends.',
    proof: `${LED} › a client that claims false results does not get past, and the run is not complete when it ends`,
  },
  {
    id: 'MCP-E2E-INSPECTOR',
    requirement:
      'The MCP inspector lists the tools, finds no fault in their schemas, and is led, over stdio and HTTP, in either revision of the protocol.',
    proof: 'e2e/scenarios/guide-inspector.test.ts › the inspector *',
  },
  {
    id: 'MCP-E2E-CONFORMANCE',
    requirement:
      "The protocol's own conformance runner passes; what it cannot pass is listed with the reason, and nothing else fails.",
    proof: 'e2e/scenarios/guide-conformance.test.ts › the conformance runner',
  },
  {
    id: 'MCP-E2E-CRASH',
    requirement:
      'A run that a client is led through by `lockstep mcp`, cut after every entry and inside every line, or killed at any moment: the client makes its last call again, is led to the same end, each claim is journaled once, and nothing that had finished happens twice.',
    proof: [
      'test/crash/handed-cut.test.ts › a run that a client was led through',
      'test/crash/handed-kill.test.ts › MCP-E2E-CRASH: killed with SIGKILL many times, every client is led to the same end, and each claim is journaled once',
    ],
  },
  {
    id: 'MCP-E2E-KILLED',
    requirement:
      'Killed between claim and answer, while a check runs: the same call with the same token gives the next step; one claim in the journal, and the check ran again.',
    proof:
      'test/crash/handed-kill.test.ts › MCP-E2E-KILLED: killed while a check runs, the same call gives the next step: one claim, and the check ran again',
  },
  {
    id: 'MCP-E2E-START-CONTINUE',
    requirement: 'A start that is followed at once by a continue works, 1,000 times of 1,000 in one server.',
    proof: 'test/mcp/durable.test.ts › a run that a client is led through › MCP-START-CONTINUE*',
  },
  {
    id: 'MCP-E2E-TWO-SERVERS',
    requirement:
      'Two servers on one run: of the same step the first claim wins, and the other client is told whose it was and where the run is; no check runs twice.',
    proof: 'test/mcp/two-servers.test.ts › two servers on one run',
  },
];
