// The answer breaks off, or is no answer: never taken for one.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

for (const stream of ['cut', 'garbage'] as const) {
  scenario(
    stream === 'cut'
      ? 'a stream that breaks off fails the dispatch'
      : 'a stream of garbage fails the dispatch',
    { model: { 'Do it': { openings: [[{ ...say('Half an answer.'), stream }], [say('Whole.')]] } } },
    async (scene) => {
      const steps =
        '  - { id: work, retry: { max: 1, delay: 10ms, on: [error, exit, overloaded] }, prompt: { text: Do it } }\n';
      const ended = await scene.run(flow(scene.client, steps));
      expect(ended.exitCode).toBe(0);
      expect(ended.outcome('work').output).toBe('Whole.');
    },
  );
}
