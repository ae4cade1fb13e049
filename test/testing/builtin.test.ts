// The built-in workflows ship with their tests, the unhappy ways included, and pass them.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';

const folder = join(projectRoot, 'builtin/workflows');
const all = readdirSync(folder)
  .filter((name) => !name.includes('.test.'))
  .map((name) => name.replace(/\.yaml$/, ''));
const workflows = all.filter((name) => existsSync(join(folder, `${name}.test.yaml`)));

interface Case {
  kind: 'case' | 'tests';
  name: string;
  passed: boolean;
  mismatches: { about: string; lines: string[] }[];
  plays: number;
}
const results = new Map<string, { exitCode: number; cases: Case[]; stderr: string }>();
let project: Scratch;

/** All at once, each in a process of its own: most of it is waiting for git. */
beforeAll(async () => {
  project = scratch({ git: true });
  const env = { ...project.env, ...(existsSync('/dev/shm') && { TMPDIR: '/dev/shm' }) };
  await Promise.all(
    workflows.map(
      (name) =>
        new Promise<void>((resolve) => {
          const argv = [join(projectRoot, 'dist/lockstep.js'), 'test', name, '--json'];
          execFile(process.execPath, argv, { cwd: project.root, env }, (error, stdout, stderr) => {
            const lines = stdout.split('\n').filter((line) => line !== '');
            const all = lines.map((line) => JSON.parse(line) as Case);
            const cases = all.filter(({ kind }) => kind === 'case');
            results.set(name, { exitCode: Number(error?.code ?? 0), cases, stderr });
            resolve();
          });
        }),
    ),
  );
}, 240_000);
afterAll(() => project.remove());

const named = (name: string, words: RegExp): Case[] =>
  results.get(name)?.cases.filter((one) => words.test(one.name)) ?? [];

it('those without tests of their own are walked to their ends by test/workrail and test/guard', () => {
  const walks = ['test/workrail/walks.test.ts', 'test/guard/templates.test.ts']
    .map((file) => readFileSync(join(projectRoot, file), 'utf8'))
    .join('\n');
  const others = all.filter((name) => !workflows.includes(name));
  expect(others).toContain('coding-task-workflow-agentic');
  expect(others.filter((name) => !walks.includes(name.replace(/^routine-/, '')))).toEqual([]);
});

describe.each(workflows)('%s', (name) => {
  it('LS-TEST-BUILTIN: passes all its tests', () => {
    const result = results.get(name);
    const failed = result?.cases.filter(({ passed }) => !passed);
    expect(failed, result?.stderr).toEqual([]);
    expect(result?.exitCode, result?.stderr).toBe(0);
    expect(result?.cases.length).toBeGreaterThan(4);
  });

  it('LS-TEST-BUILTIN-CRASH: is killed at every step, and comes to the same end', () => {
    const killed = results.get(name)?.cases.filter(({ plays }) => plays > 1) ?? [];
    expect(killed.map(({ passed }) => passed)).toEqual([true]);
  });
});

it.each([
  ['review rejects until exhausted', /rejects until the loop is exhausted/],
  ['a re-review is left out because nothing changed', /do not look again where nothing changed/],
  ['tests fail at the implementation', /tests that never pass stop at the implementation/],
  ['tests fail at the verification', /tests that fail at the end keep it from being published/],
  ['a blocker and its answer', /a blocker asks a person/],
  ['a dry run', /a dry run/],
  ['skips', /--skip-checks|left out by its name/],
  ['an invariant that refuses a skip', /the verification cannot be left out/],
  ['a dry run makes no issues', /a dry run analyzes and plans/],
])('LS-TEST-BUILTIN-UNHAPPY: spec-implementation: %s', (_, words) => {
  const cases = named('spec-implementation', words);
  expect(cases).not.toEqual([]);
  expect(cases.filter(({ passed }) => !passed)).toEqual([]);
});

it.each([
  ['LS-BUILTIN-COMMITTED', 'spec-implementation', /is not committed|leaves behind/, 2],
  [
    'LS-BUILTIN-LEFT-OUT',
    'spec-implementation',
    /can end before|left out together|without an implementation/,
    3,
  ],
  ['LS-BUILTIN-NO-GIT', 'spec-implementation', /where there is no git/, 1],
  ['LS-BUILTIN-BASE', 'code-review', /base that git does not know/, 1],
  ['LS-BUILTIN-STRICT', 'code-review', /strict fails/, 1],
] as const)('%s: is what the tests of %s show', (_id, name, words, count) => {
  const cases = named(name, words);
  expect(cases.map(({ passed }) => passed)).toEqual(Array.from({ length: count }, () => true));
});
