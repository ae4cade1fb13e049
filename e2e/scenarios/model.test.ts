// Which model answers: what the step says, else its agent, else the defaults.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  'the model is that of the step, else of the agent, else of the defaults',
  {
    files: { '.lockstep/agents/coder.md': '---\nmodel: model-two\n---\nYou write code.\n' },
    model: { 'First task': [say('one')], 'Second task': [say('two')], 'Third task': [say('three')] },
  },
  async (scene) => {
    const steps = `
  - { id: first, prompt: { text: First task } }
  - { id: second, agent: coder, prompt: { text: Second task } }
  - { id: third, agent: coder, model: model-three, prompt: { text: Third task } }
`;
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    const models = scene.requests.map(({ model }) => model);
    expect([...new Set(models)]).toEqual(['model-one', 'model-two', 'model-three']);
    expect(ended.outcome('third').model).toBe('model-three');
  },
);
