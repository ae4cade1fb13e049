// One step at a time: whatever a client asks, reads or does wrong, it sees no prompt of a step that it was not handed.

import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';
import { connect, type Session } from './client.ts';

/** Every prompt has a word of its own, and so has every place that a prompt can come from. */
const FLOWS: Record<string, string> = {
  plain: `lockstep: 1
name: plain
description: Three steps.
steps:
  - { id: one, prompt: { text: "CANARY-one" } }
  - { id: two, prompt: { text: "CANARY-two" }, done: { run: "false", tries: 2 }, on_fail: continue }
  - { id: three, prompt: three-words, agent: speaker }
`,
  nested: `lockstep: 1
name: nested
steps:
  - id: both
    parallel: true
    steps:
      - { id: left, workspace: worktree, prompt: { text: "CANARY-left" } }
      - { id: right, workspace: worktree, prompt: { text: "CANARY-right" } }
  - id: all
    each: item in [1, 2]
    steps:
      - { id: item-step, title: "Item {{ item }}", prompt: { text: "CANARY-item{{ item }}" } }
  - id: again
    loop: { until: "pass.number == 2", max: 2 }
    steps: [{ id: round, prompt: { text: "CANARY-round{{ pass.number }}" } }]
  - { id: called, workflow: inner }
`,
  inner: `lockstep: 1
name: inner
steps:
  - { id: deep, prompt: { text: "CANARY-deep" } }
`,
  wrong: `lockstep: 1
name: wrong
steps:
  - { id: a, prompt: { text: "CANARY-a {{ vars.missing }}" } }
  - { id: b, prompt: { text: "CANARY-b" } }
`,
};

let project: Scratch;
let session: Session;
beforeAll(async () => {
  project = scratch({ git: true });
  for (const [name, text] of Object.entries(FLOWS)) project.write(`.lockstep/workflows/${name}.yaml`, text);
  project.write('.lockstep/prompts/three-words.md', 'CANARY-three');
  project.write('.lockstep/agents/speaker.md', '---\nname: speaker\n---\nCANARY-speaker\n');
  session = await connect(project);
});
afterAll(async () => {
  await session.close();
  project.remove();
});

const canaries = (text: string): string[] => [...new Set(text.match(/CANARY-\w+/g) ?? [])];

/** Everything that can be asked for without doing a step. */
async function everything(runId: string): Promise<string> {
  const { client } = session;
  const heard: unknown[] = [
    await session.call('list_workflows'),
    await session.call('session_status', { sessionId: runId }),
    await session.call('session_get', { sessionId: runId }),
    await session.call('session_checkpoint', { sessionId: runId }),
    await session.call('session_complete', { sessionId: runId }),
    await session.call('run_status', { runId }),
    await session.call('run_question', { runId }),
    await session.call('resume_session', { runId, query: 'CANARY' }),
    await session.call('continue_workflow', { continueToken: 'ct_none', notes: 'x' }),
    await client.listTools(),
    await client.listPrompts(),
  ];
  for (const workflowId of [...Object.keys(FLOWS), 'quick-fix', 'spec-implementation', 'code-review'])
    heard.push(await session.call('inspect_workflow', { workflowId }));
  const { resources } = await client.listResources();
  for (const { uri } of resources) heard.push(await client.readResource({ uri }).catch(String));
  return JSON.stringify(heard);
}

it.each(['plain', 'nested'])(
  'MCP-ONE-STEP: %s: no answer, listing, preview, resource, error or log on standard error has a prompt that was not handed out',
  async (workflowId) => {
    let answer = await session.call('start_workflow', { workflowId });
    const { runId } = answer.value;
    const handed = new Set<string>();
    let steps = 0;
    while (answer.value.pending) {
      steps += 1;
      for (const word of canaries(`${answer.value.pending.prompt}\n${answer.value.pending.agentRole ?? ''}`))
        handed.add(word);
      const heard = JSON.stringify(answer) + (await everything(runId)) + session.said();
      expect(canaries(heard).filter((word) => !handed.has(word))).toEqual([]);
      const state = `${project.root}/.lockstep/runs/${runId}/state.json`;
      if (existsSync(state))
        expect(canaries(readFileSync(state, 'utf8')).filter((word) => !handed.has(word))).toEqual([]);
      answer = await session.call('continue_workflow', {
        continueToken: answer.value.continueToken,
        output: { notesMarkdown: `step ${steps}` },
      });
    }
    expect(answer.value.isComplete).toBe(true);
    expect(handed.size).toBeGreaterThanOrEqual(workflowId === 'plain' ? 4 : 6);
  },
  180_000,
);

it('MCP-ONE-STEP: a workflow that cannot be used is told of by its problem alone', async () => {
  const refused = await session.call('start_workflow', { workflowId: 'wrong' });
  expect(canaries(JSON.stringify(refused))).toEqual([]);
});
