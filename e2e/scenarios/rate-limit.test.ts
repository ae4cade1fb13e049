// Rate limits and overload have classes of their own, and the time that the server names is kept.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const step = (on: string) =>
  `  - { id: work, retry: { max: 1, delay: 10ms, on: [${on}] }, prompt: { text: Do it } }\n`;

scenario(
  'a rate limit: the next try comes no sooner than the server says',
  {
    // Claude tells nobody how long to wait, and waits itself where it may try again.
    env: { CLAUDE_CODE_MAX_RETRIES: '1' },
    model: { 'Do it': { openings: [[{ error: { status: 429, retryAfter: 3 } }], [say('Done.')]] } },
  },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, step('rate-limit')));
    expect(ended.exitCode).toBe(0);
    const [first, second] = scene.requests.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(3000);
  },
  {
    codex: {
      why: 'it does not say how long; class rate-limit, and our own delay',
      async instead(scene) {
        const ended = await scene.run(flow(scene.client, step('rate-limit')));
        expect(ended.exitCode).toBe(0);
        expect(ended.entries('attempt-finished')[0]?.outcome.error?.class).toBe('rate-limit');
        expect(ended.entries('retry-scheduled')).toHaveLength(1);
      },
    },
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
