// What SPEC-000044 wants to see before it is called done, and what it asks for besides functions: seen from outside, on
// a workflow in its own format.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endStarted, journal, start, until } from '../cli/started.ts';
import type { Ended, Scratch } from '../scratch.ts';
import {
  ANSWERS,
  approved,
  document,
  gate,
  implementation,
  implemented,
  implementedAfter,
  mended,
  rejected,
  runSample,
  SAMPLE,
  started,
  verification,
  wranglerProject,
  writeAnswers,
} from './sample-project.ts';

const steps = (...gates: string[]) => {
  const one = (index: number) => [
    `execute[${index}]/implement`,
    ...gates.map((name) => `execute[${index}]/review/${name}`),
    `execute[${index}]/checkpoint`,
  ];
  return ['analyze', 'plan', ...one(0), ...one(1), 'verify', 'publish'];
};

describe('a run in which all goes well', () => {
  const key = 'sk-ant-api03-0123456789abcdef';
  let project: Scratch;
  let ended: Ended;
  beforeAll(() => {
    const publisher = `---
name: publisher
tools: ["Read", "Bash"]
outputSchema: schemas/publish.ts#PublishResultSchema
---
Publish with {{ANTHROPIC_API_KEY}}{{env.ANTHROPIC_API_KEY}}{{process.env.ANTHROPIC_API_KEY}}.
`;
    project = wranglerProject({
      'workflows/review-gates/speed.md': gate('speed-review'),
      'workflows/agents/publisher.md': publisher,
    });
    Object.assign(project.env, { ANTHROPIC_API_KEY: key });
    const lazy = {
      ...implementation,
      skip: true,
      skipSteps: ['review', 'verify'],
      next: 'publish',
      done: true,
    };
    const answers = { implement: { ...implemented, output: lazy }, 'speed-review': { output: approved } };
    ended = runSample(project, answers, '--skip-step', 'style-review', '--debug');
  });
  afterAll(() => project.remove());

  it('WR44-LAUNCH-2: every implementation is reviewed by every gate before anything else happens, as the journal shows', () => {
    expect(ended.exitCode, ended.stdout + ended.stderr).toBe(0);
    expect(started(project)).toEqual(steps('security-review', 'speed-review'));
    expect(project.lockstep('audit').stdout).toMatch(/Verified: \d+ entries/);
  });

  it('WR44-LAUNCH-6: a new .md file in the folder of gates is a new gate, with nothing else changed', () => {
    expect(readFileSync(join(project.root, 'workflows/spec-implementation.yaml'), 'utf8')).not.toContain(
      'speed',
    );
    for (const index of [0, 1]) expect(started(project)).toContain(`execute[${index}]/review/speed-review`);
  });

  it('WR47-FR-6.4: no answer makes a step be left out; every one that was has an entry with the reason', () => {
    const skipped = journal(project).filter(({ kind }) => kind === 'step-skipped');
    expect(skipped.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      'execute[0]/review/style-review: --skip-step style-review',
      'execute[1]/review/style-review: --skip-step style-review',
    ]);
  });

  it('WR44-NFR-observability: each step has its start and its end in the journal, with times and what it was about', () => {
    const entries = journal(project) as { kind: string; at: number; path?: string; part?: string }[];
    const of = (wanted: string) =>
      entries.flatMap(({ kind, path, part }) => (kind === wanted ? `${path}.${part ?? ''}` : [])).sort();
    expect(of('attempt-finished')).toEqual(of('attempt-started'));
    const times = entries.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(journal(project)).toContainEqual(
      expect.objectContaining({ kind: 'attempt-started', path: 'analyze', verb: 'prompt', model: 'sonnet' }),
    );
  });

  it('WR44-NFR-security: no key of the environment reaches a prompt, the journal, the state or a log', () => {
    const folder = join(project.root, '.lockstep/runs/latest');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    expect(files.length).toBeGreaterThan(10);
    const telling = files.filter((file) =>
      readFileSync(join(file.parentPath, file.name), 'utf8').includes(key),
    );
    expect(telling.map(({ name }) => name)).toEqual([]);
    expect(ended.stdout + ended.stderr).not.toContain(key);
    expect(readFileSync(join(folder, 'logs/publish.prompt.txt'), 'utf8')).toContain('Publish with .');
  });
});

describe('other runs', () => {
  let project: Scratch;
  afterEach(() => {
    endStarted();
    project.remove();
  });

  it('WR44-LAUNCH-5: what any of them says is held against its schema: sent back, then taken', () => {
    project = wranglerProject();
    const wrong = { output: { hello: 'world' } };
    const { exitCode, stdout } = runSample(project, {
      analyze: [wrong, ANSWERS.analyze],
      'execute[0]/implement': [wrong, implemented],
      'execute[0]/review/security-review': [wrong, { output: rejected }],
      'fix-issues': [wrong, mended],
      verify: [wrong, { output: verification(0) }],
      publish: [wrong, ANSWERS.publish],
    });
    expect(exitCode, stdout).toBe(0);
    const rejections = journal(project).filter(({ kind }) => kind === 'work-rejected');
    expect(rejections.map(({ path }) => path)).toEqual([
      'analyze',
      'execute[0]/implement',
      'execute[0]/review/security-review',
      'execute[0]/fix#1/fix-issues',
      'verify',
      'publish',
    ]);
    expect(JSON.stringify(rejections[0])).toMatch(/tasks.*techStack/);
  });

  it('WR44-FR-010: --dry-run does analyze and plan and nothing else, in no worktree and on no branch', () => {
    project = wranglerProject();
    const { exitCode, stdout } = runSample(project, {}, '--dry-run');
    expect(exitCode, stdout).toBe(0);
    expect(started(project)).toEqual(['analyze', 'plan']);
    expect(project.sh('git worktree list; git branch').stdout.trim().split('\n')).toHaveLength(2);
  });

  it('WR44-LAUNCH-3: the fix loop retries exactly maxRetries times, then escalates: nothing after it runs', () => {
    project = wranglerProject();
    const { exitCode } = runSample(project, { 'security-review': { output: rejected } });
    expect(exitCode).toBe(2);
    const run = started(project);
    expect(run.filter((path) => path.endsWith('/fix-issues'))).toEqual([
      'execute[0]/fix#1/fix-issues',
      'execute[0]/fix#2/fix-issues',
    ]);
    expect(run.filter((path) => path.endsWith('/security-review'))).toHaveLength(3);
    expect(run.at(-1)).toMatch(/^execute\[0\]\/fix#2\/re-review\//);
    expect(document(project, 'state.json')).toMatchObject({ status: 'paused' });
  });

  it('WR44-LAUNCH-4: a run that was killed goes on where it was: what was finished is not done again', async () => {
    project = wranglerProject({
      'wait.sh': 'echo x >> "$HOME/started"; until [ -f "$HOME/go" ]; do sleep 0.02; done\n',
    });
    const second = 'execute[1]/implement';
    writeAnswers(project, { [second]: implementedAfter('sh wait.sh && ') });
    const run = start(project, 'run', 'SPEC.md', ...SAMPLE);
    await until(() => readdirSync(project.env.HOME ?? '').includes('started'));
    run.send('SIGKILL');
    await run.ended;
    project.sh('touch "$HOME/go"');
    const { exitCode, stdout } = project.lockstep('run', '--resume', 'latest');
    expect(exitCode, stdout).toBe(0);
    const all = steps('security-review', 'style-review');
    expect(started(project)).toEqual(all.flatMap((path) => (path === second ? [path, path] : path)));
    expect(journal(project)).toContainEqual(
      expect.objectContaining({ kind: 'attempt-in-doubt', path: second, remedy: 'rerun' }),
    );
    expect(stdout).toMatch(/in doubt/i);
  });
});
