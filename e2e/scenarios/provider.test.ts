// Which client answers where nobody says.

import { expect } from 'vitest';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  'where no provider is named, the first client found answers',
  { model: { 'Who are you?': [say('It is me.')] }, env: { LOCKSTEP_CLIENTS: '' } },
  async (scene) => {
    const ended = await scene.run(`lockstep: 1
name: flow
defaults: { model: model-one }
steps:
  - { id: ask, prompt: { text: 'Who are you?' } }
`);
    expect(ended.exitCode).toBe(0);
    expect(ended.outcome('ask')).toMatchObject({ provider: scene.client.provider, output: 'It is me.' });
  },
);
