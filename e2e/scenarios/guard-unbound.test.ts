// Hooks are installed, and nothing holds the sessions of this project: the client works as if they were not there.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bash, say, write } from '../support/model.ts';
import { heldScenario } from '../support/scenario.ts';

const ASKED = 'Please paint the door';

heldScenario(
  'a session that no workflow binds is told nothing, starts nothing and leaves nothing',
  { model: { [ASKED]: [write('door.txt', 'green\n'), bash('echo painted > log.txt'), say('Painted.')] } },
  async (scene) => {
    const { provider } = scene.client;
    expect((await scene.lockstep('init', '--client', provider, '--no-handoff', '--yes')).exitCode).toBe(0);
    const ended = await scene.held(ASKED);
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toContain('Painted.');
    expect(scene.read('door.txt') + scene.read('log.txt')).toBe('green\npainted\n');
    // Of all that the client printed and the model was told, nothing is of ours but the name of the folder of this test.
    const told = `${ended.stdout}${ended.stderr}${JSON.stringify(scene.requests.map(({ body }) => body))}`;
    expect(told.replaceAll(/lockstep-test-\w+/g, '')).not.toMatch(/lockstep/i);
    expect(scene.exists('.lockstep')).toBe(false);
    const home = join(scene.root, '../home/.lockstep');
    expect(existsSync(join(home, 'sessions'))).toBe(false);
    // What `init` keeps to be able to put the settings back: no socket, no log.
    expect(readdirSync(join(home, 'guard'))).toEqual(['replaced']);
    expect(scene.processes()).toEqual([]);
  },
);
