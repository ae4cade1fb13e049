// What only a person may say: put to them by the client in both revisions, or left to a command in a terminal.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';
import { elsewhere } from '../support/elsewhere.ts';
import { connect, REVISIONS } from './client.ts';

const FLOW = `lockstep: 1
name: careful
steps:
  - { id: which, ask: "Which door?", choices: [left, right] }
  - id: paint
    prompt: { text: "Paint the {{ steps.which.output }} door." }
    done: { approve: { ask: "Is the colour right?" }, tries: 3 }
outputs: { said: "{{ steps.paint.output }}" }
`;

const DRIVEN = `lockstep: 1
name: driven
steps:
  - { id: sure, ask: "Sure?", choices: [yes-please, no] }
  - { id: say, run: "echo {{ steps.sure.output }}" }
outputs: { said: "{{ steps.say.output }}" }
`;

let project: Scratch;
beforeAll(() => {
  project = scratch({ git: true });
  project.write('.lockstep/workflows/careful.yaml', FLOW);
  project.write('.lockstep/workflows/driven.yaml', DRIVEN);
});
afterAll(() => project.remove());

describe.each(REVISIONS)('a person, revision %s', (revision) => {
  it('MCP-ELICIT: is asked by the client, and the run goes on with what they said', async () => {
    const asked: string[] = [];
    const answers: Record<string, object> = {
      'Which door?': { answer: 'left' },
      'Is the colour right?': { answer: asked.length === 1 ? 'reject' : 'approve', note: 'too dark' },
    };
    const session = await connect(project, {
      revision,
      person: (message) => {
        const [first = ''] = message.split('\n');
        asked.push(first);
        return { action: 'accept', content: answers[first] as Record<string, string> };
      },
    });
    const first = await session.call('start_workflow', { workflowId: 'careful' });
    expect(asked).toEqual(['Which door?']);
    expect(first.value).toMatchObject({ pending: { prompt: 'Paint the left door.' } });
    const end = await session.call('continue_workflow', {
      continueToken: first.value.continueToken,
      output: { notesMarkdown: 'It is green.' },
    });
    expect(asked).toEqual(['Which door?', 'Is the colour right?']);
    expect(end.value).toMatchObject({ kind: 'ok', isComplete: true, outputs: { said: 'It is green.' } });
    await session.close();
    const story = project.lockstep('audit', first.value.runId, '--json').stdout;
    expect(story.match(/"run-started"/g)).toHaveLength(1);
    expect(story.match(/"claim-received"/g)).toHaveLength(1);
    expect(story.match(/"question-answered"/g)).toHaveLength(2);
    expect(story.match(/put into a form of an MCP client/g)).toHaveLength(2);
  });

  it('MCP-ELICIT: who says no is not asked again in this call, and nothing goes on', async () => {
    const session = await connect(project, { revision, person: () => ({ action: 'decline' }) });
    const first = await session.call('start_workflow', { workflowId: 'careful' });
    expect(first.value).toMatchObject({ nextIntent: 'await_user_confirmation', pending: null });
    await session.close();
  });

  it('MCP-PLAIN-QUESTION: where the client cannot ask, the answer has the question and the command to type', async () => {
    const session = await connect(project, { revision });
    const first = await session.call('start_workflow', { workflowId: 'careful' });
    expect(first.value).toMatchObject({
      nextIntent: 'await_user_confirmation',
      questions: [{ kind: 'ask', text: 'Which door?', choices: ['left', 'right'] }],
    });
    expect(first.text).toContain(first.value.questions[0].answerWith[1]);
    expect(elsewhere(project, first.value.questions[0].answerWith[1])).toBe(3);
    const next = await session.call(first.value.nextCall.tool, first.value.nextCall.params);
    expect(next.value).toMatchObject({ kind: 'ok', pending: { prompt: 'Paint the right door.' } });
    await session.close();
  });

  it('RAIL-GATE: work that a person has to confirm is answered with gate_checkpoint, until they have said yes or no', async () => {
    const session = await connect(project, { revision });
    const first = await session.call('start_workflow', { workflowId: 'careful' });
    elsewhere(project, `lockstep answer ${first.value.runId} left`);
    const step = await session.call(first.value.nextCall.tool, first.value.nextCall.params);
    expect(step.value.kind).toBe('ok');
    const handIn = (continueToken: string) =>
      session.call('continue_workflow', { continueToken, output: { notesMarkdown: 'It is green.' } });
    const gate = await handIn(step.value.continueToken);
    expect(gate.value).toMatchObject({
      ...{ kind: 'gate_checkpoint', pending: null, nextIntent: 'await_user_confirmation' },
      questions: [{ kind: 'approve', text: 'Is the colour right?' }],
    });
    const { tool, params } = gate.value.nextCall;
    expect((await session.call(tool, params)).value.kind).toBe('gate_checkpoint');
    elsewhere(project, `lockstep answer ${first.value.runId} reject --note dark`);
    const again = await session.call(tool, params);
    expect(again.value).toMatchObject({ kind: 'ok', stepContext: { try: 2 } });
    expect((await handIn(again.value.continueToken)).value.kind).toBe('gate_checkpoint');
    elsewhere(project, `lockstep answer ${first.value.runId} approve`);
    expect((await session.call(tool, params)).value).toMatchObject({ kind: 'ok', isComplete: true });
    await session.close();
  });

  it('MCP-PLAIN-QUESTION: the client does not answer from a shell of its own, nor at a terminal that it makes', async () => {
    const session = await connect(project, { revision });
    const first = await session.call('start_workflow', { workflowId: 'careful' });
    const { runId } = first.value;
    for (const command of first.value.questions[0].answerWith) {
      const refused = project.sh(command);
      expect(refused).toMatchObject({ exitCode: 2 });
      expect(refused.stderr).toContain('below a client that is led through a workflow, or held to one (');
    }
    project.sh(`(sleep 1; echo 2; sleep 1) | script -qec 'lockstep resume ${runId}' /dev/null`);
    const { nextCall } = first.value;
    const still = await session.call(nextCall.tool, nextCall.params);
    expect(still.value).toMatchObject({ pending: null, questions: [{ text: 'Which door?' }] });
    await session.close();
  });

  it('MCP-RUNS: a run that Lockstep drives: begun, looked at, its question put to a person, and it goes on', async () => {
    let answered = 0;
    const session = await connect(project, {
      revision,
      person: () => {
        answered += 1;
        return { action: 'accept', content: { answer: 'yes-please' } };
      },
    });
    const { value } = await session.call('run_workflow', { workflowId: 'driven' });
    const until = async (status: string) => {
      for (;;) {
        const now = await session.call('run_status', { runId: value.runId });
        if (now.value.status === status) return now;
      }
    };
    expect((await until('paused')).value.questions[0].answerWith[0]).toContain('lockstep answer');
    await session.call('run_question', { runId: value.runId });
    expect((await until('completed')).value).toMatchObject({ drive: 'run', done: 2 });
    expect(answered).toBe(1);
    await session.close();
  });

  it('MCP-SKIPS: checks are left out only where a person agrees', async () => {
    const given = { workflow: 'careful', skipStepNames: ['which'] };
    const mute = await connect(project, { revision });
    expect((await mute.call('session_start', given)).value.refused).toMatchObject({
      code: 'needs-person',
    });
    await mute.close();
    for (const agree of [false, true]) {
      const session = await connect(project, {
        revision,
        person: (message) => ({
          action: 'accept',
          content: (message.includes('to leave out') ? { agree } : { answer: 'no' }) as Record<
            string,
            string
          >,
        }),
      });
      const { value } = await session.call('session_start', {
        ...given,
        workflow: 'driven',
        skipStepNames: ['say'],
      });
      if (agree) expect(value.step).toMatchObject({ isComplete: true });
      else expect(value.refused.code).toBe('needs-person');
      await session.close();
    }
  });
});
