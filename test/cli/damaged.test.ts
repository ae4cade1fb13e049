// A run whose journal was changed, or whose views cannot be read, beside others that are whole.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { projectWith, runIds } from './started.ts';

const FLOW = 'lockstep: 1\nname: flow\nsteps: [{ id: b, run: [echo, one] }, { id: a, run: [echo, two] }]\n';

describe('a damaged run', () => {
  let project: Scratch;
  let damaged: string;
  let whole: string;
  const inRun = (id: string, name: string) => join(project.root, '.lockstep/runs', id, name);
  beforeEach(() => {
    project = projectWith({ 'flow.yaml': FLOW });
    for (let run = 0; run < 2; run += 1) expect(project.lockstep('run', 'flow.yaml', '-q').exitCode).toBe(0);
    [damaged = '', whole = ''] = runIds(project);
    const journal = readFileSync(inRun(damaged, 'journal.jsonl'), 'utf8');
    writeFileSync(inRun(damaged, 'journal.jsonl'), journal.replace('"one"', '"uno"'));
  });
  afterEach(() => project.remove());

  it('LS-GROW-DAMAGE: is not listed as completed', () => {
    const { stdout, exitCode } = project.lockstep('runs');
    expect(stdout).toMatch(new RegExp(`${damaged} +flow +damaged`));
    expect(stdout).toMatch(new RegExp(`${whole} +flow +completed`));
    expect(project.lockstep('runs', '--status', 'completed').stdout).not.toContain(damaged);
    expect(exitCode).toBe(0);
  });

  it('LS-GROW-DAMAGE: has its logs printed, with a word about their order', () => {
    const { stdout, stderr, exitCode } = project.lockstep('logs', damaged);
    expect(stdout).toContain('one');
    expect(stderr).toMatch(/warning: the logs are in the order of their names, since .* does not verify/);
    expect(stderr.match(/warning/g)).toHaveLength(1);
    expect(exitCode).toBe(0);
  });

  it('LS-GROW-DAMAGE: is told as such by clean, which goes on with the others', () => {
    rmSync(inRun(whole, 'state.json'));
    mkdirSync(inRun(whole, 'state.json'));
    const { stdout, exitCode } = project.lockstep('clean', '--older-than', '0d');
    expect(stdout).toContain('Removed 2 runs');
    expect(stdout).toMatch(new RegExp(`${damaged} \\(damaged: .* does not verify`));
    expect(stdout).toMatch(new RegExp(`^ {2}${whole}$`, 'm'));
    expect(exitCode).toBe(0);
    expect(runIds(project)).toEqual([]);
  });
});
