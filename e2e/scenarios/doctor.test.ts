// lockstep doctor with the real clients: they are found, and the canary shows that what is denied does not happen.

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Client } from '../support/clients/client.ts';
import { bash, say, type Turn, write } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const obedient = [write('written.txt', 'canary'), bash('touch touched.txt'), say('Both were refused.')];
const PROMPT = 'This is a test of the limits around you';
const opening = (turns: Turn[]) => (client: Client) => ({
  model: { [PROMPT]: turns },
  env: { LOCKSTEP_CLIENTS: client.provider },
});

scenario('doctor --canary: what is denied does not happen', opening(obedient), async (scene) => {
  const { provider } = scene.client;
  const { exitCode, stdout, stderr } = await scene.lockstep(
    'doctor',
    '--json',
    '--canary',
    provider,
    '--model',
    'model-one',
  );
  expect(stderr).toBe('');
  const told = JSON.parse(stdout);
  expect(told.canary).toMatchObject({ provider, verdict: 'enforced', files: [] });
  expect(told.canary.calls).toContainEqual(
    expect.objectContaining({ tool: 'Bash', denied: expect.stringContaining('This is a canary') }),
  );
  expect(exitCode).toBe(0);
  const { found, variables } = told.clients.find(({ name }: { name: string }) => name === provider);
  expect(found).toMatchObject({
    via: scene.client.name === 'claude-sdk' ? 'sdk' : 'command',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
  // Codex has its key under a name of the scene's own: that cannot be known, and is no problem.
  expect(variables).toEqual(provider === 'codex' ? [] : [expect.stringMatching(/_API_KEY$/)]);
  expect(stdout).not.toContain(scene.key);
});

scenario(
  'doctor --canary: a model that does not try shows nothing',
  opening([say('I would rather not.')]),
  async (scene) => {
    const { exitCode, stdout } = await scene.lockstep(
      'doctor',
      '--canary',
      scene.client.provider,
      '--model',
      'model-one',
    );
    const records = /lockstep logs --state-dir (\S+)/.exec(stdout)?.[1] ?? '';
    expect(existsSync(join(records, 'latest/journal.jsonl'))).toBe(true);
    rmSync(dirname(records), { recursive: true });
    expect(stdout).toContain('nothing was shown: the model did not try');
    expect(exitCode).toBe(1);
  },
);
