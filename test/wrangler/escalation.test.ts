// The escalation protocol of SPEC-000044, step by step, on one blocker.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { journal, runIds } from '../cli/started.ts';
import type { Ended, Scratch } from '../scratch.ts';
import { document, oneTask, runSample, started, wranglerProject } from './sample-project.ts';

describe('a blocker that the engine cannot resolve', () => {
  let project: Scratch;
  let paused: Ended;
  let id: string;
  beforeAll(() => {
    project = wranglerProject();
    const blocker = { question: 'Hello in which language?', options: ['English', 'Latin'] };
    const analyze = [{ output: { blocker } }, { output: oneTask }];
    paused = runSample(project, { analyze }, '--debug');
    id = runIds(project)[0] ?? '';
  });
  afterAll(() => project.remove());

  it('WR44-ESC-1: the run is paused', () => {
    expect(document(project, 'state.json')).toMatchObject({ status: 'paused' });
    expect(journal(project).at(-1)).toMatchObject({ kind: 'run-paused', questions: ['analyze'] });
  });

  it('WR44-ESC-2: everything it needs to go on is saved', () => {
    expect(project.lockstep('audit').exitCode).toBe(0);
    expect(document(project, 'workflow.json')).toHaveProperty('script');
    expect(journal(project)).toContainEqual(
      expect.objectContaining({ kind: 'attempt-finished', path: 'analyze' }),
    );
  });

  it('WR44-ESC-3: what blocks is on stdout and in blocker.json', () => {
    expect(paused.stdout).toContain('Hello in which language?');
    const { questions } = document<{ questions: object[] }>(project, 'blocker.json');
    expect(questions).toHaveLength(1);
    expect(JSON.stringify(questions)).toMatch(/Hello in which language\?.*Latin/);
  });

  it('WR44-ESC-4: the exit code is 2', () => {
    expect(paused.exitCode).toBe(2);
  });

  it('WR44-ESC-5: a person resolves it; what they said goes to the agent', () => {
    expect(project.lockstep('answer', id, 'Latin', '--no-resume').exitCode).toBe(0);
    expect(started(project)).toEqual(['analyze']);
  });

  it('WR44-ESC-6: run --resume goes on from there', () => {
    const { exitCode, stdout } = project.lockstep('run', '--resume', id, '--debug');
    expect(exitCode, stdout).toBe(0);
    expect(started(project).slice(0, 3)).toEqual(['analyze', 'analyze', 'plan']);
    const prompt = project.sh(`cat .lockstep/runs/${id}/logs/analyze.prompt.txt`).stdout;
    expect(prompt).toContain('Hello in which language?');
    expect(prompt).toContain('Latin');
  });
});
