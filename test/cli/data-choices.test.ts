// Lists from data, wherever a list stands: what a person chooses from, and files.

import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith } from './started.ts';

const flow = (steps: string) => `lockstep: 1
name: flow
steps:
  - { id: find, run: [cat, found.json], capture: json }
${steps}
`;
const PICK = flow(`  - { id: pick, ask: Which?, choices: '{{ steps.find.output.map(c, c.title) }}' }
  - { id: show, run: [echo, 'It is {{ steps.pick.output }}.'] }`);

let project: Scratch;
afterEach(() => project.remove());

const started = (text: string, found: unknown, files: Record<string, string> = {}) => {
  project = projectWith({ 'flow.yaml': text, 'found.json': JSON.stringify(found), ...files });
  return project.lockstep('run', 'flow.yaml');
};

describe('a list from data', () => {
  it('UX-DATA-CHOICES: is what a person chooses from', () => {
    const { exitCode, stdout } = started(PICK, [{ title: 'Login fails' }, { title: 'Typo' }]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/lockstep answer \S+ 'Login fails'\n.*lockstep answer \S+ Typo\n/);
    expect(journal(project).find(({ kind }) => kind === 'question-asked')?.choices).toEqual([
      'Login fails',
      'Typo',
    ]);
    expect(project.lockstep('answer', 'Neither').exitCode).toBe(2);
    expect(project.lockstep('answer', 'Login fails').exitCode).toBe(0);
    expect(project.lockstep('logs', 'show').stdout).toBe('It is Login fails.\n');
  });

  it.each([
    [[], 'it is empty'],
    ['no list', 'it is not one'],
  ])('UX-DATA-CHOICES: nobody is asked to choose from %j', (found, why) => {
    const text = PICK.replace('steps.find.output.map(c, c.title)', 'steps.find.output');
    const { exitCode, stdout } = started(text, found);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(why);
  });

  it('UX-DATA-CHOICES: is what `reads` and `wait` look for', () => {
    const steps = `  - { id: waits, wait: { files: '{{ steps.find.output }}', timeout: 5s } }
  - { id: reads, run: [echo, ok], reads: { files: '{{ steps.find.output }}', optional: ['{{ steps.find.output }}', none] } }
  - { id: lacks, run: [echo, ok], reads: { files: '{{ ["gone.md"] }}' } }`;
    const { exitCode, stdout } = started(flow(steps), ['a.md', 'b c.md'], { 'a.md': 'a', 'b c.md': 'b' });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('✓ reads');
    expect(stdout).toContain('gone.md');
  });
});
