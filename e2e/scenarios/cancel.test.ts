// Ctrl-C ends the client and all that it started; `lockstep resume` goes on.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, say } from '../support/model.ts';
import { commandLine, eventually } from '../support/processes.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  'Ctrl-C ends the client and what its tools started; resume goes on',
  {
    model: {
      'Wait long': {
        openings: [[bash('sh -c \'trap "" TERM; sleep 3333; true\''), say('Late.')], [say('Done.')]],
      },
    },
  },
  async (scene) => {
    const running = scene.start(flow(scene.client, '  - { id: work, prompt: { text: Wait long } }\n'));
    await eventually(() => scene.processes().some((pid) => commandLine(pid) === 'sleep 3333'));
    running.send('SIGINT');
    const ended = await running.ended;
    expect(ended.exitCode).toBe(130);
    expect(ended.entries('run-interrupted')).toHaveLength(1);
    expect(scene.processes().map(commandLine)).toEqual([]);

    const resumed = await scene.lockstep('resume');
    expect(resumed.exitCode).toBe(0);
    expect(resumed.outcome('work').output).toBe('Done.');
  },
);
