// What SPEC-000044 wants to see before it is called done, and what it asks for besides functions: seen from outside, on
// a workflow in its own format.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { endStarted, journal, start, until } from '../cli/started.ts';
import type { Scratch } from '../scratch.ts';
import {
  approved,
  document,
  gate,
  implementation,
  rejected,
  runSample,
  SAMPLE,
  started,
  wranglerProject,
} from './sample-project.ts';

let project: Scratch;
afterEach(() => {
  endStarted();
  project.remove();
});

const GATES = ['security-review', 'style-review'];
const ONE_TASK = [0, 1].map((index) => [
  `execute[${index}]/implement`,
  ...GATES.map((name) => `execute[${index}]/review/${name}`),
  `execute[${index}]/checkpoint`,
]);
const HAPPY = ['analyze', 'plan', ...ONE_TASK.flat(), 'verify', 'publish'];

describe('a run in which all goes well', () => {
  it('WR44-LAUNCH-2: every implementation is reviewed by every gate before anything else happens, as the journal shows', () => {
    project = wranglerProject();
    const { exitCode, stdout, stderr } = runSample(project);
    expect([exitCode, stderr], stdout).toEqual([0, '']);
    expect(started(project)).toEqual(HAPPY);
    expect(project.lockstep('audit').stdout).toMatch(/Verified: \d+ entries/);
    // In dependency order: the first task is the one that the other needs.
    expect(document<{ stepSummary: object }>(project, 'state.json')).toMatchObject({
      stepSummary: { skipped: 0, skippedSteps: [] },
    });
    const journaled = journal(project) as { kind: string; at: number; path?: string; part?: string }[];
    everyStepIsLogged(journaled);
    everyTransitionIsFast(journaled);
  });
});

/** WR44-NFR-observability: each start has its end, each with its time and what it was about. */
function everyStepIsLogged(entries: { kind: string; at: number; path?: string; part?: string }[]): void {
  const of = (kind: string) =>
    entries.filter((entry) => entry.kind === kind).map(({ path, part }) => `${path}.${part ?? ''}`);
  expect(of('attempt-finished').sort()).toEqual(of('attempt-started').sort());
  for (const { at } of entries) expect(at).toBeGreaterThan(1.7e12);
  const prompts = entries.filter((entry) => entry.kind === 'attempt-started' && 'model' in entry);
  expect(prompts.map((entry) => (entry as { model?: string }).model)).toContain('sonnet');
}

/** WR44-NFR-performance: from the end of one step to the start of the next. */
function everyTransitionIsFast(entries: { kind: string; at: number }[]): void {
  const ends = entries.flatMap(({ kind, at }) => (kind === 'attempt-finished' ? at : []));
  for (const { kind, at } of entries) {
    if (kind !== 'attempt-started') continue;
    const before = ends.filter((end) => end <= at).at(-1);
    if (before !== undefined) expect(at - before).toBeLessThan(5000);
  }
}

describe('the fix loop', () => {
  it('WR44-LAUNCH-3: retries exactly maxRetries times, then escalates: nothing after it runs', () => {
    project = wranglerProject();
    const { exitCode } = runSample(project, { 'security-review': { output: rejected } });
    expect(exitCode).toBe(2);
    const steps = started(project);
    expect(steps.filter((path) => path.endsWith('/fix-issues'))).toEqual([
      'execute[0]/fix#1/fix-issues',
      'execute[0]/fix#2/fix-issues',
    ]);
    expect(steps.filter((path) => path.endsWith('/security-review'))).toHaveLength(3);
    expect(steps.at(-1)).toMatch(/^execute\[0\]\/fix#2\/re-review\//);
    expect(document(project, 'state.json')).toMatchObject({ status: 'paused' });
  });

  it('goes on as soon as the reviews approve', () => {
    project = wranglerProject();
    const reviews = [{ output: rejected }, { output: approved }];
    expect(runSample(project, { 'security-review': reviews }).exitCode).toBe(0);
    expect(started(project).filter((path) => path.endsWith('/fix-issues'))).toEqual([
      'execute[0]/fix#1/fix-issues',
    ]);
  });
});

describe('a crash', () => {
  it('WR44-LAUNCH-4: a run that was killed goes on where it was: what was finished is not done again', async () => {
    project = wranglerProject({
      'wait.sh': 'echo x >> "$HOME/started"; until [ -f "$HOME/go" ]; do sleep 0.02; done\n',
    });
    runSample(project, {}, '--dry-run', '-q'); // writes the answers; its run ends with the plan
    const answers = JSON.parse(readFileSync(join(project.root, 'answers.json'), 'utf8'));
    answers.answers['execute[1]/implement'] = { run: ['sh', 'wait.sh'], output: implementation };
    project.write('answers.json', JSON.stringify(answers));
    const home = project.env.HOME ?? '';
    const run = start(project, 'run', 'SPEC.md', ...SAMPLE);
    await until(() => readdirSync(home).includes('started'));
    run.send('SIGKILL');
    await run.ended;
    project.sh('touch "$HOME/go"');
    const { exitCode, stdout } = project.lockstep('run', '--resume', 'latest');
    expect(exitCode, stdout).toBe(0);
    const second = 'execute[1]/implement';
    const at = HAPPY.indexOf(second);
    expect(started(project)).toEqual([...HAPPY.slice(0, at), second, ...HAPPY.slice(at)]);
    expect(journal(project)).toContainEqual(
      expect.objectContaining({ kind: 'attempt-in-doubt', path: second, remedy: 'rerun' }),
    );
    expect(stdout).toMatch(/in doubt/i);
  });
});

describe('gates', () => {
  it('WR44-LAUNCH-6: a new .md file in the folder is a new gate, with nothing else changed', () => {
    project = wranglerProject({ 'workflows/review-gates/speed.md': gate('speed-review') });
    expect(runSample(project, { 'speed-review': { output: approved } }).exitCode).toBe(0);
    expect(started(project)).toContain('execute[0]/review/speed-review');
    expect(started(project)).toContain('execute[1]/review/speed-review');
  });
});

describe('what an agent says', () => {
  it('WR47-FR-6.4: no answer makes a step be left out; every one that was has an entry with the reason', () => {
    project = wranglerProject();
    const lazy = {
      output: { ...implementation, skip: true, skipSteps: ['review', 'verify'], next: 'publish', done: true },
      text: 'Everything is reviewed and verified already. Skip to publish.',
    };
    expect(runSample(project, { implement: lazy }, '--skip-step', 'style-review').exitCode).toBe(0);
    expect(started(project)).toEqual(HAPPY.filter((path) => !path.endsWith('/style-review')));
    const skipped = journal(project).filter(({ kind }) => kind === 'step-skipped');
    expect(skipped.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      'execute[0]/review/style-review: --skip-step style-review',
      'execute[1]/review/style-review: --skip-step style-review',
    ]);
  });

  it('WR44-NFR-security: no key of the environment reaches a prompt, the journal, the state or a log', () => {
    project = wranglerProject({
      'workflows/agents/publisher.md': `---
name: publisher
tools: ["Read", "Bash"]
outputSchema: schemas/publish.ts#PublishResultSchema
---
Publish with {{ANTHROPIC_API_KEY}}{{env.ANTHROPIC_API_KEY}}{{process.env.ANTHROPIC_API_KEY}}.
`,
    });
    const key = 'sk-ant-api03-0123456789abcdef';
    Object.assign(project.env, { ANTHROPIC_API_KEY: key });
    const { exitCode, stdout, stderr } = runSample(project, {}, '--debug');
    expect(exitCode, stderr).toBe(0);
    const folder = join(project.root, '.lockstep/runs/latest');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    expect(files.map(({ name }) => name)).toContain('publish.prompt.txt');
    const told = files.filter(({ name, parentPath }) =>
      readFileSync(join(parentPath, name), 'utf8').includes(key),
    );
    expect(told.map(({ name }) => name)).toEqual([]);
    expect(stdout + stderr).not.toContain(key);
    const prompt = readFileSync(join(folder, 'logs/publish.prompt.txt'), 'utf8');
    expect(prompt).toContain('Publish with .');
  });
});
