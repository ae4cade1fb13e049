// setting_sources: the project's own settings hold inside the agent, its hooks fire.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { say } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';
import type { Scene } from '../support/scene.ts';

const hooks = {
  hooks: {
    UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'touch "$CLAUDE_PROJECT_DIR/fired.txt"' }] }],
  },
};
const step = (id: string, sources: string) =>
  `  - { id: ${id}, params: { setting_sources: ${sources} }, prompt: { text: Say hello } }\n`;

const warned = {
  why: 'it has no such notion',
  async instead(scene: Scene) {
    const ended = await scene.run(flow(scene.client, step('hello', '[project]')));
    expect(ended.exitCode).toBe(0);
    expect(ended.outcome('hello').warnings?.join('\n')).toContain('setting_sources');
  },
};

scenario(
  "setting_sources: the project's hooks fire where it is named, and not where it is not",
  {
    files: { '.claude/settings.json': JSON.stringify(hooks) },
    model: { 'Say hello': [say('Hello.')] },
  },
  async (scene) => {
    const without = await scene.run(flow(scene.client, step('hello', '[]')));
    expect([without.exitCode, scene.exists('fired.txt')]).toEqual([0, false]);
    const ended = await scene.run(flow(scene.client, step('hello', '[project]')));
    expect([ended.exitCode, scene.exists('fired.txt')]).toEqual([0, true]);
  },
  { codex: warned, gemini: warned },
);
