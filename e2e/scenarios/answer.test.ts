// A prompt goes out to the letter, an answer comes back, and the session has an id.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const PROMPT = 'What is “it”?\n  $(date) `x` {not} %s \\n\n-- --help';

scenario(
  'a prompt is asked and answered',
  { model: { 'What is “it”?': [say('It is Paris.')] } },
  async (scene) => {
    const steps = `
  - id: ask
    prompt:
      text: |-
${PROMPT.replaceAll(/^/gm, '        ')}
`;
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    const outcome = ended.outcome('ask');
    expect(outcome).toMatchObject({ ok: true, output: 'It is Paris.', provider: scene.client.provider });
    expect(outcome.session).toMatch(/^[\w-]{8,}$/);
    const asked = scene.requests[0]?.messages.map(({ text }) => text).join('\n');
    expect(asked).toContain(PROMPT);
    expect(ended.state).toMatchObject({ status: 'completed', steps: { ask: { output: 'It is Paris.' } } });
  },
);
