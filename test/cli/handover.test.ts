// lockstep handover: one run, and who takes its turns changes in the middle. The client's side of it is test/mcp.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { type Scratch, scratch } from '../scratch.ts';

let project: Scratch;
beforeEach(() => {
  project = scratch();
});
afterEach(() => project.remove());

const journal = (): Entry[] =>
  readFileSync(join(project.root, '.lockstep/runs/latest/journal.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
const kinds = () => journal().map(({ kind }) => kind);

const FLOW = `lockstep: 1
name: flow
steps:
  - { id: first, run: echo first >> ran }
  - { id: slow, run: 'touch begun; sleep 1; echo slow >> ran' }
  - { id: which, ask: Which? }
  - { id: work, prompt: { text: Do it. } }
  - { id: last, run: echo last >> ran }
outputs: { which: '{{ steps.which.output }}', work: '{{ steps.work.output }}' }
`;

describe('GUIDE-HANDOVER: a run changes hands', () => {
  beforeEach(() => {
    project.write('flow.yaml', FLOW);
    project.write('answers.yaml', 'answers: { work: [{ output: done well }] }\n');
  });

  it('run, guide and run again: it ends as one that was never handed over, and each handover is on record', () => {
    expect(project.lockstep('run', 'flow.yaml', '--script', 'answers.yaml', '-q').exitCode).toBe(3);
    const over = project.lockstep('handover', '--to', 'guide', '--why', 'I go on by hand');
    expect(over).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('resume_session') });
    // Nothing is dispatched here: what is the client's waits for the client.
    expect(project.lockstep('answer', 'this', '-q').exitCode).toBe(3);
    expect(kinds().slice(-2)).toEqual(['step-handed', 'run-paused']);
    expect(project.lockstep('status').stdout).toContain('a client works on work');
    expect(project.lockstep('handover', '--to', 'guide').stderr).toContain('error[handover-pointless]');
    expect(project.lockstep('handover', '--to', 'run').exitCode).toBe(0);
    expect(project.lockstep('resume', '-q').exitCode).toBe(0);
    const status = JSON.parse(project.lockstep('status', '--json').stdout) as { status: string };
    expect(status.status).toBe('completed');
    const { outputs } = journal().find((entry) => entry.kind === 'run-completed') as { outputs: object };
    expect(outputs).toEqual({ which: 'this', work: 'done well' });
    expect(readFileSync(join(project.root, 'ran'), 'utf8')).toBe('first\nslow\nlast\n');
    const audit = project.lockstep('audit').stdout.replace(/\s+/g, ' ');
    expect(audit).toContain('a client is handed one step at a time (I go on by hand)');
    expect(audit).toContain('Lockstep starts the agents itself');
    const report = project.lockstep('report').stdout;
    const rows = report.slice(report.indexOf('## Handed over')).split('\n').slice(4, 7);
    const [began = '', byHand = '', again = ''] = rows;
    expect(began).toMatch(/Lockstep, with agents .* since the start .* `first`, `slow` \|$/);
    expect(byHand).toMatch(/a client that was handed .* I go on by hand \| `which` \|$/);
    expect(again).toMatch(/Lockstep, with agents .* `work`, `last` \|$/);
  });

  it('what runs is let finish, nothing new begins, and the process lets go of the run', async () => {
    const child = spawn(
      join(project.root, '../bin/lockstep'),
      ['run', 'flow.yaml', '--script', 'answers.yaml', '-q'],
      {
        ...{ cwd: project.root, env: project.env, stdio: 'ignore' },
      },
    );
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    while (!existsSync(join(project.root, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 20));
    const over = project.spawned('handover', '--to', 'guide');
    expect(over).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('lets go of it once what runs'),
    });
    expect(await ended).toBe(3);
    expect(readFileSync(join(project.root, 'ran'), 'utf8')).toBe('first\nslow\n');
    expect(kinds().slice(-3)).toEqual(['drive-changed', 'attempt-finished', 'run-paused']);
    expect(project.lockstep('handover', '--to', 'run').exitCode).toBe(0);
    expect(project.lockstep('resume', '-q').exitCode).toBe(3);
    expect(project.lockstep('status').stdout).toContain('Which?');
  });

  it('checks first whether the other side can take it, and then changes nothing', () => {
    project.write('flow.yaml', FLOW.replace('Do it. } }', 'Do it. }, tools: { deny: [Bash] } }'));
    expect(project.lockstep('run', 'flow.yaml', '--script', 'answers.yaml', '-q').exitCode).toBe(3);
    const refused = project.lockstep('handover', '--to', 'guide');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('error[guard-unenforceable]');
    expect(kinds()).not.toContain('drive-changed');
  });
});
