// Rate limits and overload have classes of their own, and the time that the server names is kept.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const step = (on: string) =>
  `  - { id: work, retry: { max: 1, delay: 10ms, on: [${on}] }, prompt: { text: Do it } }\n`;

scenario(
  'a rate limit: it waits as long as the server says, then tries again',
  { model: { 'Do it': { openings: [[{ error: { status: 429, retryAfter: 2 } }], [say('Done.')]] } } },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, step('rate-limit')));
    expect(ended.exitCode).toBe(0);
    const [retry] = ended.entries('retry-scheduled');
    expect(retry?.delay_ms).toBe(2000);
    const [first, second] = ended.entries('attempt-started');
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2000);
  },
);

scenario(
  'an API that has too much to do is class overloaded',
  ({ overloaded }) => ({
    model: { 'Do it': { openings: [[{ error: { status: overloaded } }], [say('Done.')]] } },
  }),
  async (scene) => {
    const ended = await scene.run(flow(scene.client, step('overloaded')));
    expect(ended.exitCode).toBe(0);
    expect(ended.entries('attempt-finished')[0]?.outcome.error?.class).toBe('overloaded');
  },
);
