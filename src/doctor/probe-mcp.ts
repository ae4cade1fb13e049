// probe-mcp: the MCP server that clients start to be led through workflows: does it answer, and end when its input does?

import { ask, lastWord } from './ask.ts';
import type { McpFacts } from './facts.ts';
import type { DoctorParts } from './parts.ts';

const PATIENCE_MS = 20_000;
const OPENING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    ...{ protocolVersion: '2025-11-25', capabilities: {} },
    clientInfo: { name: 'lockstep-doctor', version: '1' },
  },
};

export async function probeMcp(parts: DoctorParts): Promise<McpFacts> {
  const { server, cwd, environment: env } = parts;
  const stdin = `${JSON.stringify(OPENING)}\n`;
  const said = await ask(parts, { argv: [...server, 'mcp'], cwd, env, stdin }, PATIENCE_MS);
  const answers = said.exitCode === 0 && /"name":"lockstep"/.test(said.stdout);
  return { answers, tookMs: Math.round(said.tookMs), ...(!answers && { problem: lastWord(said) }) };
}
