// The client dies in the middle of its work.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { end, eventually } from '../support/processes.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  'a client that is killed fails the dispatch, which is made again',
  { model: { 'Do it': { openings: [[{ hang: true }], [say('Done.')]] } } },
  async (scene) => {
    const steps =
      '  - { id: work, retry: { max: 1, delay: 10ms, on: [error, exit] }, prompt: { text: Do it } }\n';
    const running = scene.start(flow(scene.client, steps));
    await eventually(() => scene.requests.length > 0);
    for (const pid of scene.processes()) if (pid !== running.pid) end(pid);
    const ended = await running.ended;
    expect(ended.exitCode).toBe(0);
    const [first] = ended.entries('attempt-finished');
    expect(first?.outcome.ok).toBe(false);
    expect(['exit', 'error']).toContain(first?.outcome.error?.class);
    expect(ended.outcome('work').output).toBe('Done.');
  },
);
