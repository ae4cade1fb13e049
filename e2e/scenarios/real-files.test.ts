// The agent's own tools change real files.

import { expect } from 'vitest';
import { flow } from '../support/flow.ts';
import { bash, edit, read, say, write } from '../support/model.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  'the agent writes, reads, edits and runs commands, unattended',
  {
    files: { 'notes.txt': 'one\ntwo\n' },
    model: {
      'Do the work': [
        write('made.txt', 'made “here”\n'),
        read('notes.txt'),
        edit('notes.txt', 'two', 'three'),
        bash('cat made.txt notes.txt > both.txt'),
        say('Done.'),
      ],
    },
  },
  async (scene) => {
    const ended = await scene.run(flow(scene.client, '  - { id: work, prompt: { text: Do the work } }\n'));
    expect(ended.exitCode).toBe(0);
    expect(scene.read('both.txt')).toBe('made “here”\none\nthree\n');
    expect(scene.sh('git status --porcelain')).toBe(' M notes.txt\n?? both.txt\n?? made.txt\n');
    expect(ended.outcome('work').output).toBe('Done.');
    expect(ended.stdout + ended.stderr).toContain('3 files: both.txt, made.txt and notes.txt');
  },
);
