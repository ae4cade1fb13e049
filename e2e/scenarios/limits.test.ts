// limits: the next dispatch does not start, and the running one is ended.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';
import type { Scene } from '../support/scene.ts';

const limits = 'limits: { tokens: 1000 }';

scenario(
  'limits.tokens: the next step does not start',
  {
    model: {
      'First task': [{ ...say('one'), usage: { input: 2000, output: 10 } }],
      'Second task': [say('two')],
    },
  },
  async (scene) => {
    const steps = `
  - { id: first, prompt: { text: First task } }
  - { id: second, prompt: { text: Second task } }
`;
    const ended = await scene.run(flow(scene.client, steps, limits));
    expect(ended.exitCode).not.toBe(0);
    expect(ended.entries('limit-reached')).toMatchObject([{ limit: 'tokens' }]);
    expect(JSON.stringify(scene.requests)).not.toContain('Second task');
  },
);

const onAndOn = '  - { id: work, retry: { max: 0 }, prompt: { text: Go on and on } }\n';
const told = {
  why: 'it tells what it used only when it has answered',
  async instead(scene: Scene) {
    const ended = await scene.run(
      flow(scene.client, `${onAndOn}  - { id: next, prompt: { text: Next } }\n`, limits),
    );
    expect(ended.exitCode).not.toBe(0);
    expect(ended.outcome('work').output).toBe('Enough.');
    expect(ended.entries('limit-reached')).toMatchObject([{ limit: 'tokens' }]);
  },
};

scenario(
  'limits.tokens: the step that is running is ended',
  ({ provider }) => ({
    model: {
      'Go on and on': [
        { ...bash('echo on'), usage: { input: 2000, output: 10 } },
        { ...bash('echo on'), usage: { input: 2000, output: 10 } },
        ...(provider !== 'codex' ? [{ hang: true }] : [say('Enough.')]),
      ],
    },
  }),
  async (scene) => {
    const ended = await scene.run(flow(scene.client, onAndOn, limits));
    expect(ended.exitCode).not.toBe(0);
    expect(ended.entries('limit-reached')).toMatchObject([{ limit: 'tokens' }]);
  },
  { codex: told },
);
