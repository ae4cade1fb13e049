// `watch`: what starts another run, what does not, and how it ends.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { endStarted, journal, projectWith, runIds, type Started, start, until } from './started.ts';

const NOTE = (text: string) => `lockstep: 1
name: note
steps:
  - { id: note, run: 'echo ${text} >> notes.txt' }
`;

let project: Scratch;
afterEach(() => {
  endStarted();
  project.remove();
});

const lines = (file: string) => {
  const path = join(project.root, file);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
};
/** Until it has printed so many times that it waits. */
const waits = (watch: Started, times = 1) => watch.shows(new RegExp(`(?:Watching .*){${times}}`, 's'));
async function ends(watch: Started): Promise<number | null> {
  watch.send('SIGINT');
  return (await watch.ended).exitCode;
}

describe('watch', () => {
  it('runs, and again once its file has changed, says what changed, and ends on SIGINT', async () => {
    project = projectWith({ 'note.yaml': NOTE('one') });
    const watch = start(project, 'watch', 'note.yaml');
    await waits(watch);
    expect(watch.output()).toContain('Watching note.yaml.');
    project.write('note.yaml', NOTE('two'));
    await waits(watch, 2);
    expect(watch.output()).toContain('Changed: note.yaml. Running again.');
    expect(lines('notes.txt')).toEqual(['one', 'two']);
    expect(runIds(project)).toHaveLength(2);
    expect(await ends(watch)).toBe(0);
  });

  it('a change while a run goes on starts exactly one more run after it', async () => {
    const slow = (word: string) => `lockstep: 1
name: slow
steps:
  - { id: slow, run: 'echo ${word} >> begun; until test -f go; do sleep 0.02; done; echo ${word} >> ended' }
`;
    project = projectWith({ 'slow.yaml': slow('one') });
    const watch = start(project, 'watch', 'slow.yaml');
    await until(() => lines('begun').length === 1);
    project.write('slow.yaml', slow('two'));
    project.write('slow.yaml', slow('three'));
    project.write('go', '');
    await waits(watch, 2);
    expect(lines('ended')).toEqual(['one', 'three']);
    expect(runIds(project)).toHaveLength(2);
    expect(await ends(watch)).toBe(0);
  });

  it('SIGINT interrupts the run that goes on, which can then be resumed', async () => {
    project = projectWith({
      'slow.yaml':
        "lockstep: 1\nname: slow\nsteps: [{ id: slow, run: 'echo > begun; until test -f go; do sleep 0.02; done' }]\n",
    });
    const watch = start(project, 'watch', 'slow.yaml');
    await until(() => existsSync(join(project.root, 'begun')));
    expect(await ends(watch)).toBe(130);
    expect(journal(project).at(-1)?.kind).toBe('run-interrupted');
    project.write('go', '');
    expect(project.lockstep('resume').exitCode).toBe(0);
  });

  it('watches prompt files, reads, agents and the script, and not what steps save or runs write', async () => {
    project = projectWith({
      'made.yaml': `lockstep: 1
name: made
steps:
  - { id: out, run: [date], save_to: out.txt }
  - id: ask
    agent: writer
    prompt: { file: ask.md }
    reads: { files: ['data/*.csv', out.txt], inject: list }
  - { id: done, run: 'echo again >> rounds' }
`,
      '.lockstep/agents/writer.md': '---\nname: writer\ndescription: Writes.\n---\nYou write.\n',
      'ask.md': 'Ask.\n',
      'data/a.csv': '1\n',
      's.yaml': 'answers: { "*": { text: ok } }\n',
    });
    const watch = start(project, 'watch', 'made.yaml', '--script', 's.yaml');
    const changes: [string, string, string][] = [
      ['ask.md', 'Ask again.\n', 'ask.md'],
      ['data/a.csv', '2\n', 'data/a.csv'],
      ['data/b.csv', '3\n', 'data/b.csv'],
      [
        '.lockstep/agents/writer.md',
        '---\nname: writer\ndescription: W.\n---\nYou.\n',
        '.lockstep/agents/writer.md',
      ],
      ['s.yaml', 'answers: { "*": { text: yes } }\n', 's.yaml'],
    ];
    let times = 1;
    await waits(watch, times);
    expect(watch.output()).not.toContain('out.txt,');
    for (const [path, text, said] of changes) {
      project.write(path, text);
      times += 1;
      await waits(watch, times);
      expect(watch.output()).toContain(`Changed: ${said}. Running again.`);
    }
    expect(lines('rounds')).toHaveLength(times);
    // What it writes itself, what nobody names, and a file saved as it was: the next change is the first that counts.
    project.write('out.txt', 'by hand');
    project.write('unrelated.txt', 'x');
    project.write('ask.md', 'Ask again.\n');
    project.write('data/a.csv', '4\n');
    await waits(watch, times + 1);
    expect(watch.output().trimEnd().split('Changed: ').at(-1)).toMatch(/^data\/a\.csv\. Running again\./);
    expect(lines('rounds')).toHaveLength(times + 1);
    expect(await ends(watch)).toBe(0);
  });

  it('a file that the run itself rewrites does not start another, and that is said', async () => {
    project = projectWith({
      'self.yaml': `lockstep: 1
name: self
steps:
  - { id: prepare, run: 'date +%s%N > prompt.md' }
  - { id: ask, prompt: { file: prompt.md } }
`,
      'prompt.md': 'First.\n',
      's.yaml': 'answers: { "*": { text: ok } }\n',
    });
    const watch = start(project, 'watch', 'self.yaml', '--script', 's.yaml');
    await waits(watch);
    expect(watch.output()).toContain('Changed while it ran, and taken for its own work: prompt.md.');
    project.write('self.yaml', `${readFileSync(join(project.root, 'self.yaml'), 'utf8')}# a note\n`);
    await waits(watch, 2);
    expect(watch.output()).toContain('Changed: self.yaml. Running again.');
    expect(runIds(project)).toHaveLength(2);
    expect(await ends(watch)).toBe(0);
  });

  it('mistakes are told and waited for; so is a file that is gone for a while', async () => {
    project = projectWith({ 'note.yaml': NOTE('one') });
    const watch = start(project, 'watch', 'note.yaml');
    await waits(watch);
    project.write('note.yaml', NOTE('two').replace('run:', 'rum:'));
    await waits(watch, 2);
    await watch.shows(/error\[unknown-field\]/);
    project.sh('rm note.yaml');
    await waits(watch, 3);
    await watch.shows(/error\[workflow-not-found\]/);
    project.write('note.yaml', NOTE('three'));
    await waits(watch, 4);
    expect(lines('notes.txt')).toEqual(['one', 'three']);
    expect(await ends(watch)).toBe(0);
  });

  it('with --json says everything as JSON; what is not there at all is wrong input', async () => {
    project = projectWith({ 'note.yaml': NOTE('one') });
    expect(project.lockstep('watch', 'nothing.yaml')).toMatchObject({ exitCode: 2 });
    expect(runIds(project)).toEqual([]);
    const watch = start(project, 'watch', 'note.yaml', '--json');
    await watch.shows(/"kind":"watching"/);
    project.write('note.yaml', NOTE('two'));
    await watch.shows(/"kind":"changed".*"kind":"watching"/s);
    await ends(watch);
    const kinds = watch
      .output()
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds.filter((kind) => ['watching', 'changed', 'summary'].includes(kind))).toEqual([
      'summary',
      'watching',
      'changed',
      'summary',
      'watching',
    ]);
  });
});
