// What an agent is told before any task.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const MANNER = 'You answer in the manner of a lighthouse keeper.';

scenario(
  'the body of the agent is what the model is told first',
  {
    files: { '.lockstep/agents/keeper.md': `---\ndescription: Keeps.\n---\n${MANNER}\n` },
    model: { 'How is the sea?': [say('Rough.')] },
  },
  async (scene) => {
    const ended = await scene.run(
      flow(scene.client, `  - { id: ask, agent: keeper, prompt: { text: 'How is the sea?' } }\n`),
    );
    expect(ended.exitCode).toBe(0);
    const [asked] = scene.requests;
    const whole = [asked?.system, ...(asked?.messages.map(({ text }) => text) ?? [])].join('\n');
    expect(whole).toContain(MANNER);
    expect(whole.indexOf(MANNER)).toBeLessThan(whole.indexOf('How is the sea?'));
  },
);
