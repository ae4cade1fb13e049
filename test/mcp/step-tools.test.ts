// Our own tools follow the step, and a prompt that is too long for an answer is a resource.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';
import { connect, type Session } from './client.ts';

const FLOW = `lockstep: 1
name: listed
guard: { unenforceable: warn }
steps:
  - { id: look, prompt: { text: Look. }, tools: { allow: [Read, issues_list] } }
  - { id: write, prompt: { text: Write. } }
  - { id: quiet, prompt: { text: Be quiet. }, tools: { deny: ['issues_*'] } }
`;

describe('MCP-STEP-TOOLS: tools of the tracker follow the step', () => {
  let project: Scratch;
  let session: Session;
  let changes = 0;
  beforeEach(async () => {
    changes = 0;
    project = scratch({ git: true });
    project.write('.lockstep/workflows/listed.yaml', FLOW);
    session = await connect(project, {
      noticed: (method) => {
        if (method === 'notifications/tools/list_changed') changes += 1;
      },
    });
  });
  afterEach(async () => {
    await session.close();
    project.remove();
  });

  const issueTools = async () => {
    const { tools } = await session.client.listTools();
    return tools.map(({ name }) => name).filter((name) => name.startsWith('issues_'));
  };
  const goOn = (answer: { value: { continueToken: string } }) =>
    session.call('continue_workflow', {
      continueToken: answer.value.continueToken,
      output: { notesMarkdown: 'Done.' },
    });

  it('a list names them, a step without a list has all, a denial takes them away; the client is told of each change', async () => {
    const all = await issueTools();
    expect(all).toHaveLength(11);
    const first = await session.call('start_workflow', { workflowId: 'listed' });
    expect(await issueTools()).toEqual(['issues_list']);
    expect((await session.call('issues_create', { title: 'x' })).value.refused).toMatchObject({
      code: 'tool-not-in-step',
    });
    expect((await session.call('issues_list')).isError).toBe(false);
    const second = await goOn(first);
    expect(await issueTools()).toEqual(all);
    const third = await goOn(second);
    expect(third.value.pending.stepId).toBe('quiet');
    expect(await issueTools()).toEqual([]);
    const end = await goOn(third);
    expect(end.value.isComplete).toBe(true);
    expect(await issueTools()).toEqual(all);
    expect(changes).toBe(4);
  });
});

describe('MCP-BUDGET: an answer stays within what a model can take', () => {
  it('outputs that are too long are named in the answer, and are a resource', async () => {
    const project = scratch({ git: true });
    project.write(
      '.lockstep/workflows/gives.yaml',
      `lockstep: 1
name: gives
steps:
  - { id: one, prompt: { text: Write. } }
outputs: { text: '{{ steps.one.output }}', short: 'yes' }
`,
    );
    const session = await connect(project);
    try {
      const { value } = await session.call('start_workflow', { workflowId: 'gives' });
      const end = await session.call('continue_workflow', {
        continueToken: value.continueToken,
        output: { notesMarkdown: `${'word '.repeat(40_000)}THE END` },
      });
      const uri = `lockstep://runs/${value.runId}/outputs`;
      expect(end.value).toMatchObject({
        isComplete: true,
        outputs: { short: 'yes', text: expect.stringContaining(uri) },
      });
      expect(Buffer.byteLength(JSON.stringify(end))).toBeLessThan(66_000);
      const { contents } = await session.client.readResource({ uri });
      expect(contents).toMatchObject([{ text: expect.stringContaining('THE END') }]);
      const got = await session.call('session_get', { sessionId: value.runId });
      expect(Buffer.byteLength(JSON.stringify(got))).toBeLessThan(66_000);
    } finally {
      await session.close();
      project.remove();
    }
  });

  it('what the report of a led run cannot know it calls unknown, and who reviewed', async () => {
    const project = scratch({ git: true });
    project.write('.lockstep/gates/checks/style.md', '---\ndescription: Can one read it?\n---\nLook.\n');
    project.write(
      '.lockstep/workflows/own.yaml',
      `lockstep: 1
name: own
guard: { unenforceable: warn }
limits: { cost: 5 }
steps:
  - { id: build, prompt: { text: Build. }, timeout: 5m }
  - { id: review, gates: checks }
`,
    );
    const session = await connect(project);
    try {
      const { value } = await session.call('start_workflow', { workflowId: 'own' });
      expect(value.warnings.join(' ')).toMatch(/reviewed by its author.*timeout.*limits\.cost/);
      await session.call('continue_workflow', {
        continueToken: value.continueToken,
        output: { notesMarkdown: 'Built.' },
      });
    } finally {
      await session.close();
    }
    const report = project.lockstep('report').stdout;
    expect(report).toContain('- Cost: cost unknown');
    expect(report).toContain('**reviewed by its author**');
    expect(report).not.toMatch(/\$0/);
    project.remove();
  });

  it('a long prompt is shown by its beginning, and whole as a resource while its step is handed out', async () => {
    const project = scratch({ git: true });
    project.write('long.txt', `${'Read this. '.repeat(12_000)}THE END`);
    project.write(
      '.lockstep/agents/wordy.md',
      `---\nname: wordy\n---\n${'Be calm. '.repeat(16_000)}AND KIND\n`,
    );
    project.write(
      '.lockstep/workflows/long.yaml',
      'lockstep: 1\nname: long\nsteps:\n  - { id: one, agent: wordy, prompt: { file: long.txt } }\n  - { id: two, prompt: { text: Second. } }\n',
    );
    const session = await connect(project);
    try {
      const { value } = await session.call('start_workflow', { workflowId: 'long' });
      expect(Buffer.byteLength(value.pending.prompt)).toBeLessThan(66_000);
      expect(value.pending.prompt).not.toContain('THE END');
      const uri = `lockstep://runs/${value.runId}/prompt`;
      expect(value.pending.prompt).toContain(uri);
      const whole = await session.client.readResource({ uri });
      expect(whole.contents).toMatchObject([{ text: expect.stringMatching(/THE END$/) }]);
      const role = `lockstep://runs/${value.runId}/role`;
      expect(value.pending.agentRole).toMatch(new RegExp(`^Be calm[^]*${role}.\\)$`));
      expect(value.pending.agentRole).not.toContain('AND KIND');
      expect((await session.client.readResource({ uri: role })).contents).toMatchObject([
        { text: expect.stringContaining('AND KIND') },
      ]);
      await session.call('continue_workflow', {
        continueToken: value.continueToken,
        output: { notesMarkdown: 'Read.' },
      });
      expect((await session.client.readResource({ uri })).contents).toMatchObject([{ text: 'Second.' }]);
    } finally {
      await session.close();
      project.remove();
    }
  });
});
