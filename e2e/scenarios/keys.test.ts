// Keys and secrets go through the environment and nowhere else.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, say } from '../support/model.ts';
import { commandLine, eventually } from '../support/processes.ts';
import { scenario } from '../support/scenario.ts';

const SECRET = 'a-secret-of-the-step-77';
const PROMPT = 'Wait for the file';

scenario(
  'no key, secret or prompt stands in a command line, and no key or secret in anything that is kept',
  {
    env: { PASSPHRASE: SECRET },
    model: {
      [PROMPT]: [
        bash('while [ ! -e go ]; do sleep 0.05; done; echo "[$PASSPHRASE]"; echo "$PASSPHRASE" >&2'),
        say(`It said ${SECRET}, I believe.`),
      ],
    },
  },
  async (scene) => {
    const steps = `  - { id: work, secrets: [PASSPHRASE], prompt: { text: '${PROMPT}' } }\n`;
    const running = scene.start(flow(scene.client, steps));
    await eventually(() => scene.processes().some((pid) => commandLine(pid).startsWith('sleep 0.05')));
    const lines = scene.processes().map(commandLine);
    scene.write('go', '');
    const ended = await running.ended;

    expect(ended.exitCode).toBe(0);
    expect(JSON.stringify(scene.requests[0]?.headers), 'the key reached the API').toContain(scene.key);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines)
      for (const text of [scene.key, SECRET, PROMPT]) expect(line).not.toContain(text);
    expect(ended.outcome('work').output).toBe('It said ***, I believe.');
    for (const [file, text] of Object.entries({ ...ended.files, printed: ended.stdout + ended.stderr })) {
      for (const value of [scene.key, SECRET]) expect(text, file).not.toContain(value);
    }
  },
);
