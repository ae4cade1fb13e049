// The session tools: a run as programs know it that call it a session.

import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';
import { connect, type Session } from './client.ts';

const FLOW = `lockstep: 1
name: spec-implementation
workspace: worktree
policy: { branch_prefix: wrangler }
inputs: { spec: { type: file } }
steps:
  - { id: analyze, prompt: { text: "Analyze {{ inputs.spec.title }}." } }
  - { id: never, if: "false", run: "true" }
  - { id: implement, prompt: { text: "Implement it." } }
outputs: { said: "{{ steps.implement.output }}" }
`;

let project: Scratch;
let session: Session;
beforeAll(async () => {
  project = scratch({ git: true });
  project.write('.lockstep/workflows/spec-implementation.yaml', FLOW);
  project.write('doors.md', '# Squeaky doors\n\nOil them.\n');
  project.sh('git add -A && git commit -qm spec');
  session = await connect(project);
});
afterAll(async () => {
  await session.close();
  project.remove();
});

const handIn = (continueToken: string, notesMarkdown: string) =>
  session.call('continue_workflow', { continueToken, output: { notesMarkdown } });

describe('a session', () => {
  it('MCP-SESSION: from session_start to session_complete, with checkpoints between, and its worktree stays', async () => {
    const begun = (await session.call('session_start', { specPath: 'doors.md' })).value;
    const id = begun.sessionId;
    expect(begun.branchName).toBe(`wrangler/squeaky-doors/${id}`);
    expect(begun.worktreePath).toContain('.worktrees/squeaky-doors');
    expect(begun.step.pending.prompt).toBe('Analyze Squeaky doors.');
    expect(begun.step.stepContext.workspace).toBe(begun.worktreePath);

    const second = await handIn(begun.step.continueToken, 'Two hinges.');
    const first = (await session.call('session_checkpoint', { sessionId: id, note: 'half way' })).value;
    expect(first).toMatchObject({
      checkpoint: 1,
      stepResults: [
        { step: 'analyze', status: 'done', summary: 'Two hinges.', by: 'test-client 1.2.3' },
        { step: 'never', status: 'skipped' },
      ],
    });
    expect((await session.call('session_status', { sessionId: id })).value).toMatchObject({
      ...{ status: 'paused', drive: 'guide', pending: ['implement'], questions: [] },
    });
    const early = await session.call('session_complete', { sessionId: id });
    expect(early.value.refused).toMatchObject({ code: 'session-not-complete' });

    await handIn(second.value.continueToken, 'Oiled.');
    const next = (await session.call('session_checkpoint', { sessionId: id })).value;
    expect(next).toMatchObject({ checkpoint: 2, stepResults: [{ step: 'implement', summary: 'Oiled.' }] });
    const end = (await session.call('session_complete', { sessionId: id })).value;
    expect(end).toMatchObject({
      status: 'completed',
      stepSummary: {
        ...{ totalSteps: 3, executed: 2, skipped: 1 },
        skippedSteps: [{ name: 'never', reason: 'disabled in workflow definition' }],
      },
      outputs: { said: 'Oiled.' },
    });
    expect(existsSync(end.worktreePath)).toBe(true);
    const got = (await session.call('session_get', { sessionId: id })).value;
    expect(got).toMatchObject({
      inputs: { spec: { title: 'Squeaky doors' } },
      checkpoints: [{ note: 'half way' }, {}],
      skips: { checks: false, steps: [] },
      worktree: { branch: `wrangler/squeaky-doors/${id}` },
    });
  });

  it('MCP-INPUTS: what is missing, unknown or outside the project is refused, with a fix for each; nothing is made', async () => {
    const before = project.lockstep('runs', '--json').stdout;
    const missing = (await session.call('session_start')).value.refused;
    expect(missing).toMatchObject({
      code: 'input-missing',
      suggestedFix: expect.stringContaining('Set /inputs/spec'),
    });
    const given = { workflowId: 'spec-implementation', inputs: { spec: 'doors.md', colour: 'red' } };
    const unknown = (await session.call('start_workflow', given)).value.refused;
    expect(unknown).toMatchObject({
      code: 'input-unknown',
      suggestedFix: expect.stringContaining('Leave out /inputs/colour.'),
    });
    const outside = (await session.call('session_start', { specPath: '/etc/passwd' })).value.refused;
    expect(outside.code).toBe('input-invalid');
    expect(project.lockstep('runs', '--json').stdout).toBe(before);
  });

  it('MCP-OWN-CHECKS: a client does not choose the command that decides whether its work counts', async () => {
    const { value } = await session.call('start_workflow', {
      workflowId: 'quick-fix',
      inputs: { task: 'Oil it', test: 'true' },
    });
    expect(value.refused).toMatchObject({
      code: 'needs-person',
      suggestedFix: expect.stringContaining('Leave out /inputs/test.'),
    });
  });
});

describe('resources and prompts', () => {
  it('MCP-RESOURCES: runs and workflows are listed and read; what is not there is said', async () => {
    const { resources } = await session.client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain('lockstep://workflows/spec-implementation');
    const run = uris.find((uri) => uri.startsWith('lockstep://runs/')) ?? '';
    const { contents } = await session.client.readResource({ uri: run });
    expect(JSON.stringify(contents)).toContain('analyze: done. Two hinges.');
    const workflow = await session.client.readResource({ uri: 'lockstep://workflows/spec-implementation' });
    expect(JSON.stringify(workflow.contents)).toContain('implement [prompt]');
    expect(JSON.stringify(workflow.contents)).not.toContain('Implement it.');
    const { resourceTemplates } = await session.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort()).toEqual([
      'lockstep://references/{workflow}/{reference}',
      'lockstep://runs/{run}',
      'lockstep://runs/{run}/prompt',
      'lockstep://runs/{run}/role',
      'lockstep://runs/{run}/{part}',
      'lockstep://workflows/{workflow}',
    ]);
    for (const uri of [
      'lockstep://runs/none',
      'lockstep://workflows/none',
      'lockstep://else',
      'file:///etc/passwd',
    ])
      await expect(session.client.readResource({ uri })).rejects.toThrow('there is no resource');
  });

  it('MCP-REFERENCES: a reference is listed with its resource; one that is not there is a warning, never a failed start', async () => {
    project.write('notes/rules.md', 'Be kind to hinges.');
    project.write(
      '.lockstep/workflows/referring.yaml',
      `lockstep: 1
name: referring
references:
  - { id: rules, title: Rules, source: notes/rules.md, purpose: Read it first. }
  - { id: gone, source: notes/gone.md }
steps: [{ id: a, prompt: { text: "Do a." } }]
`,
    );
    const { value } = await session.call('start_workflow', { workflowId: 'referring' });
    expect(value.references).toMatchObject([{ id: 'rules', title: 'Rules' }, { id: 'gone' }]);
    expect(value.warnings).toEqual([expect.stringContaining('"gone" (notes/gone.md) is not there')]);
    const { contents } = await session.client.readResource({ uri: value.references[0].uri });
    expect(contents).toMatchObject([{ text: 'Be kind to hinges.' }]);
  });

  it('MCP-PROMPTS: each workflow, of the project too, is a prompt that says how to begin, and its words begin it', async () => {
    const { prompts } = await session.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'quick-fix',
        'code-review',
        'coding-task-workflow-agentic',
        'spec-implementation',
      ]),
    );
    const textOf = async (name: string, given: Record<string, string>) =>
      JSON.stringify((await session.client.getPrompt({ name, arguments: given })).messages);
    // A project's own, which a client can be led through.
    const own = await textOf('spec-implementation', { goal: 'Oil the door', spec: 'doors.md' });
    expect(own).toContain('Oil the door');
    const given = /start_workflow with (.*?)\.\\n/.exec(own)?.[1] ?? '';
    const started = await session.call('start_workflow', JSON.parse(JSON.parse(`"${given}"`)));
    expect(started.value.pending.prompt).toBe('Analyze Squeaky doors.');
    // One that has rules, which a client cannot be held to.
    expect(await textOf('quick-fix', { goal: 'Oil the door', task: 'door' })).toContain(
      'Call run_workflow with',
    );
  });

  it('MCP-PROMPTS: what the tools that are offered cannot begin is no prompt', async () => {
    const few = await connect(project, { args: ['--toolsets', 'workflow'] });
    const { prompts } = await few.client.listPrompts();
    const names = prompts.map(({ name }) => name);
    expect(names).toContain('coding-task-workflow-agentic');
    expect(names).not.toContain('quick-fix');
    await expect(few.client.getPrompt({ name: 'quick-fix' })).rejects.toThrow(
      'there is no prompt "quick-fix"',
    );
    await few.close();
  });
});
