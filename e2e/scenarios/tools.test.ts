// tools: what is not allowed does not happen, and the model is told.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, edit, read, say, write } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const everything = [
  write('written.txt', 'written\n'),
  read('notes.txt'),
  bash('echo ran > ran.txt'),
  bash('rm notes.txt'),
  say('Tried.'),
];
const files = { 'notes.txt': 'the notes\n' };
const model = { 'Try everything': everything };
const step = (tools: string) => `  - { id: try, tools: ${tools}, prompt: { text: Try everything } }\n`;

scenario('tools.allow: nothing else is used', { files, model }, async (scene) => {
  const ended = await scene.run(flow(scene.client, step('{ allow: [Read, Write] }')));
  expect(ended.exitCode).toBe(0);
  expect(scene.read('written.txt')).toBe('written\n');
  expect([scene.exists('ran.txt'), scene.exists('notes.txt')]).toEqual([false, true]);
});

scenario('tools.deny: with a pattern, only what it covers', { files, model }, async (scene) => {
  const ended = await scene.run(flow(scene.client, step("{ deny: ['Write(written.txt)', 'Bash(rm *)'] }")));
  expect(ended.exitCode).toBe(0);
  expect([scene.exists('written.txt'), scene.exists('ran.txt'), scene.exists('notes.txt')]).toEqual([
    false,
    true,
    true,
  ]);
});

scenario('tools.allow: [] is none at all', { files, model }, async (scene) => {
  const ended = await scene.run(flow(scene.client, step('{ allow: [] }')));
  expect(ended.exitCode).toBe(0);
  expect(scene.sh('git status --porcelain')).toBe('');
});

scenario(
  'what steers git and clients is not written, with and without lists',
  {
    files,
    model: {
      'Loosen it': [
        write('.git/info/attributes', '* filter=x\n'),
        write('.claude/settings.json', '{"disableAllHooks":true}\n'),
        write('written.txt', 'written\n'),
        say('Tried.'),
      ],
    },
  },
  async (scene) => {
    const steps =
      '  - { id: free, prompt: { text: Loosen it } }\n  - { id: bound, tools: { allow: [Read, Write] }, prompt: { text: Loosen it } }\n';
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    expect([scene.exists('.git/info/attributes'), scene.exists('.claude/settings.json')]).toEqual([
      false,
      false,
    ]);
    expect(scene.read('written.txt')).toBe('written\n');
  },
);

scenario(
  'a pattern that denies Write denies every tool that writes the file',
  { files, model: { 'Edit it': [read('notes.txt'), edit('notes.txt', 'the', 'my'), say('Tried.')] } },
  async (scene) => {
    const steps = "  - { id: edit, tools: { deny: ['Write(notes.txt)'] }, prompt: { text: Edit it } }\n";
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    expect(scene.read('notes.txt')).toBe('the notes\n');
  },
);
