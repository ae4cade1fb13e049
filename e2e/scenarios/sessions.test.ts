// Each step is a fresh session unless it says `session:`.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const model = {
  'Think of a number': [say('I have one: forty-one.')],
  'Add one': [say('Forty-two.')],
};

/** All that the model saw when it was asked this. */
const seenWith = (scene: { requests: { system: string; messages: object[] }[] }, prompt: string) =>
  scene.requests
    .map(({ system, messages }) => system + JSON.stringify(messages))
    .filter((text) => text.includes(prompt))
    .join('\n');

scenario('a step does not see what another was asked or answered', { model }, async (scene) => {
  const steps = `
  - { id: think, prompt: { text: Think of a number } }
  - { id: add, prompt: { text: Add one } }
`;
  const ended = await scene.run(flow(scene.client, steps));
  expect(ended.exitCode).toBe(0);
  expect(seenWith(scene, 'Add one')).not.toMatch(/Think of a number|forty-one/);
  expect(seenWith(scene, 'Think of a number')).not.toContain('Add one');
  expect(ended.outcome('think').session).not.toBe(ended.outcome('add').session);
});

scenario('`session:` goes on in the session of an earlier step', { model }, async (scene) => {
  const steps = `
  - { id: think, prompt: { text: Think of a number } }
  - { id: other, run: ['true'] }
  - { id: add, session: think, prompt: { text: Add one } }
`;
  const ended = await scene.run(flow(scene.client, steps));
  expect(ended.exitCode).toBe(0);
  expect(ended.outcome('add').output).toBe('Forty-two.');
  expect(seenWith(scene, 'Add one')).toMatch(/Think of a number.*forty-one.*Add one/s);
});
