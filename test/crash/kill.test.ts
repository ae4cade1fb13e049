// E4, J2, J3 with the real process: `kill -9` at random moments, a hundred times, and nothing is lost or done twice.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';
import { eventually, lives } from '../support/stage.ts';
import { tries } from '../support/tries.ts';

const KILLS = tries(100, 12);
const WORKFLOW = `lockstep: 1
name: long
vars: { turns: 0 }
outputs: { turns: '{{ vars.turns }}', items: '{{ size(steps.items.output) }}' }
steps:
  - id: items
    each: n in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    concurrency: 2
    steps:
      - { id: work, run: 'echo {{ "items " + string(pass.index) }} >> effects.log; sleep 0.01' }
  - id: both
    parallel: true
    steps:
      - { id: left, run: 'echo left >> effects.log' }
      - { id: right, steps: [{ id: inner, run: 'echo inner >> effects.log' }] }
  - id: turns
    loop: { until: 'vars.turns == 4', max: 9 }
    steps:
      - { id: turn, run: 'echo {{ "turn " + string(pass.number) }} >> effects.log', exit: [{ set: { turns: '{{ vars.turns + 1 }}' } }] }
  - { id: last, run: 'echo last >> effects.log' }
`;
let project: Scratch;
/** What the last process printed. */
let said = '';
beforeAll(() => {
  project = scratch({ git: true });
  project.write('long.yaml', WORKFLOW);
});
afterAll(() => project.remove());

/** Numbers from 0 to 1: the same every time, spread enough to hit every phase. */
function* chances(): Generator<number, never> {
  let seed = 20261115;
  for (;;) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    yield seed / 2147483648;
  }
}
const chance = chances();

const journalSize = () =>
  statSync(join(project.root, '.lockstep/runs/latest/journal.jsonl'), { throwIfNoEntry: false })?.size ?? 0;
const runCount = () => {
  const folder = join(project.root, '.lockstep/runs');
  return existsSync(folder) ? readdirSync(folder).filter((name) => /Z-\w+$/.test(name)).length : 0;
};

/** Ends by itself (its exit code) or is killed (null): a little after it wrote something, or at any moment at all. */
async function runAndKill(argv: string[], spare = false): Promise<number | null> {
  const before = journalSize() + runCount();
  const child = spawn(process.execPath, [join(projectRoot, 'dist/lockstep.js'), ...argv], {
    cwd: project.root,
    env: project.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const delay = chance.next().value * 200;
  const atOnce = chance.next().value < 0.15;
  while (!spare && !atOnce && !over && journalSize() + runCount() === before) await pause(1);
  if (!spare) {
    await pause(delay);
    child.kill('SIGKILL');
  }
  return ended;
}

it('E4: killed with SIGKILL many times, every run ends the same and no finished step ran twice', async () => {
  let kills = 0;
  let runs = 0;
  while (kills < KILLS) {
    project.sh('rm -f effects.log');
    let code = await runAndKill(['run', 'long.yaml', '--quiet']);
    if (code === null) kills += 1;
    // Killed before there was a run: there is nothing to go on with, and nothing was done.
    if (code === null && runCount() <= runs) {
      expect(project.sh('cat effects.log').stdout).toBe('');
      continue;
    }
    runs += 1;
    // Progress is certain in the end: the last resume is not killed.
    for (let round = 0; code === null; round += 1) {
      code = await runAndKill(['resume', 'latest', '--quiet'], round > 20);
      if (code === null) kills += 1;
    }
    // Killed after the last entry and before it could say so: the run is over all the same.
    if (code !== 0) expect(said).toContain('run-ended');
    expectSound();
  }
  expect(runs).toBeGreaterThan(1);
}, 300_000);

function expectSound(): void {
  const audit = project.lockstep('audit', 'latest', '--json');
  expect(audit.exitCode, audit.stderr).toBe(0);
  const journal = readFileSync(join(project.root, '.lockstep/runs/latest/journal.jsonl'), 'utf8');
  const entries = journal
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
  expect(entries.at(-1)).toMatchObject({ kind: 'run-completed', outputs: { turns: 4, items: 12 } });

  const count = (kind: Entry['kind']) => {
    const counts = new Map<string, number>();
    for (const entry of entries) {
      if (entry.kind === kind && 'path' in entry && entry.path)
        counts.set(entry.path, (counts.get(entry.path) ?? 0) + 1);
    }
    return counts;
  };
  const started = count('attempt-started');
  const finished = count('attempt-finished');
  const doubted = count('attempt-in-doubt');
  expect(finished.size).toBe(12 + 2 + 4 + 1);
  for (const [path, times] of finished) {
    expect(times, `${path} finished`).toBe(1);
    expect(started.get(path), `${path}: each attempt that did not finish is on record as in doubt`).toBe(
      1 + (doubted.get(path) ?? 0),
    );
  }
  // An effect may have happened for every attempt, and has for the one that finished.
  const lines = readFileSync(join(project.root, 'effects.log'), 'utf8').trim().split('\n');
  for (const [path, times] of started) {
    const name = path
      .replace(/items\[(\d+)\]\/work/, 'items $1')
      .replace(/turns#(\d+)\/turn/, 'turn $1')
      .replace(/^both\/(right\/)?/, '');
    const happened = lines.filter((line) => line === name).length;
    expect(happened, path).toBeGreaterThanOrEqual(1);
    expect(happened, path).toBeLessThanOrEqual(times);
  }
}

it('E4: what a killed run left running is ended before its step runs again, and its private files are removed', async () => {
  project.write(
    'slow.yaml',
    `lockstep: 1\nname: slow\nsteps:\n  - { id: slow, run: 'echo $$ >> pids; test $(wc -l < pids) -gt 1 || sleep 1000' }\n`,
  );
  const child = spawn(
    process.execPath,
    [join(projectRoot, 'dist/lockstep.js'), 'run', 'slow.yaml', '--quiet'],
    {
      cwd: project.root,
      env: project.env,
      stdio: 'ignore',
    },
  );
  const pids = () => {
    const path = join(project.root, 'pids');
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').filter(Boolean).map(Number) : [];
  };
  await eventually(() => pids().length === 1);
  const gone = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGKILL');
  await gone;
  expect(lives(pids()[0] as number)).toBe(true);
  // As it is with a client at work.
  const files = join(project.env.TMPDIR ?? tmpdir(), `lockstep-client-${child.pid}-killed`);
  mkdirSync(files);
  const resumed = project.lockstep('resume');
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(resumed.stdout + resumed.stderr).toContain('left behind');
  expect(lives(pids()[0] as number)).toBe(false);
  expect(existsSync(files)).toBe(false);
});
