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
];
