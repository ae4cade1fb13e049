// done.schema: what fits is the output; what does not goes back, in the same session, with the exact errors.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { answer, say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const steps = `
  - id: judge
    prompt: { text: Judge the change }
    done:
      schema:
        type: object
        properties: { verdict: { enum: [good, bad] }, score: { type: integer } }
        required: [verdict, score]
        additionalProperties: false
      tries: 2
`;
const GOOD = { verdict: 'good', score: 7 };

scenario(
  'an answer that fits the schema is the output',
  { model: { 'Judge the change': [answer(GOOD)] } },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    expect(ended.outcome('judge')).toMatchObject({ ok: true, output: GOOD, violations: [] });
    expect(ended.entries('work-rejected')).toEqual([]);
  },
);

scenario(
  'JSON in one fenced block counts as an answer, whatever the client',
  { model: { 'Judge the change': [say(`So:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\`\n`)] } },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.outcome('judge')).toMatchObject({ output: GOOD, violations: [] });
    expect(ended.exitCode).toBe(0);
  },
);

scenario(
  'an answer that does not fit goes back with the exact errors, in the same session',
  {
    model: {
      // In a session that goes on only the reasons are told, so this part begins there.
      'must have the property "score"': [answer(GOOD)],
      'Judge the change': [say('{"verdict": "good"}')],
    },
  },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    const [rejected] = ended.entries('work-rejected');
    expect(rejected).toMatchObject({ path: 'judge', try: 1, again: true });
    const last = scene.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
    expect(last.join('\n')).toContain('Judge the change');
    expect(last.join('\n')).toContain('{"verdict": "good"}');
    for (const reason of rejected?.reasons ?? ['none']) expect(last.join('\n')).toContain(reason);
    expect(ended.outcome('judge').output).toEqual(GOOD);
  },
);

scenario(
  'success without structured output is not done',
  { model: { 'Judge the change': [say('It looks good to me.')], JSON: [say('As I said.')] } },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(3);
    expect(ended.entries('work-rejected').map(({ again }) => again)).toEqual([true, false]);
    expect(ended.state.status).toBe('paused');
  },
);
