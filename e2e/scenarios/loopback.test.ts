// No client tries to reach anything but the scripted model: every address that any process of a run connects or sends to,
// seen by strace. (The whole of e2e runs in a network namespace as well, where that is possible; there a try would fail,
// here it is seen.)

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';
import { addressesIn, isLoopback } from '../support/trace.ts';

const hasStrace = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0;

if (!hasStrace) {
  it.skip('no client tries to reach anything but loopback [skip: no strace that works here]');
} else {
  scenario(
    'no client tries to reach anything but loopback',
    {
      through: (base) => [
        ...['strace', '-f', '-qq', '-s', '256', '-o', join(base, 'trace.txt')],
        ...['-e', 'trace=connect,sendto,sendmsg,sendmmsg'],
      ],
      model: { 'Look around': [bash('ls'), say('Seen.')] },
    },
    async (scene) => {
      const ended = await scene.run(flow(scene.client, '  - { id: look, prompt: { text: Look around } }\n'));
      expect(ended.exitCode).toBe(0);
      const addresses = addressesIn(readFileSync(join(scene.root, '../trace.txt'), 'utf8'));
      const port = Number(new URL(scene.server.url).port);
      expect(addresses).toContainEqual({ address: '127.0.0.1', port });
      expect(addresses.filter((each) => !isLoopback(each))).toEqual([]);
    },
  );
}
