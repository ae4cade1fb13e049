// The repository is its own marketplace: Claude Code installs the plugin from this checkout, and its hooks hold a session.

import { resolve } from 'node:path';
import { expect } from 'vitest';
import { say, write } from '../support/model.ts';
import { heldScenario, type Unsupported } from '../support/scenario.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const ASKED = 'Please paint the door';
const none = (who: string): Unsupported => ({
  why: `${who} has no plugins of this kind; \`lockstep init --client\` installs the hooks`,
  instead: async (scene) => {
    const shown = await scene.lockstep('init', '--help');
    expect(shown.stdout).toContain(`"${scene.client.provider}"`);
  },
});

heldScenario(
  'the plugin is installed from this checkout, and its hooks hold a session',
  {
    model: { [ASKED]: [write('early.txt', 'x\n'), write('door.plan.md', '# Plan\n'), say('Planned.')] },
  },
  async (scene) => {
    for (const words of [
      ['plugin', 'validate', CHECKOUT],
      ['plugin', 'validate', resolve(CHECKOUT, 'plugin')],
      ['plugin', 'marketplace', 'add', CHECKOUT],
      ['plugin', 'install', 'lockstep@lockstep'],
    ]) {
      const ended = await scene.command('claude', ...words);
      expect(
        `${words.join(' ')}: ${ended.exitCode} ${ended.exitCode === 0 ? '' : ended.stdout + ended.stderr}`,
      ).toBe(`${words.join(' ')}: 0 `);
    }
    await scene.lockstep('workflow', 'set', 'plan-execute', '--input', 'test=true');
    const ended = await scene.held(ASKED);
    expect(ended.stdout).toContain('Planned.');
    expect(scene.exists('early.txt')).toBe(false);
    expect(scene.exists('door.plan.md')).toBe(true);
    const [run] = scene.runs('plan-execute');
    expect(run?.entries('question-asked')).toHaveLength(1);
  },
  { codex: none('Codex'), gemini: none('The Gemini CLI') },
);
