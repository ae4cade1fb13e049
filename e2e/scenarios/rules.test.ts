// rules: what a rule blocks does not happen, and the model gets the reason.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, edit, read, say, write } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const told = (scene: { requests: { messages: { text: string; results: { text: string }[] }[] }[] }) =>
  (scene.requests.at(-1)?.messages ?? [])
    .flatMap(({ text, results }) => [text, ...results.map((result) => result.text)])
    .join('\n');

scenario(
  'a rule blocks a call, and its reason reaches the model',
  { model: { 'Deploy it': [bash('touch deployed.txt'), bash('echo "no deploy" > log.txt'), say('Done.')] } },
  async (scene) => {
    const steps = `
  - id: deploy
    prompt: { text: Deploy it }
    rules:
      - { when: 'event.tool == "Bash" && event.command.startsWith("touch ")', block: 'Not on a {{ "Sunday" }}.' }
`;
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    expect([scene.exists('deployed.txt'), scene.exists('log.txt')]).toEqual([false, true]);
    expect(told(scene)).toContain('Not on a Sunday.');
  },
);

const reading = `
  - id: edit
    prompt: { text: Edit both }
    rules:
      - { when: 'event.tool in ["Edit", "Write"] && !(event.file in session.files_read)', block: 'Read {{ event.file }} first' }
`;

scenario(
  'a rule knows what the session has read so far',
  {
    files: { 'a.txt': 'one\n', 'b.txt': 'one\n' },
    model: {
      'Edit both': [read('a.txt'), edit('a.txt', 'one', 'two'), write('b.txt', 'two\n'), say('Done.')],
    },
  },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, reading));
    expect(ended.exitCode).toBe(0);
    expect([scene.read('a.txt'), scene.read('b.txt')]).toEqual(['two\n', 'one\n']);
    expect(told(scene)).toMatch(/Read \S*b\.txt first/);
  },
);

scenario(
  'a rule warns, and the call happens',
  { model: { 'Write it': [write('made.txt', 'made\n'), say('Done.')] } },
  async (scene) => {
    const steps = `
  - id: write
    prompt: { text: Write it }
    rules: [ { when: 'event.tool == "Write"', warn: 'Writing to {{ event.file }}.' } ]
`;
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    expect(scene.read('made.txt')).toBe('made\n');
    expect(JSON.stringify(ended.journal)).toMatch(/Writing to \S*made\.txt\./);
  },
);

scenario(
  'a rule rewrites a call, and what it became happens',
  { model: { 'Install it': [bash('echo install > how.txt'), say('Done.')] } },
  async (scene) => {
    const steps = `
  - id: install
    prompt: { text: Install it }
    rules: [ { when: 'event.tool == "Bash"', rewrite: { command: 'echo ci > how.txt' } } ]
`;
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    expect(scene.read('how.txt')).toBe('ci\n');
  },
);

scenario(
  'a rule whose text is blank blocks all the same',
  { model: { 'Deploy it': [bash('touch deployed.txt'), say('Done.')] } },
  async (scene) => {
    const steps = `
  - id: deploy
    prompt: { text: Deploy it }
    rules: [ { when: 'event.tool == "Bash"', block: '{{ " " }}' } ]
`;
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    expect(scene.exists('deployed.txt')).toBe(false);
  },
);
