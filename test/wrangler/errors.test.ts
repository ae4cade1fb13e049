// The error table of SPEC-000044, row by row: what is done, and how one goes on.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { journal, runIds } from '../cli/started.ts';
import type { Scratch } from '../scratch.ts';
import {
  analysis,
  document,
  rejected,
  runSample,
  started,
  verification,
  wranglerProject,
} from './sample-project.ts';

let project: Scratch;
afterEach(() => project.remove());

const log = (name: string) => readFileSync(join(project.root, '.lockstep/runs/latest/logs', name), 'utf8');
const count = (path: string) => started(project).filter((each) => each === path).length;

it('WR44-ERR-1: an answer that does not fit its schema is sent back once with what is wrong, and then the phase has failed', () => {
  project = wranglerProject();
  const half = { output: { tasks: [] } };
  expect(runSample(project, { analyze: [half, { output: analysis }] }, '--debug').exitCode).toBe(0);
  expect(count('analyze')).toBe(2);
  expect(log('analyze.prompt.txt')).toMatch(/requirements/);
  const { exitCode, stdout } = runSample(project, { analyze: half });
  expect([exitCode, count('analyze')]).toEqual([1, 2]);
  expect(started(project)).toEqual(['analyze', 'analyze']);
  expect(stdout).toMatch(/analyze[\s\S]*constraints/);
});

it('WR44-ERR-3: critical issues enter the fix loop; where it is exhausted the run pauses and says what is open', () => {
  project = wranglerProject();
  const { exitCode, stdout } = runSample(project, { 'security-review': { output: rejected } });
  expect(exitCode).toBe(2);
  expect(stdout).toContain('It greets twice');
  expect(project.lockstep('answer', 'latest', 'accept').exitCode).toBe(2); // the next task is no better
  expect(started(project).at(-1)).toMatch(/^execute\[1\]\/fix#2\//);
});

it('WR44-ERR-4: a test suite that fails in verification fails the run with what it said; it is resumed after a fix', () => {
  project = wranglerProject();
  const verify = [{ output: verification(1) }, { output: verification(0) }];
  const { exitCode, stdout } = runSample(project, { verify });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/verify[\s\S]*exitCode/);
  expect(started(project)).not.toContain('publish');
  expect(project.lockstep('run', '--resume', 'latest').exitCode).toBe(0);
  expect(started(project).slice(-2)).toEqual(['verify', 'publish']);
});

it('WR44-ERR-7: requirements that are unclear come back as a blocker: the run pauses and hands it to a person', () => {
  project = wranglerProject();
  const blocked = { output: { blocker: 'Hello in which language?' } };
  const { exitCode, stdout } = runSample(project, { analyze: [blocked, { output: analysis }] });
  expect(exitCode).toBe(2);
  expect(stdout).toContain('Hello in which language?');
  expect(started(project)).toEqual(['analyze']);
});

it.each([
  [
    'WR44-ERR-8: a workflow that is wrong',
    'workflows/spec-implementation.yaml',
    'name: x\nversion: 1\nphases:\n  - name: a\n    agnet: agents/analyzer.md\n',
    /agnet[\s\S]*Did you mean "agent"/,
  ],
  ['WR44-ERR-9: an agent that is missing', 'workflows/agents/analyzer.md', undefined, /agents\/analyzer\.md/],
  [
    'WR44-ERR-9: an agent that is malformed',
    'workflows/agents/analyzer.md',
    '---\nname: [\n---\nx\n',
    /workflows\/agents\/analyzer\.md:2/,
  ],
])('%s is told at once with its file, and nothing is made', (_, path, text, told) => {
  project = wranglerProject();
  if (text === undefined) project.sh(`rm ${path}`);
  else project.write(path, text);
  const { exitCode, stderr } = runSample(project);
  expect([exitCode, runIds(project)], stderr).toEqual([2, []]);
  expect(stderr).toContain(path);
  expect(stderr).toMatch(told);
  expect(existsSync(join(project.root, '.worktrees'))).toBe(false);
});

it('WR44-ERR-2: an agent that comes to no end is ended and its phase has timed out; the run is resumed from there', () => {
  project = wranglerProject();
  const workflow = readFileSync(join(project.root, 'workflows/spec-implementation.yaml'), 'utf8');
  project.write(
    'workflows/spec-implementation.yaml',
    workflow.replace('\ndefaults:', '\nsafety: { maxStepTimeoutMs: 300 }\ndefaults:'),
  );
  const analyze: JsonObject[] = [{ hang: true }, { hang: true }, { hang: true }, { output: analysis }];
  const { exitCode, stdout } = runSample(project, { analyze });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/analyze[\s\S]*time/i);
  expect(journal(project)).toContainEqual(
    expect.objectContaining({
      kind: 'attempt-finished',
      path: 'analyze',
      outcome: expect.objectContaining({ exit_code: 124 }),
    }),
  );
  expect(project.lockstep('run', '--resume', 'latest').exitCode).toBe(0);
  expect(document(project, 'state.json')).toMatchObject({ status: 'completed' });
});
