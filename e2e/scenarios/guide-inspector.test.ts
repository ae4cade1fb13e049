// The MCP inspector, a client by other people: it looks at the server with the eyes of whoever writes one, over both
// transports and in both revisions of the protocol. Every call over stdio is a server of its own, so tokens have to outlive it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLSETS } from '../../src/mcp/toolsets.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { openStage, type Stage } from '../support/stage.ts';

const FLOW = `lockstep: 1
name: greet
description: Greets, then says goodbye.
steps:
  - { id: hello, prompt: { text: "Say hello. CANARY-hello" } }
  - { id: bye, prompt: { text: "Say goodbye. CANARY-bye" }, done: { run: 'test -e gone' } }
`;

let stage: Stage;
let http: HttpServer;
beforeAll(async () => {
  stage = openStage({ '.lockstep/workflows/greet.yaml': FLOW }, ['mcp-inspector']);
  http = await startHttpServer(stage.root, stage.env);
});
afterAll(async () => {
  await http?.close();
  await stage?.close();
});

const ways = {
  'over stdio, 2025-11-25': () => ['lockstep', 'mcp', '--protocol-era', 'legacy'],
  'over HTTP, 2026-07-28': () => [
    ...['--server-url', http.url, '--header', `Authorization: ${http.authorization}`],
    ...['--protocol-era', 'modern'],
  ],
};

describe.each(Object.entries(ways))('the inspector %s', (_, server) => {
  /** stdout holds one JSON text: what the server answered. */
  async function inspect(...words: string[]) {
    const { exitCode, stdout, stderr } = await stage.run(
      ...['mcp-inspector', '--cli', ...server(), '--format', 'json', '--stored-auth-only', ...words],
    );
    expect(exitCode, stderr).toBe(0);
    return JSON.parse(stdout).result;
  }
  const call = (tool: string, given: object) =>
    inspect('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(given));

  it('lists every tool, and finds no fault in a schema', async () => {
    const { tools } = await inspect('--method', 'tools/list', '--strict');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(Object.values(TOOLSETS).flat());
  });

  it('lists workflows, starts one and hands in the first step', async () => {
    const { structuredContent: listed } = await call('list_workflows', {});
    expect(listed.workflows).toContainEqual(
      expect.objectContaining({
        workflowId: 'greet',
        description: 'Greets, then says goodbye.',
        usable: true,
      }),
    );
    const { structuredContent: first } = await call('start_workflow', { workflowId: 'greet' });
    expect(first.pending).toMatchObject({ stepId: 'hello', prompt: 'Say hello. CANARY-hello' });
    expect(JSON.stringify(first)).not.toContain('CANARY-bye');
    const { continueToken } = first;
    const second = await call('continue_workflow', { continueToken, output: { notesMarkdown: 'Hello!' } });
    expect(second.structuredContent).toMatchObject({ kind: 'ok', pending: { stepId: 'bye' } });
    expect(second.content[0].text).toContain('Say goodbye. CANARY-bye');
  });
});
