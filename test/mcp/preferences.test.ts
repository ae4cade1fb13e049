// What a client may not choose at the start: whether a person is asked, and the state that its steps depend on.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';
import { connect, type Session } from './client.ts';

/** As other systems write them: the preference is an input of what is made of it. */
const FOREIGN = JSON.stringify({
  id: 'confirmed',
  name: 'Confirmed',
  description: 'A person confirms the first step.',
  version: '1.0.0',
  steps: [
    { id: 'one', title: 'One', prompt: 'Do one.', requireConfirmation: true },
    { id: 'two', title: 'Two', prompt: 'Do two.' },
  ],
});

const OWN = `lockstep: 1
name: own
inputs:
  careful: { type: boolean, default: true }
  title: { type: string, default: none }
vars: { needs_proof: true }
steps:
  - { id: sub, workflow: inner, with: { ask_person: "{{ inputs.careful }}" } }
  - id: proof
    if: vars.needs_proof
    prompt: { text: "Prove it." }
    done: { run: ["false"] }
`;

const INNER = `lockstep: 1
name: inner
inputs: { ask_person: { type: boolean, default: true } }
steps:
  - id: work
    prompt: { text: "Do it." }
    done: { approve: { ask: "Right?", if: inputs.ask_person } }
`;

describe('MCP-PREFERENCES: a client does not choose', () => {
  let project: Scratch;
  let session: Session;
  beforeAll(async () => {
    project = scratch({ git: true });
    project.write('.lockstep/workflows/confirmed.json', FOREIGN);
    project.write('.lockstep/workflows/own.yaml', OWN);
    project.write('.lockstep/workflows/inner.yaml', INNER);
    session = await connect(project);
  });
  afterAll(async () => {
    await session.close();
    project.remove();
  });

  const never = { autonomy: 'full_auto_never_stop' };
  it.each([
    [
      'whether a person confirms, by an input',
      'start_workflow',
      { workflowId: 'confirmed', inputs: never },
      'needs-person',
    ],
    [
      'whether a person confirms, by context',
      'start_workflow',
      { workflowId: 'confirmed', context: never },
      'needs-person',
    ],
    ['the same for a session', 'session_start', { workflow: 'confirmed', inputs: never }, 'needs-person'],
    [
      'the same for a run of its own',
      'run_workflow',
      { workflowId: 'confirmed', inputs: never },
      'needs-person',
    ],
    [
      'what a called workflow is told about it',
      'start_workflow',
      { workflowId: 'own', inputs: { careful: false } },
      'needs-person',
    ],
    [
      'the state that a condition reads',
      'start_workflow',
      { workflowId: 'own', context: { needs_proof: false } },
      'input-not-yours',
    ],
  ])('%s', async (_, tool, given, code) => {
    const before = (await session.call('resume_session')).value;
    expect((await session.call(tool, given)).value.refused).toMatchObject({ code });
    expect((await session.call('resume_session')).value).toEqual(before);
  });

  it('and is led on with what it may say: other inputs, the goal, and a preference that changes nothing', async () => {
    const inputs = { careful: true, title: 'Painted' };
    const own = await session.call('start_workflow', { workflowId: 'own', goal: 'A door', inputs });
    expect(own.value.pending).toMatchObject({ prompt: 'Do it.' });
    const given = { workflowId: 'confirmed', inputs: { autonomy: 'guided' } };
    const { value } = await session.call('start_workflow', given);
    const next = await session.call('continue_workflow', {
      continueToken: value.continueToken,
      output: { notesMarkdown: 'Done.' },
      context: never,
    });
    expect(next.value).toMatchObject({ pending: null, questions: [{ kind: 'approve' }] });
  });
});
