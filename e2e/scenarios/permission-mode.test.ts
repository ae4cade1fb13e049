// permission_mode: each client's own way of holding back, or of not doing so.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, say, write } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const step = (mode: string) =>
  `  - { id: work, retry: { max: 0 }, params: { permission_mode: ${mode} }, prompt: { text: Do the work } }\n`;
const model = {
  'Do the work': [write('written.txt', 'written\n'), bash('echo ran > ran.txt'), say('Tried.')],
};

scenario('permission_mode plan: nothing is changed', { model }, async (scene) => {
  await scene.run(flow(scene.client, step('plan')));
  expect(scene.requests.length).toBeGreaterThan(1);
  expect(scene.sh('git status --porcelain')).toBe('');
});

scenario('permission_mode bypassPermissions: it works, as root too', { model }, async (scene) => {
  const ended = await scene.run(flow(scene.client, step('bypassPermissions')));
  expect(ended.exitCode).toBe(0);
  expect([scene.read('written.txt'), scene.read('ran.txt')]).toEqual(['written\n', 'ran\n']);
  if (scene.client.provider === 'claude' && process.getuid?.() === 0) {
    expect(ended.outcome('work').warnings?.join('\n'), 'what it became is on record').toContain(
      'acceptEdits',
    );
  }
});
