// What an agent did can be read afterwards, and by a program while it happens.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, say, write } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

const steps = `
  - id: work
    tools: { deny: ['Bash(rm *)'] }
    prompt: { text: Do the work }
`;

scenario(
  'the transcript has what was asked, said, done and denied',
  {
    files: { 'notes.txt': 'notes\n' },
    model: {
      'Do the work': [
        { ...write('made.txt', 'made\n'), say: 'I make a file first.' },
        bash('rm notes.txt'),
        say('All is done.'),
      ],
    },
  },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, steps));
    expect(ended.exitCode).toBe(0);
    const { stdout } = await scene.lockstep('logs', 'work');
    for (const text of [
      'Do the work',
      'I make a file first.',
      'Write',
      'made.txt',
      'rm notes.txt',
      'All is done.',
    ]) {
      expect(stdout).toContain(text);
    }
    expect(stdout).toMatch(/denied: .*Bash\(rm \*\)/);
    expect(stdout.match(/All is done\./g)).toHaveLength(1);
    expect(ended.files['logs/work.transcript']).toContain('made.txt');
  },
);

scenario(
  '--json: every entry is a line, the summary the last',
  { model: { 'Do the work': [bash('echo on'), say('Done.')] } },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, steps), '--json');
    expect(ended.exitCode).toBe(0);
    const lines = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string });
    const kinds = lines.map(({ kind }) => kind);
    for (const { kind } of ended.journal) expect(kinds).toContain(kind);
    expect(kinds.at(-1)).toBe('summary');
  },
);
