// A client that was led does not speak for the person, even where its server is gone, or it is cut loose, or it came over HTTP.

import { spawnSync } from 'node:child_process';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';
import { elsewhere } from '../support/elsewhere.ts';
import { connect, makeClient, sessionOf } from './client.ts';

const FLOW = `lockstep: 1
name: careful
steps:
  - { id: which, ask: "Which door?", choices: [left, right] }
  - { id: paint, prompt: { text: "Paint it." } }
`;

const isLinux = process.platform === 'linux';
let project: Scratch;
beforeAll(() => {
  project = scratch({ git: true });
  project.write('.lockstep/workflows/careful.yaml', FLOW);
});
afterAll(() => project.remove());

async function asked(): Promise<string> {
  const session = await connect(project);
  const { value } = await session.call('start_workflow', { workflowId: 'careful' });
  await session.close();
  return value.runId as string;
}

describe.skipIf(!isLinux)('MCP-LED-CLIENTS: who was led does not answer [skip: needs /proc]', () => {
  it('a client that has ended its server does not answer from a shell of its own, nor cancel or hand over', async () => {
    const run = await asked();
    for (const command of [`answer ${run} left`, `cancel ${run}`, `handover ${run} --to run`]) {
      const refused = project.sh(`lockstep ${command}`);
      expect(refused.exitCode, command).toBe(2);
      expect(refused.stderr).toContain('below a client that is led through a workflow');
    }
    // A person in a terminal of their own does.
    expect(elsewhere(project, `lockstep answer ${run} left`)).toBe(3);
  });

  it('what a client cuts loose is known by the environment that the client gave it', async () => {
    const run = await asked();
    for (const marker of ['CLAUDECODE=1', 'GEMINI_CLI=1', 'CODEX_SANDBOX=seatbelt'])
      expect(elsewhere(project, `env ${marker} lockstep answer ${run} left`), marker).toBe(2);
    expect(elsewhere(project, `env SHLVL=2 lockstep answer ${run} left`)).toBe(3);
  });

  it('where no client was led, such an environment says nothing [skip: needs namespaces of processes]', ({
    skip,
  }) => {
    // Servers of other tests run on this machine at the same time, and their clients count: the command sees none of them.
    const alone = `unshare ${process.getuid?.() === 0 ? '' : '--user --map-root-user'} --pid --fork --mount-proc`;
    if (spawnSync('sh', ['-c', `${alone} true`]).status !== 0) skip('needs namespaces of processes');
    const other = scratch({ git: true });
    other.write('ask.yaml', 'lockstep: 1\nname: ask\nsteps: [{ id: which, ask: "Which?" }]\n');
    expect(other.lockstep('run', 'ask.yaml', '-q').exitCode).toBe(3);
    expect(elsewhere(other, `${alone} env CLAUDECODE=1 lockstep answer latest left`)).toBe(0);
    other.remove();
  });

  it('a client over HTTP is known, and does not answer from a shell of its own', async () => {
    const other = scratch({ git: true });
    other.write('.lockstep/workflows/careful.yaml', FLOW);
    const { url, authorization, pid } = await serve(other);
    const client = makeClient('2026-07-28');
    const headers = { authorization };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    const session = sessionOf(client);
    const { value } = await session.call('start_workflow', { workflowId: 'careful' });
    await session.close();
    process.kill(pid, 'SIGTERM');
    while (other.sh(`kill -0 ${pid}`).exitCode === 0);
    const refused = other.sh(`lockstep answer ${value.runId} left`);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain('below a client that is led through a workflow');
    expect(elsewhere(other, `lockstep answer ${value.runId} left`)).toBe(3);
    other.remove();
  });
});

/** As a person starts it: below no process of the test. */
async function serve(place: Scratch): Promise<{ url: string; authorization: string; pid: number }> {
  const command = `${process.execPath} ${projectRoot}/dist/lockstep.js mcp --http`;
  place.sh(`setsid sh -c '${command} > door.json 2> /dev/null & echo $! > door.pid'`);
  const said = (file: string): string => place.sh(`cat ${file}`).stdout;
  while (!said('door.json').includes('\n')) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    ...(JSON.parse(said('door.json')) as { url: string; authorization: string }),
    pid: Number(said('door.pid')),
  };
}
