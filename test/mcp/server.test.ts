// `lockstep mcp` as clients know it: what it lists, what it answers, how it ends.

import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLSETS } from '../../src/mcp/toolsets.ts';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';
import { connect, REVISIONS, type Session } from './client.ts';

const HELLO = `lockstep: 1
name: hello
description: Greets somebody.
inputs:
  who: { type: string, default: world }
steps:
  - id: greet
    title: Greet
    prompt: { text: "Greet {{ inputs.who }} CANARY" }
`;

let project: Scratch;
beforeAll(() => {
  project = scratch({ git: true });
  project.write('.lockstep/workflows/hello.yaml', HELLO);
  project.write(
    '.lockstep/workflows/broken.yaml',
    'lockstep: 1\nname: broken\nsteps:\n  - id: a\n    runn: x\n',
  );
});
afterAll(() => project.remove());

describe.each(REVISIONS)('lockstep mcp, revision %s', (revision) => {
  let session: Session;
  beforeAll(async () => {
    session = await connect(project, { revision });
  });
  afterAll(() => session.close());

  it('MCP-BOTH-REVISIONS: talks to a client of this revision', () => {
    expect(session.client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(session.client.getServerVersion()?.name).toBe('lockstep');
    expect(session.client.getInstructions()).toContain('start_workflow');
  });

  it('MCP-TOOLS: lists every tool with schemas of what it takes and gives, annotations and words for a model', async () => {
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(Object.values(TOOLSETS).flat());
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
      expect(tool.annotations).toMatchObject({ readOnlyHint: expect.any(Boolean) });
      expect(tool.title).toBeTruthy();
      expect(tool.description?.length).toBeGreaterThan(40);
    }
  });

  it('MCP-LIST-SIZE: the list costs a client 42 KB at most, and 10.5 KB where it is led through workflows only', async () => {
    const size = (tools: object) => JSON.stringify(tools).length;
    expect(size((await session.client.listTools()).tools)).toBeLessThan(42_000);
    const few = await connect(project, { revision, args: ['--toolsets', 'workflow'] });
    expect(size((await few.client.listTools()).tools)).toBeLessThan(10_500);
    await few.close();
  });

  it('MCP-LIST: lists the workflows of the project and the built-in ones, and says which cannot be used', async () => {
    const { value, text } = await session.call('list_workflows');
    const ids = value.workflows.map((one: { workflowId: string }) => one.workflowId);
    expect(ids).toEqual(expect.arrayContaining(['broken', 'hello', 'spec-implementation']));
    expect(value.workflows.find((one: { workflowId: string }) => one.workflowId === 'broken')).toMatchObject({
      usable: false,
      problem: expect.stringContaining('runn'),
    });
    expect(text).toContain('hello (project): Greets somebody.');
  });

  it('MCP-LIST: says which workflows a client cannot be led through, and every other one it can', async () => {
    const { value, text } = await session.call('list_workflows');
    type Listed = { workflowId: string; led: boolean; usable: boolean; problem?: string };
    const all = value.workflows as Listed[];
    const fix = all.find(({ workflowId }) => workflowId === 'quick-fix');
    expect(fix).toMatchObject({
      usable: true,
      led: false,
      problem: expect.stringContaining('`tools` and `rules`'),
    });
    expect(text).toMatch(/- quick-fix .* Not with start_workflow .* run_workflow\./);
    for (const { workflowId, led, usable } of all.filter((one) => one.usable)) {
      const { refused } = (await session.call('start_workflow', { workflowId })).value;
      const isForGood = ['guard-unenforceable', 'review-needs-provider', 'needs-session'].includes(
        refused?.code,
      );
      // An input that is missing is told first.
      if (refused?.code !== 'input-missing')
        expect([workflowId, led && usable]).toEqual([workflowId, !isForGood]);
    }
  });

  it('MCP-INSPECT: shows titles, conditions and inputs of a workflow, and no prompt', async () => {
    const { value, text } = await session.call('inspect_workflow', { workflowId: 'hello' });
    expect(value.steps).toEqual([{ stepId: 'greet', title: 'Greet', kind: 'prompt' }]);
    expect(value.inputs).toMatchObject([{ name: 'who', type: 'string', required: 'no', default: 'world' }]);
    expect(JSON.stringify(value) + text).not.toContain('CANARY');
  });

  it('MCP-INSPECT: names what was meant, or what is wrong with the file', async () => {
    const unknown = await session.call('inspect_workflow', { workflowId: 'helo' });
    expect(unknown).toMatchObject({ isError: true, value: { refused: { code: 'workflow-not-found' } } });
    expect(unknown.text).toContain('Did you mean "hello"?');
    const broken = await session.call('inspect_workflow', { workflowId: 'broken' });
    expect(broken.value.refused).toMatchObject({
      code: 'workflow-invalid',
      message: expect.stringContaining('line 5'),
    });
  });

  it('MCP-ISSUES: the eleven tools make, find, change and complete issues', async () => {
    const label = `of-${revision}`;
    const made = await session.call('issues_create', {
      title: 'Mend the door',
      body: 'It squeaks.',
      labels: [label],
    });
    const { id } = made.value.issue;
    const second = await session.call('issues_create', {
      title: 'Oil it',
      labels: [label],
      dependencies: [id],
    });
    const other = second.value.issue.id;
    expect((await session.call('issues_list', { labels: [label] })).value).toMatchObject({ total: 2 });
    expect((await session.call('issues_search', { query: 'SQUEAKS', labels: [label] })).text).toContain(
      'Mend the door',
    );
    const got = (await session.call('issues_get', { id })).value;
    expect(got).toMatchObject({ issue: { body: 'It squeaks.' }, neededBy: [other], blockedBy: [] });
    expect((await session.call('issues_labels')).value.labels).toContainEqual({ label, count: 2 });
    expect((await session.call('issues_metadata', { id })).value.issue.path).toContain('.lockstep/issues/');
    expect((await session.call('issues_projects')).value.projects[0].name).toBe('project');
    expect((await session.call('issues_update', { id, status: 'in-progress' })).value.issue.status).toBe(
      'in-progress',
    );
    expect((await session.call('issues_all_complete', { labels: [label] })).value.allComplete).toBe(false);
    await session.call('issues_mark_complete', { id, note: 'Oiled.' });
    await session.call('issues_delete', { id: other });
    const all = (await session.call('issues_all_complete', { labels: [label] })).value;
    expect(all).toEqual({ allComplete: true, total: 2, completed: 2, pending: [] });
    expect(project.lockstep('issues', 'show', String(id)).stdout).toContain('Oiled.');
  });

  it('says of a tool that is not there which was meant', async () => {
    expect((await session.call('issues_lst')).text).toContain('Did you mean "issues_list"?');
  });
});

describe('lockstep mcp', () => {
  it('MCP-TOOLSETS: lists only the sets that are named, and says of another which there are', async () => {
    const session = await connect(project, { args: ['--toolsets', 'issues'] });
    const { tools } = await session.client.listTools();
    await session.close();
    expect(tools.map(({ name }) => name)).toEqual(TOOLSETS.issues);
    expect(project.spawned('mcp', '--toolsets', 'isues')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Did you mean "issues"?'),
    });
  });

  it('MCP-STDIO-END: answers what came before its input ended, then ends with 0', () => {
    const lines = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      'no message',
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_workflows', arguments: {} } },
    ];
    const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [`${projectRoot}/dist/lockstep.js`, 'mcp'],
      {
        ...{ cwd: project.root, env: project.env, input: `${input}\n`, encoding: 'utf8' },
      },
    );
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number | null });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, null]);
  });
});
