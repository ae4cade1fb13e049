// max_turns: an agent that goes on and on is ended.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const steps =
  '  - { id: work, retry: { max: 0 }, params: { max_turns: 2 }, prompt: { text: Go on and on } }\n';

scenario(
  'max_turns: the step fails when they are used up',
  {
    model: {
      'Go on and on': [...Array.from({ length: 6 }, (_, at) => bash(`echo ${at} >> log.txt`)), say('Done.')],
    },
  },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(1);
    expect(ended.outcome('work').error?.message).toMatch(/turn/i);
    expect(scene.requests.length).toBeLessThanOrEqual(3);
  },
  {
    codex: {
      why: 'no such setting',
      async instead(scene) {
        const ended = await scene.run(flow(scene.client, steps));
        expect(ended.exitCode).toBe(0);
        expect(ended.outcome('work').warnings?.join('\n')).toContain('max_turns');
      },
    },
  },
);
