// Where the output of a run goes to a file of the project, as in CI and with nohup.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith } from './started.ts';

const REVIEW = `lockstep: 1
name: review
steps:
  - { id: look, prompt: { text: Look at the change. }, tools: { allow: [Read, Bash] } }
  - { id: told, run: [echo, '{{ changed("**") }}|{{ uncommitted("**") }}'] }
`;
const APPROVED = `lockstep: 1
name: approved
steps:
  - id: plan
    prompt: { text: Plan it. }
    done: { approve: Is this the plan? }
`;

let project: Scratch;
afterEach(() => project.remove());

const started = (answers: string) => {
  project = projectWith(
    {
      '.lockstep/workflows/review.yaml': REVIEW,
      '.lockstep/workflows/approved.yaml': APPROVED,
      'answers.yaml': answers,
    },
    { git: true },
  );
  project.sh('git add -A; git commit -qm all');
};
const told = () =>
  journal(project).find(({ kind, path }) => kind === 'attempt-finished' && path === 'told')?.outcome as
    | { output: string }
    | undefined;

describe('output that goes into the project', () => {
  it.each([
    'lockstep run review --script answers.yaml --json > out.jsonl',
    'lockstep run review --script answers.yaml > run.log 2>&1',
    'lockstep run review --script answers.yaml --json > out.jsonl 2> errors.log',
  ])('UX-REDIRECTED: is no change of a step that only reads: %s', (line) => {
    started('answers: { look: { text: fine } }');
    expect(project.sh(line).exitCode).toBe(0);
    expect(told()?.output.trim()).toBe('[]|[]');
  });

  it('UX-REDIRECTED: of a folder below the top of the repository too', () => {
    started('answers: { look: { text: fine } }');
    const line = 'mkdir sub; cd sub; lockstep run review --script ../answers.yaml > run.log 2>&1';
    expect(project.sh(line).exitCode).toBe(0);
  });

  it('UX-REDIRECTED: what an agent writes beside it is one', () => {
    started('answers: { look: { run: "echo x > other.txt" } }');
    const { exitCode } = project.sh('lockstep run review --script answers.yaml > run.log 2>&1');
    expect(exitCode).toBe(1);
    const text = readFileSync(join(project.root, 'run.log'), 'utf8');
    expect(text).toContain('other.txt');
    expect(text).not.toContain('changed run.log');
  });

  it('UX-REDIRECTED: an agent that moves the file over another is found out', () => {
    started('answers: { look: { run: sh move.sh } }');
    project.write('move.sh', 'mv run.log answers.yaml');
    project.sh('git add -A; git commit -qm move');
    const { exitCode } = project.sh('lockstep run review --script answers.yaml > run.log 2>&1');
    expect(existsSync(join(project.root, 'run.log'))).toBe(false);
    expect(exitCode).toBe(1);
    expect(readFileSync(join(project.root, 'answers.yaml'), 'utf8')).toContain('changed answers.yaml');
  });

  it('UX-REDIRECTED: an approval counts though its question was printed there', () => {
    started('answers: { plan: { text: The plan. } }');
    expect(project.sh('lockstep run approved --script answers.yaml > run.log 2>&1').exitCode).toBe(3);
    expect(project.sh('lockstep answer approve >> run.log 2>&1').exitCode).toBe(0);
  });
});
