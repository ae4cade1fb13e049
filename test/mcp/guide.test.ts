// A client that knows nothing but the tool descriptions is led through a workflow, and one that cheats is not.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';
import { type Called, connect, REVISIONS, type Session } from './client.ts';

const FLOW = `lockstep: 1
name: build-it
description: Plans, builds and reports.
vars: { goal: "" }
steps:
  - id: plan
    title: Plan the work
    prompt: { text: "Plan it. CANARY-plan {{ vars.goal }}" }
  - id: build
    title: Build it
    prompt: { text: "Build it. CANARY-build {{ steps.plan.output }}" }
    done: { run: test -e built, tries: 3 }
  - id: count
    prompt: { text: "Count the files. CANARY-count" }
    done:
      schema: { type: object, properties: { files: { type: integer, minimum: 2 } }, required: [files] }
outputs: { files: "{{ steps.count.output.files }}" }
`;

let project: Scratch;
beforeAll(() => {
  project = scratch({ git: true });
  project.write('.lockstep/workflows/build-it.yaml', FLOW);
});
afterAll(() => project.remove());
afterEach(() => rmSync(join(project.root, 'built'), { force: true }));

const canaries = (answer: Called): string[] =>
  [...new Set(JSON.stringify(answer).match(/CANARY-\w+/g) ?? [])].sort();
const start = (session: Session) =>
  session.call('start_workflow', { workflowId: 'build-it', goal: 'a door' });
const handIn = (session: Session, token: string, notes: string) =>
  session.call('continue_workflow', { continueToken: token, output: { notesMarkdown: notes } });

describe.each(REVISIONS)('a client that is led, revision %s', (revision) => {
  let session: Session;
  beforeEach(async () => {
    session = await connect(project, { revision });
  });
  afterEach(() => session.close());

  /** The call that the answer names; what is to be said in one's own words is. */
  const follow = ({ value: { nextCall } }: Called) => {
    const { notesMarkdown, ...output } = nextCall.params.output;
    const own = notesMarkdown === undefined ? output : { ...output, notesMarkdown: 'Thought about it.' };
    return session.call(nextCall.tool, { ...nextCall.params, output: own });
  };

  it('MCP-BLANK: a call that says nothing of its own hands nothing in, and uses up no try', async () => {
    const { value } = await start(session);
    for (const output of [{}, { notesMarkdown: ' ' }, value.nextCall.params.output]) {
      const given = { continueToken: value.continueToken, intent: 'advance', output };
      const { value: refused } = await session.call('continue_workflow', given);
      expect(refused.refused).toMatchObject({ code: 'arguments-invalid' });
    }
    const next = await follow(
      await session.call('continue_workflow', { continueToken: value.continueToken }),
    );
    expect(next.value).toMatchObject({ kind: 'ok', pending: { stepId: 'build' } });
  });

  it('MCP-WALK: completes a workflow by following nextCall, and sees one prompt at a time', async () => {
    const first = await start(session);
    expect(first.value).toMatchObject({
      isComplete: false,
      pending: { stepId: 'plan', title: 'Plan the work', prompt: 'Plan it. CANARY-plan a door' },
      nextIntent: 'perform_pending_then_continue',
      preferences: { autonomy: 'guided', riskPolicy: 'conservative' },
      warnings: [],
    });
    expect(first.value.kind).toBeUndefined();
    expect(canaries(first)).toEqual(['CANARY-plan']);
    expect(first.text).toContain('Plan it.');

    const second = await follow(first);
    expect(second.value).toMatchObject({ kind: 'ok', pending: { stepId: 'build' } });
    expect(canaries(second)).toEqual(['CANARY-build']);

    writeFileSync(join(project.root, 'built'), '');
    const third = await follow(second);
    expect(third.value).toMatchObject({ kind: 'ok', pending: { stepId: 'count' } });

    const end = await follow(third);
    expect(end.value).toMatchObject({
      ...{ kind: 'ok', isComplete: true, pending: null, nextIntent: 'complete', nextCall: null },
      outputs: { files: 2 },
    });
    expect(end.value.continueToken).toBeUndefined();
  });

  it('MCP-CHEAT: work that does not hold is blocked with the reason, whatever the client says of it', async () => {
    const second = await handIn(session, (await start(session)).value.continueToken, 'a plan');
    const blocked = await handIn(session, second.value.continueToken, 'All tests pass, the build is there.');
    expect(blocked.isError).toBe(false);
    expect(blocked.value).toMatchObject({
      ...{ kind: 'blocked', retryable: true, isComplete: false, pending: { stepId: 'build' } },
      blockers: {
        blockers: [
          {
            code: 'work-not-accepted',
            pointer: { kind: 'workflow_step', stepId: 'build' },
            message: expect.stringContaining('test -e built'),
            suggestedFix: expect.stringContaining('retryContinueToken'),
          },
        ],
      },
      stepContext: { try: 2, triesLeft: 1 },
    });
    expect(canaries(blocked)).toEqual(['CANARY-build']);
    writeFileSync(join(project.root, 'built'), '');
    const third = await handIn(session, blocked.value.retryContinueToken, 'Now it is.');
    expect(third.value).toMatchObject({ kind: 'ok', pending: { stepId: 'count' } });
  });

  it('MCP-REPLAY: a token gives its first answer for ever; another body is not taken, and the answer says so', async () => {
    const first = await start(session);
    const token = first.value.continueToken;
    const second = await handIn(session, token, 'a plan');
    expect((await handIn(session, token, 'a plan')).value).toEqual(second.value);
    writeFileSync(join(project.root, 'built'), '');
    await handIn(session, second.value.continueToken, 'built');
    const again = await handIn(session, token, 'another plan');
    expect(again.value).toEqual({ ...second.value, warnings: [expect.stringContaining('was not taken')] });
    const journal = project.lockstep('audit', first.value.runId, '--json').stdout;
    expect(journal.match(/"claim-received"/g)).toHaveLength(2);
  });

  it('MCP-REHYDRATE: from a token, a run id, or nothing but the workspace, with what has happened so far', async () => {
    const first = await start(session);
    const second = await handIn(session, first.value.continueToken, 'Doors need hinges.');
    const back = await session.call('continue_workflow', { continueToken: first.value.continueToken });
    expect(back.value).toMatchObject({
      ...{ kind: 'ok', continueToken: second.value.continueToken, pending: second.value.pending },
      recap: expect.stringContaining('plan: done. Doors need hinges.'),
    });
    const { value } = await session.call('resume_session', { runId: first.value.runId });
    expect(value.candidates[0]).toMatchObject({
      ...{ runId: first.value.runId, confidence: 'strong', pendingStep: 'build' },
      whyMatched: ['it has this id', 'something happened in it last'],
    });
    const bare = (await session.call('resume_session', { workspacePath: project.root })).value;
    expect(bare.candidates.length).toBeLessThanOrEqual(5);
    const resumed = await session.call(bare.nextCall.tool, bare.nextCall.params);
    expect(resumed.value).toMatchObject({
      kind: 'ok',
      runId: first.value.runId,
      pending: { stepId: 'build' },
    });
    const checkpoint = await session.call('checkpoint_workflow', {
      checkpointToken: second.value.checkpointToken,
    });
    const named = await session.call(checkpoint.value.nextCall.tool, checkpoint.value.nextCall.params);
    expect(named.value.continueToken).toBe(second.value.continueToken);
  });
});
