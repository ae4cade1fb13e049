// A prompt goes out, an answer comes back, and the session has an id.

import { expect } from 'vitest';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  'a prompt is asked and answered',
  { model: { 'What is the capital of France?': [say('It is Paris.')] } },
  async (scene) => {
    const ended = await scene.run(`lockstep: 1
name: flow
defaults: { provider: ${scene.client.provider}, model: model-one }
steps:
  - { id: ask, prompt: { text: 'What is the capital of France?' } }
`);
    expect(ended.exitCode).toBe(0);
    const outcome = ended.outcome('ask');
    expect(outcome).toMatchObject({ ok: true, output: 'It is Paris.', provider: scene.client.provider });
    expect(outcome.session).toMatch(/^[\w-]{8,}$/);
  },
);
