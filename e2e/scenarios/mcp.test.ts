// MCP servers that a workflow names are there for the agent; one that cannot be reached is a clear failure.

import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../test/scratch.ts';
import { flow } from '../support/flow.ts';
import { callTool, say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const server = join(projectRoot, 'test/support/mcp-server.js');
const step = (servers: string, tools = '') =>
  `  - { id: ask, retry: { max: 0 }, params: { mcp_servers: ${servers} }, ${tools}prompt: { text: Ask the server } }\n`;
const notes = `{ notes: { command: ${process.execPath}, args: [${server}] } }`;

scenario(
  'a server that the workflow names is passed on, and its tools work',
  { model: { 'Ask the server': [callTool('notes', 'echo', { text: 'ahoy' }), say('Asked.')] } },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, step(notes)));
    expect(ended.exitCode).toBe(0);
    const results = scene.requests.at(-1)?.messages.flatMap((message) => message.results) ?? [];
    expect(JSON.stringify(results)).toContain('you said ahoy');
  },
);

scenario(
  'a tool of a server that the step denies is not called, whoever brought the server',
  { model: { 'Ask the server': [callTool('notes', 'echo', { text: 'ahoy' }), say('Asked.')] } },
  async (scene) => {
    for (const tools of ['tools: { deny: [mcp__notes__echo] }, ', 'tools: { allow: [Read] }, ']) {
      const ended = await scene.run(flow(scene.client, step(notes, tools)));
      expect(ended.exitCode).toBe(0);
      const results = scene.requests.flatMap(({ messages }) =>
        messages.flatMap((message) => message.results),
      );
      expect(results.length).toBeGreaterThan(0);
      expect(JSON.stringify(results)).not.toContain('you said ahoy');
    }
  },
);

scenario(
  'a server that cannot be reached is tried again, then fails the step by name, before the model is asked',
  { model: { 'Ask the server': [say('Never.')] } },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, step('{ notes: { command: no-such-server } }')));
    expect(ended.exitCode).toBe(1);
    const { error } = ended.outcome('ask');
    expect(error?.message).toContain('notes');
    expect(scene.requests).toEqual([]);
  },
);
