// The protocol's own conformance runner against `lockstep mcp --http`. It is written for a server that exists to be tested: most
// of its scenarios call tools, resources and prompts of fixed names, which no other server has. What cannot pass is listed here
// with the reason; anything else that fails, and anything of the list that passes, is a failure of this test.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer, withToken } from '../support/http-server.ts';
import { openStage, type Stage } from '../support/stage.ts';

const PASSES = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
  // These call a tool of the runner's own too. That there is none is told as text, and as an error of the tool: both hold.
  'tools-call-simple-text',
  'tools-call-error',
];

/** Warns, and checks nothing, where a server keeps no session, as ours: its baseline counts that as a failure. */
const WARNS = ['server-sse-multiple-streams'];

/** A capability that the server does not declare, so that no client asks for it. */
const NOT_DECLARED = {
  logging: ['logging-set-level'],
  completions: ['completion-complete'],
  'resources.subscribe': ['resources-subscribe', 'resources-unsubscribe'],
};

const OTHER_REASONS = {
  'calls a tool that only the server made for the runner has (test_image_content, …)': [
    ...['tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
    ...['tools-call-with-logging', 'tools-call-with-progress', 'tools-call-sampling'],
    ...['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  ],
  'reads a resource that only that server has (test://static-text, …)': [
    ...['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  ],
  'gets a prompt that only that server has (test_simple_prompt, …)': [
    ...['prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
    'prompts-get-with-image',
  ],
};
const FAILS = [...Object.values(NOT_DECLARED), ...Object.values(OTHER_REASONS)].flat();

let stage: Stage;
let http: HttpServer;
let door: { url: string; close(): Promise<void> };
beforeAll(async () => {
  stage = openStage({}, ['conformance']);
  http = await startHttpServer(stage.root, stage.env);
  // The runner cannot be given a token.
  door = await withToken(http);
});
afterAll(async () => {
  await door?.close();
  await http?.close();
  await stage?.close();
});

describe('the conformance runner', () => {
  it('passes what does not need a server made for it, and fails nothing else than what is listed', async () => {
    const expected = join(stage.root, '../expected.yaml');
    writeFileSync(expected, `server:\n${[...FAILS, ...WARNS].map((name) => `  - ${name}\n`).join('')}`);
    const { exitCode, stdout, stderr } = await stage.run(
      ...['conformance', 'server', '--url', door.url, '--expected-failures', expected],
    );
    const marked = (mark: string) =>
      [...stdout.matchAll(new RegExp(`^${mark} ([\\w-]+):`, 'gm'))].map(([, name]) => name).sort();
    expect(marked('✓'), stdout + stderr).toEqual([...PASSES, ...WARNS].sort());
    expect(marked('✗')).toEqual([...FAILS].sort());
    expect(exitCode, stdout).toBe(0);
  });

  it('fails on capabilities only that the server does not declare', async () => {
    const clientInfo = { name: 'a', version: '1' };
    const response = await fetch(http.url, {
      method: 'POST',
      headers: {
        ...{ authorization: http.authorization, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      }),
    });
    const { capabilities } = JSON.parse(/\{.*\}/.exec(await response.text())?.[0] ?? '{}').result;
    expect(capabilities).toMatchObject({ tools: expect.any(Object) });
    for (const name of Object.keys(NOT_DECLARED)) expect(capabilities).not.toHaveProperty(name);
  });
});
