// The session tools, requirement by requirement of the text that names them (SPEC-000047, FR-7 and FR-8).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
  - { id: review, check: true, run: "true" }
  - { id: never, if: "false", run: "true" }
  - { id: implement, prompt: { text: "Implement it." } }
`;
const OTHER = `lockstep: 1
name: other
steps: [{ id: only, prompt: { text: "Do only this." } }]
`;

let project: Scratch;
let session: Session;
const asked: string[] = [];
const make = (options: { git?: true } = {}): Scratch => {
  const made = scratch(options);
  made.write('.lockstep/workflows/spec-implementation.yaml', FLOW);
  made.write('.lockstep/workflows/other.yaml', OTHER);
  made.write('doors.md', '# Squeaky doors\n\nOil them.\n');
  if (options.git) made.sh('git add -A && git commit -qm spec');
  return made;
};
beforeAll(async () => {
  project = make({ git: true });
  session = await connect(project, {
    person(message) {
      asked.push(message);
      return { action: 'accept', content: { agree: true } };
    },
  });
});
afterAll(async () => {
  await session.close();
  project.remove();
});

const start = async (given: object = {}) =>
  (await session.call('session_start', { specPath: 'doors.md', ...given })).value;
const handIn = async (continueToken: string, notesMarkdown: string) =>
  (await session.call('continue_workflow', { continueToken, output: { notesMarkdown } })).value;

describe('session tools', () => {
  it('MCP-FR-7.1: session_start takes a workflow, else spec-implementation, and finds it in the layers', async () => {
    // The project's own comes before the one that is built in.
    expect((await start()).step).toMatchObject({
      workflowId: 'spec-implementation',
      pending: { prompt: 'Analyze Squeaky doors.' },
    });
    const other = (await session.call('session_start', { workflow: 'other' })).value;
    expect(other.step).toMatchObject({ workflowId: 'other', pending: { prompt: 'Do only this.' } });
    const none = (await session.call('session_start', { workflow: 'nothing-such' })).value;
    expect(none.refused.code).toBe('workflow-not-found');
  });

  it('MCP-FR-7.2: session_start takes skipChecks and skipStepNames, which a person agrees to', async () => {
    asked.length = 0;
    const { sessionId, step } = await start({ skipChecks: true, skipStepNames: ['implement'] });
    expect(asked).toEqual([expect.stringMatching(/to leave out all checks, leave out the step "implement"/)]);
    expect(await handIn(step.continueToken, 'Two hinges.')).toMatchObject({ isComplete: true });
    const { stepSummary } = (await session.call('session_complete', { sessionId })).value;
    expect(stepSummary).toMatchObject({
      ...{ totalSteps: 4, executed: 1, skipped: 3 },
      skippedSteps: expect.arrayContaining([
        { name: 'review', reason: '--skip-checks' },
        { name: 'implement', reason: '--skip-step=implement' },
      ]),
    });
    const { skips } = (await session.call('session_get', { sessionId })).value;
    expect(skips).toEqual({ checks: true, steps: ['implement'] });
  });

  it('MCP-FR-7.3: session_checkpoint has the results of the steps since the last one', async () => {
    const { sessionId, step } = await start();
    const next = await handIn(step.continueToken, 'Two hinges.');
    const checkpoint = async () => (await session.call('session_checkpoint', { sessionId })).value;
    const steps = ({ stepResults }: { stepResults: { step: string }[] }) =>
      stepResults.map((one) => one.step);
    expect(steps(await checkpoint())).toEqual(['analyze', 'review', 'never']);
    expect(steps(await checkpoint())).toEqual([]);
    await handIn(next.continueToken, 'Oiled.');
    expect(await checkpoint()).toMatchObject({
      checkpoint: 3,
      stepResults: [{ step: 'implement', status: 'done', summary: 'Oiled.' }],
    });
  });

  it('MCP-FR-7.4, MCP-FR-8.6: session_complete has the summary of all steps, and the worktree stays', async () => {
    const { sessionId, step, worktreePath } = await start();
    const next = await handIn(step.continueToken, 'Two hinges.');
    await handIn(next.continueToken, 'Oiled.');
    const end = (await session.call('session_complete', { sessionId })).value;
    expect(end.stepSummary).toEqual({
      ...{ totalSteps: 4, executed: 3, skipped: 1 },
      skippedSteps: [{ name: 'never', reason: 'disabled in workflow definition' }],
    });
    expect(end.worktreePath).toBe(worktreePath);
    expect(existsSync(join(worktreePath, 'doors.md'))).toBe(true);
    expect(project.sh('git worktree list').stdout).toContain(worktreePath);
  });

  it('MCP-FR-8.1: a session has a worktree and a branch of its own; the next one of the same specification gets a number', async () => {
    const one = await start();
    const two = await start();
    expect(one.branchName).toBe(`wrangler/squeaky-doors/${one.sessionId}`);
    expect(one.worktreePath).toMatch(/\/\.worktrees\/squeaky-doors(-\d+)?$/);
    expect(two.worktreePath).toMatch(/\/\.worktrees\/squeaky-doors-\d+$/);
    expect(two.worktreePath).not.toBe(one.worktreePath);
  });

  it('MCP-FR-8.1: without git the session works in place, with a warning on record', async () => {
    const plain = make();
    const client = await connect(plain);
    const { value } = await client.call('session_start', { specPath: 'doors.md' });
    expect(value).toMatchObject({ worktreePath: plain.root, branchName: '' });
    await client.close();
    expect(plain.lockstep('audit', value.sessionId).stdout).toMatch(/worktree/i);
    plain.remove();
  });
});
