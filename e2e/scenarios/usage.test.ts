// Tokens and cost of each step, and of the run.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, type Part, say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const model: Record<string, Part> = {
  'First task': [
    { ...bash('echo one'), usage: { input: 1000, output: 200 } },
    { ...say('one'), usage: { input: 1500, output: 50 } },
  ],
  'Second task': [{ ...say('two'), usage: { input: 3000, output: 70 } }],
};

scenario(
  'tokens are counted per step and run, and those of a continued session only once',
  { model },
  async (scene) => {
    const steps = `
  - { id: first, prompt: { text: First task } }
  - { id: second, session: first, prompt: { text: Second task } }
`;
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    expect(ended.outcome('first').usage).toMatchObject({ input_tokens: 2500, output_tokens: 250 });
    expect(ended.outcome('second').usage).toMatchObject({ input_tokens: 3000, output_tokens: 70 });
    expect(ended.stdout + ended.stderr).toContain('5,500 tokens in, 320 out');
  },
);

scenario('a price that nobody knows is unknown, never zero', { model }, async (scene) => {
  const ended = await scene.run(flow(scene.client, '  - { id: first, prompt: { text: First task } }\n'));
  expect(ended.outcome('first').usage?.cost).toBeNull();
  expect(ended.stdout + ended.stderr).toMatch(/Cost +unknown/);
});

const UNPRICED = {
  why: 'the client tells no price',
  instead: async (scene: Parameters<Parameters<typeof scenario>[2]>[0]) => {
    const ended = await scene.run(flow(scene.client, '  - { id: first, prompt: { text: First task } }\n'));
    expect(ended.outcome('first').usage?.cost).toBeNull();
  },
};

scenario(
  'cost is what the client says of a model whose price it knows',
  { model },
  async (scene) => {
    const steps = '  - { id: first, model: claude-sonnet-4-5, prompt: { text: First task } }\n';
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.outcome('first').usage?.cost).toBeGreaterThan(0);
    expect(ended.stdout + ended.stderr).toMatch(/Cost +\$0\.\d\d/);
  },
  { codex: UNPRICED, gemini: UNPRICED },
);
