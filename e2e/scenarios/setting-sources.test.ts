// setting_sources: the project's own settings hold inside the agent, its hooks fire.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';
import type { Scene } from '../support/scene.ts';

const command = 'touch fired.txt';
const hooks = (event: string) =>
  JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command, name: 'mark' }] }] } });
const files = {
  '.claude/settings.json': hooks('UserPromptSubmit'),
  '.codex/hooks.json': hooks('UserPromptSubmit'),
  '.gemini/settings.json': hooks('BeforeAgent'),
};
const step = (id: string, sources: string) =>
  `  - { id: ${id}, params: { setting_sources: ${sources} }, prompt: { text: Say hello } }\n`;

const always = {
  why: 'it always loads the settings of the project',
  async instead(scene: Scene) {
    const ended = await scene.run(flow(scene.client, step('hello', '[]')));
    expect(ended.exitCode).toBe(0);
    expect(ended.outcome('hello').warnings?.join('\n')).toContain('setting_sources');
    expect(scene.exists('fired.txt')).toBe(true);
  },
};

scenario(
  "setting_sources: the project's hooks fire where it is named, and not where it is not",
  { files, model: { 'Say hello': [say('Hello.')] } },
  async (scene) => {
    const without = await scene.run(flow(scene.client, step('hello', '[]')));
    expect([without.exitCode, scene.exists('fired.txt')]).toEqual([0, false]);
    const ended = await scene.run(flow(scene.client, step('hello', '[project]')));
    expect([ended.exitCode, scene.exists('fired.txt')]).toEqual([0, true]);
  },
  { gemini: always },
);
