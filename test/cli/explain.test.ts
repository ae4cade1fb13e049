// `lockstep explain CODE`, `lockstep help CODE`, and words that other tools have for our commands.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { projectWith } from './started.ts';

const HELLO = `lockstep: 1
name: hello
inputs: { n: { type: number }, who: { type: string, default: Ada } }
steps: [{ id: a, run: [echo, '{{ inputs.who }} {{ inputs.n }}'] }]
`;

let project: Scratch;
afterEach(() => project.remove());

const typed = (line: string) => project.sh(line.replace(/^lockstep/, 'lockstep'));

describe('an error code', () => {
  it('UX-EXPLAIN: is explained from the package, however it is typed', () => {
    project = projectWith({});
    for (const words of [
      ['explain', 'unknown-field'],
      ['help', 'unknown-field'],
      ['explain', 'error[unknown-field]'],
      ['explain', '[unknown-field]'],
      ['explain', 'docs/errors/unknown-field.md'],
    ]) {
      const { exitCode, stdout } = project.lockstep(...words);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('unknown-field\n\nA field that the language does not have.');
      expect(stdout).toContain('What to do:');
      expect(stdout).not.toMatch(/<!--|\]\(|^```/m);
      const [, folder = ''] = /All documentation: (.*)\n/.exec(stdout) ?? [];
      expect(existsSync(join(folder, 'language.md'))).toBe(true);
    }
  });

  it('UX-EXPLAIN: `help` still knows the commands, and what is neither is told', () => {
    project = projectWith({});
    expect(project.lockstep('help', 'run').stdout).toContain('Usage: lockstep run');
    const { exitCode, stderr } = project.lockstep('help', 'unknown-feild');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean "unknown-field"?');
  });

  it('UX-EXPLAIN: without one all are listed with what they are', () => {
    project = projectWith({});
    const { exitCode, stdout } = project.lockstep('explain');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^yaml-tab +\S.*\.$/m);
    expect(stdout).not.toContain('](');
  });

  it('UX-EXPLAIN: an error names the command, which prints its page', () => {
    project = projectWith({
      'bad.yaml': 'lockstep: 1\nname: bad\nsteps: [{ id: a, run: ls, timout: 1m }]\n',
    });
    const { stderr } = project.lockstep('validate', 'bad.yaml');
    const [, command = ''] = /More about it: (lockstep explain [a-z-]+)\n/.exec(stderr) ?? [];
    expect(typed(command).stdout).toContain('unknown-field');
    expect(project.lockstep('status', 'nothing').stderr).toMatch(/more: lockstep explain [a-z-]+\n/);
  });
});

describe('words of other tools', () => {
  it.each([
    ['lockstep run hello.yaml n=3', 'lockstep run hello.yaml --input n=3'],
    ['lockstep run hello.yaml --n=3', 'lockstep run hello.yaml --input n=3'],
    ['lockstep run hello.yaml --n 3 --quiet', 'lockstep run hello.yaml --quiet --input n=3'],
    ["lockstep run hello.yaml n=3 who='Ada L'", "lockstep run hello.yaml --input n=3 --input 'who=Ada L'"],
  ])('UX-WORDS: %s', (line, told) => {
    project = projectWith({ 'hello.yaml': HELLO });
    const { exitCode, stderr } = typed(line);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Type: ${told}\n`);
    expect(typed(told).exitCode).toBe(0);
  });

  it.each([
    ['start', 'run WORKFLOW'],
    ['ls', 'list'],
    ['lint', 'validate WORKFLOW'],
    ['ps', 'runs'],
    ['retry', 'resume'],
    ['stop', 'cancel'],
    ['approve', 'answer approve'],
    ['describe', 'status'],
    ['new', 'init'],
  ])('UX-WORDS: lockstep %s', (word, told) => {
    project = projectWith({});
    const { exitCode, stderr } = project.lockstep(word);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Type: lockstep ${told}\n`);
  });

  it('UX-WORDS: every suggestion begins with a command that there is', async () => {
    project = projectWith({});
    const { COMMANDS } = await import('../../src/cli/word-habits.ts');
    const help = project.lockstep('--help').stdout;
    for (const [word, told] of Object.entries(COMMANDS)) {
      const [command = ''] = told.split(' ');
      expect(help, word).toMatch(new RegExp(`^ +(?:-V, )?${command}\\b`, 'm'));
      expect(help, word).not.toMatch(new RegExp(`^  ${word} `, 'm'));
    }
  });
});
