// The tasks extension: a run that Lockstep drives as a handle that is polled. The client of the SDK does not know the
// extension, so the messages are written here.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';

const FLOW = `lockstep: 1
name: driven
steps:
  - { id: sure, ask: "Sure?", choices: [yes-please, no] }
  - { id: say, run: "echo {{ steps.sure.output }}" }
outputs: { said: "{{ steps.say.output }}" }
`;

/** Waits for a file once it has said that it is there. */
const SLOW = `lockstep: 1
name: slow
steps:
  - { id: begin, run: "echo begun >> begun" }
  - id: wait
    run: "echo once >> waited; until test -e go; do sleep 0.05; done"
    recover: rerun
`;

const FAILS = `lockstep: 1
name: fails
steps: [{ id: a, run: "exit 3" }]
`;

let project: Scratch;
beforeAll(() => {
  project = scratch({ git: true });
  project.write('.lockstep/workflows/driven.yaml', FLOW);
  project.write('.lockstep/workflows/slow.yaml', SLOW);
  project.write('.lockstep/workflows/fails.yaml', FAILS);
});
afterAll(() => project.remove());

interface Wire {
  request(method: string, params: JsonObject, capabilities?: JsonObject): Promise<Reply>;
  child: ChildProcess;
  end(): Promise<void>;
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
type Reply = { result?: any; error?: { code: number; message: string; data?: any } };

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const ASKS = { ...TASKS, elicitation: { form: {} } };

const open: Wire[] = [];
afterEach(async () => {
  for (const wire of open.splice(0)) await wire.end();
});

function wire(): Wire {
  const child = spawn(process.execPath, [`${projectRoot}/dist/lockstep.js`, 'mcp'], {
    ...{ cwd: project.root, env: project.env, stdio: ['pipe', 'pipe', 'inherit'] },
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const { id, ...reply } = JSON.parse(line) as Reply & { id?: number };
    if (id !== undefined) waiting.get(id)?.(reply);
  });
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  let last = 0;
  const one: Wire = {
    child,
    request(method, params, capabilities = TASKS) {
      last += 1;
      const id = last;
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      };
      const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
      child.stdin?.write(`${JSON.stringify(message)}\n`);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    async end() {
      child.stdin?.end();
      await exited;
    },
  };
  open.push(one);
  return one;
}

const begin = (on: Wire, workflowId: string, capabilities?: JsonObject) =>
  on.request('tools/call', { name: 'run_workflow', arguments: { workflowId } }, capabilities);

/** Polled until it has this status. */
async function until(
  on: Wire,
  taskId: string,
  status: string,
  capabilities?: JsonObject,
): Promise<Reply['result']> {
  for (;;) {
    const { result, error } = await on.request('tasks/get', { taskId }, capabilities);
    if (error) throw new Error(error.message);
    if (result.status === status) return result;
    if (['completed', 'cancelled', 'failed'].includes(result.status))
      throw new Error(`expected ${status}: ${JSON.stringify(result)}`);
  }
}

describe('MCP-TASKS: a run as a task', () => {
  it('is a task for a client that declares the extension, asks by tasks/get, is answered by tasks/update, and gives its result', async () => {
    const on = wire();
    const { result: found } = await on.request('server/discover', {});
    expect(found.capabilities.extensions).toEqual({ 'io.modelcontextprotocol/tasks': {} });
    const { result: made } = await begin(on, 'driven', ASKS);
    expect(made).toMatchObject({
      ...{ resultType: 'task', status: 'working', ttlMs: null, pollIntervalMs: expect.any(Number) },
      ...{ createdAt: expect.stringMatching(/Z$/), lastUpdatedAt: expect.stringMatching(/Z$/) },
    });
    const { taskId } = made;
    const asks = await until(on, taskId, 'input_required', ASKS);
    expect(asks.resultType).toBe('complete');
    const [key = ''] = Object.keys(asks.inputRequests);
    expect(asks.inputRequests[key]).toMatchObject({
      method: 'elicitation/create',
      params: { mode: 'form', message: expect.stringContaining('Sure?') },
    });
    // What was never asked, and who says nothing, change nothing.
    const inputResponses: JsonObject = {
      'question-99999': { action: 'accept', content: { answer: 'no' } },
      [key]: { action: 'decline' },
    };
    expect((await on.request('tasks/update', { taskId, inputResponses }, ASKS)).result).toMatchObject({
      resultType: 'complete',
    });
    await until(on, taskId, 'input_required', ASKS);
    const answer = { [key]: { action: 'accept', content: { answer: 'yes-please' } } };
    const taken = await on.request('tasks/update', { taskId, inputResponses: answer }, ASKS);
    expect(taken.error).toBeUndefined();
    const end = await until(on, taskId, 'completed', ASKS);
    expect(end.result).toMatchObject({
      isError: false,
      structuredContent: { status: 'completed', done: 2, outputs: { said: 'yes-please' } },
    });
    expect(end.result.content[0].text).toContain('completed');
  });

  it('a client that cannot elicit is told the line to type', async () => {
    const on = wire();
    const { result } = await begin(on, 'driven');
    for (;;) {
      const { result: now } = await on.request('tasks/get', { taskId: result.taskId });
      expect(now.status).toBe('working');
      if (now.statusMessage.includes('lockstep answer')) break;
    }
  });

  it('a run that fails is a task that completed with an error, never a failed task', async () => {
    const on = wire();
    const { result } = await begin(on, 'fails');
    const end = await until(on, result.taskId, 'completed');
    expect(end.result).toMatchObject({ isError: true, structuredContent: { status: 'failed' } });
  });

  it('whoever does not declare the extension with the request is given the answer at once, and no task', async () => {
    const on = wire();
    const { result } = await begin(on, 'fails', {});
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { runId: expect.any(String) },
    });
    expect(result.taskId).toBeUndefined();
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await on.request(method, { taskId: 'x', inputResponses: {} }, {})).error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: TASKS },
      });
  });

  it('what is no task of ours is an error', async () => {
    const on = wire();
    const { result } = await begin(on, 'fails');
    const changed = `${result.taskId.slice(0, -2)}AA`;
    for (const taskId of ['nothing', changed, ''])
      expect((await on.request('tasks/get', { taskId })).error).toMatchObject({ code: -32602 });
    expect((await on.request('tasks/get', {})).error).toMatchObject({ code: -32602 });
  });

  it.each(['its input ends', 'it is killed'])(
    'outlives its server: %s, and the next one goes on with the run',
    async (how) => {
      project.sh('rm -f begun waited go');
      const first = wire();
      const { result } = await begin(first, 'slow');
      const { taskId } = result;
      for (;;) if (project.sh('test -e waited').exitCode === 0) break;
      if (how === 'it is killed') first.child.kill('SIGKILL');
      await first.end();
      const second = wire();
      await until(second, taskId, 'working');
      for (;;) if (project.sh('test $(wc -l < waited) -gt 1').exitCode === 0) break;
      project.write('go', '');
      const end = await until(second, taskId, 'completed');
      expect(end.result.structuredContent).toMatchObject({ status: 'completed', done: 2 });
      expect(project.sh('cat begun').stdout).toBe('begun\n');
    },
  );

  it('is cancelled by tasks/cancel, on record with who did it', async () => {
    project.sh('rm -f begun waited go');
    const on = wire();
    const { result } = await begin(on, 'slow');
    const { taskId } = result;
    for (;;) if (project.sh('test -e waited').exitCode === 0) break;
    expect((await on.request('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    await until(on, taskId, 'cancelled');
    expect(project.lockstep('audit', 'latest', '--json').stdout).toMatch(/"run-cancelled".*by-hand 1/s);
  });
});
