// Nothing of a run is lost with the process that served it: killed between claim and answer, at the end of input, or by two at once.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';
import { tries } from '../support/tries.ts';
import { connect, type Session } from './client.ts';

const FLOWS = {
  two: `lockstep: 1
name: two
steps:
  - { id: a, prompt: { text: "Do a." } }
  - { id: b, prompt: { text: "Do b." } }
`,
  slow: `lockstep: 1
name: slow
steps:
  - id: a
    prompt: { text: "Do a." }
    done: { run: "echo x >> ran; while [ ! -e go ]; do sleep 0.05; done" }
  - { id: b, prompt: { text: "Do b." } }
`,
};

let project: Scratch;
beforeAll(() => {
  project = scratch({ git: true });
  for (const [name, text] of Object.entries(FLOWS)) project.write(`.lockstep/workflows/${name}.yaml`, text);
});
afterAll(() => project.remove());

const start = async (session: Session, workflowId = 'two') =>
  (await session.call('start_workflow', { workflowId })).value;
const handIn = (session: Session, continueToken: string, notesMarkdown = 'done') =>
  session.call('continue_workflow', { continueToken, output: { notesMarkdown } });
const claimsOf = (run: string): number =>
  readFileSync(join(project.root, '.lockstep/runs', run, 'journal.jsonl'), 'utf8').split('"claim-received"')
    .length - 1;
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('a run that a client is led through', () => {
  it('MCP-KILLED: a server that is killed between claim and answer: the same call gives the answer, journaled once', async () => {
    const first = await connect(project);
    const begun = await start(first, 'slow');
    const lost = handIn(first, begun.continueToken).catch(() => 'lost');
    await until(() => existsSync(join(project.root, 'ran')));
    process.kill(first.pid(), 'SIGKILL');
    expect(await lost).toBe('lost');
    writeFileSync(join(project.root, 'go'), '');
    const second = await connect(project);
    const answer = await handIn(second, begun.continueToken);
    expect(answer.value).toMatchObject({ kind: 'ok', pending: { stepId: 'b' }, warnings: expect.any(Array) });
    expect(claimsOf(begun.runId)).toBe(1);
    await second.close();
  });

  it('MCP-END-OF-INPUT: a check that is under way when the input ends is finished, and counts', async () => {
    project.sh('rm -f ran go');
    const session = await connect(project);
    const begun = await start(session, 'slow');
    await session.close();
    const server = spawn(process.execPath, [`${projectRoot}/dist/lockstep.js`, 'mcp'], {
      ...{ cwd: project.root, env: project.env, stdio: ['pipe', 'pipe', 'inherit'] },
    });
    let said = '';
    server.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const send = (message: object): void =>
      void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'gone', version: '1' };
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    send({ method: 'notifications/initialized' });
    const given = { continueToken: begun.continueToken, notes: 'done' };
    send({ id: 2, method: 'tools/call', params: { name: 'continue_workflow', arguments: given } });
    await until(() => existsSync(join(project.root, 'ran')));
    server.stdin.end();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.exitCode).toBeNull();
    writeFileSync(join(project.root, 'go'), '');
    await new Promise((resolve) => server.once('exit', resolve));
    expect(server.exitCode).toBe(0);
    expect(said).toContain('"stepId":"b"');
    expect(readFileSync(join(project.root, 'ran'), 'utf8')).toBe('x\n');
  });

  it(`MCP-START-CONTINUE: a start that is followed at once by a continue works, every time`, async () => {
    const session = await connect(project);
    const times = tries(1000, 25);
    for (let n = 0; n < times; n += 1) {
      const begun = await start(session);
      const next = await handIn(session, begun.continueToken);
      if (next.value.kind !== 'ok' || next.value.pending?.stepId !== 'b') throw new Error(next.text);
    }
    await session.close();
  }, 600_000);

  it('MCP-TWO-CLIENTS: of two that hand in the same step, one is taken; the other is told who, and where the run is', async () => {
    const [one, two] = await Promise.all([connect(project), connect(project)]);
    const begun = await start(one);
    const answers = await Promise.all([
      handIn(one, begun.continueToken, 'of one'),
      handIn(two, begun.continueToken, 'of two'),
    ]);
    const told = answers.filter(({ value }) => value.warnings.length > 0);
    expect(told).toHaveLength(1);
    expect(told[0]?.value).toMatchObject({
      pending: { stepId: 'b' },
      warnings: [expect.stringContaining('by test-client 1.2.3')],
    });
    expect(claimsOf(begun.runId)).toBe(1);
    await Promise.all([one.close(), two.close()]);
  });
});
