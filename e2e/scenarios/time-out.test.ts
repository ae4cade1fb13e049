// A model that never answers: the step's time-out ends the client.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  'a client that waits for ever is ended by the time-out of its step',
  { model: { 'Do it': [{ hang: true }] } },
  async (scene) => {
    const ended = await scene.run(
      flow(scene.client, '  - { id: work, timeout: 8s, retry: { max: 0 }, prompt: { text: Do it } }\n'),
    );
    expect(ended.exitCode).toBe(1);
    expect(scene.requests.length).toBeGreaterThan(0);
    expect(ended.outcome('work')).toMatchObject({ ok: false, exit_code: 124, error: { class: 'timeout' } });
    expect(scene.processes()).toEqual([]);
  },
);
