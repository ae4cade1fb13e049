// Where the agent works, and what it finds in its environment.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  'the agent works in the project, with the env of its step and the names of run and step',
  {
    model: {
      'Look around': [
        bash('pwd > seen.txt; echo "$LOCKSTEP_RUN $LOCKSTEP_STEP $COLOUR" >> seen.txt'),
        say('Seen.'),
      ],
    },
  },
  async (scene) => {
    const steps = `
  - id: around
    steps:
      - { id: look, env: { COLOUR: green }, prompt: { text: Look around } }
`;
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    const { run_id } = ended.state;
    expect(scene.read('seen.txt')).toBe(`${scene.root}\n${run_id} around/look green\n`);
  },
);
