// Gates and blockers from outside: files dropped in, reviews as one, what is left out and what is asked.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith } from './started.ts';

const GOOD = '{ assessment: approved, issues: [], strengths: [], hasActionableIssues: false }';
const BAD = `{ assessment: needs_revision, strengths: [], hasActionableIssues: true,
      issues: [{ severity: critical, description: eval runs anything, file: a.js, line: 1, fixInstructions: Drop it. }] }`;
const FLOW = `lockstep: 1
name: checked
steps:
  - { id: build, prompt: { text: Build it. } }
  - { id: reviews, gates: checks, output: review }
  - id: fix-loop
    loop: { while: review.hasActionableIssues, max: 2 }
    steps:
      - { id: fix-issues, prompt: { text: 'Fix {{ review.actionableIssues }}' } }
      - { id: re-reviews, gates: checks, output: review }
outputs: { review: '{{ review }}' }
`;
const SCRIPT = `answers:
  build: { write: { a.js: "eval(x)\\n" } }
  security: [ { output: ${BAD} }, { output: ${GOOD} } ]
  fix-issues: { write: { a.js: "safe(x)\\n" } }
  "*": { output: ${GOOD} }
`;
const GATES = {
  '.lockstep/workflows/checked.yaml': FLOW,
  'script.yaml': SCRIPT,
  '.lockstep/gates/checks/security.md': 'Look for holes.',
  '.lockstep/gates/checks/docs.md': '---\nagain: changed\nfiles: ["docs/**"]\n---\nAre the docs true?',
  '.lockstep/gates/checks/deep.md': '---\nrun: manual\n---\nLook at everything.',
};

let project: Scratch;
afterEach(() => project.remove());

const run = (...argv: string[]) => project.lockstep('run', 'checked', '--script', 'script.yaml', ...argv);
const performed = () =>
  journal(project).flatMap((entry) => (entry.kind === 'attempt-started' ? [String(entry.path)] : []));

it('LS-GATE-RUN: WR44-FR-013: rejected, fixed, approved: every gate looks, one that approved and whose files did not change does not look again', () => {
  project = projectWith(GATES, { git: true });
  const { exitCode, stdout } = run();
  expect(exitCode, stdout).toBe(0);
  expect(performed()).toEqual([
    'build',
    'reviews/docs',
    'reviews/security',
    'fix-loop#1/fix-issues',
    'fix-loop#1/re-reviews/security',
  ]);
  expect(stdout).toContain('reviews/deep: manual gate: run with --gate deep');
  expect(stdout).toContain(
    'fix-loop#1/re-reviews/docs: it approved, and nothing in docs/** has changed since',
  );
  const ended = journal(project).find(({ kind }) => kind === 'run-completed');
  expect(ended?.outputs).toMatchObject({
    review: { assessment: 'approved', gates: [{}, { carried: true }, {}] },
  });
});

it('LS-GATE-DROP-IN: WR44-FR-014: a gate is added with a file, switched off with another, and replaced by name', () => {
  project = projectWith(
    {
      ...GATES,
      '.lockstep/gates/checks/speed.md': 'Is it fast?',
      '.lockstep/gates/checks/docs.md': '---\nenabled: false\n---\nAre the docs true?',
      // Of a layer below: the file of the project counts.
      '../home/.lockstep/gates/checks/security.md': 'Not this one.',
      '../home/.lockstep/gates/checks/mine.md': 'My own.',
    },
    { git: true },
  );
  expect(run('--gate', 'deep').exitCode).toBe(0);
  const reviews = performed().filter((path) => path.startsWith('reviews/'));
  expect(reviews).toEqual(['reviews/deep', 'reviews/mine', 'reviews/security', 'reviews/speed']);
  const prompt = join(project.root, '.lockstep/runs/latest/logs/reviews/security.prompt.txt');
  expect(readFileSync(prompt, 'utf8')).toContain('Look for holes.');
  expect(journal(project)[0]).toMatchObject({ skips: { gates: ['deep'] } });
});

it('LS-GATE-EXHAUSTED: WR44-ERR-3: a fix loop that does not help pauses the run; the question and blocker.json have the open issues', () => {
  project = projectWith(
    { ...GATES, 'script.yaml': SCRIPT.replace(`, { output: ${GOOD} } ]`, ' ]') },
    { git: true },
  );
  const { exitCode, stdout } = run();
  expect(exitCode).toBe(3);
  expect(stdout).toContain('critical a.js:1: eval runs anything (security)');
  const blocker = readFileSync(join(project.root, '.lockstep/runs/latest/blocker.json'), 'utf8');
  expect(JSON.parse(blocker)).toMatchObject({
    questions: [
      {
        path: 'fix-loop',
        question: 'held',
        text: expect.stringContaining('1 critical issue is still open'),
        reasons: ['critical a.js:1: eval runs anything (security)'],
        go_on: [{ command: expect.stringContaining('again --note') }, {}, {}],
      },
    ],
  });
});

it('LS-GATE-SENT-BACK: who objects and names nothing that must change is sent back, and says what', () => {
  const vague = '{ assessment: needs_revision, issues: [], strengths: [], hasActionableIssues: true }';
  project = projectWith(
    {
      ...GATES,
      'script.yaml': SCRIPT.replace(`{ output: ${BAD} }`, `{ output: ${vague} }`),
    },
    { git: true },
  );
  expect(run().exitCode).toBe(0);
  expect(performed()).toEqual(['build', 'reviews/docs', 'reviews/security', 'reviews/security']);
  expect(journal(project).find(({ kind }) => kind === 'work-rejected')).toMatchObject({
    path: 'reviews/security',
    reasons: [expect.stringContaining('name no critical or important issue')],
  });
});

it('LS-BLOCK-RUN: WR44-FR-009, WR44-ERR-7: what an agent needs to know pauses the run, is in blocker.json, and the answer goes on', () => {
  project = projectWith(
    {
      '.lockstep/workflows/checked.yaml': `lockstep: 1
name: checked
steps:
  - { id: build, prompt: { text: Build it. }, done: { schema: implementation } }
outputs: { commits: '{{ steps.build.output.commits }}' }
`,
      'script.yaml': `answers:
  build:
    - { output: { blocker: { question: Which database?, reason: The text names two., options: [SQLite] } } }
    - { output: { filesChanged: [], testResults: { total: 0, passed: 0, failed: 0, exitCode: 0 }, tddCertification: { functions: [] }, commits: [abc] } }
`,
    },
    { git: true },
  );
  const paused = run();
  expect(paused.exitCode).toBe(3);
  expect(paused.stdout).toContain('? build: Which database?');
  const blocker = () => readFileSync(join(project.root, '.lockstep/runs/latest/blocker.json'), 'utf8');
  expect(JSON.parse(blocker())).toMatchObject({
    run: expect.stringMatching(/^\d{8}T/),
    questions: [
      {
        path: 'build',
        question: 'blocker',
        of: 'a person',
        text: 'Which database?',
        reasons: ['The text names two.'],
        choices: ['SQLite'],
        go_on: expect.arrayContaining([
          { command: expect.stringMatching(/ SQLite$/), meaning: expect.any(String) },
          { command: expect.stringMatching(/ fail$/), meaning: 'let the step fail' },
        ]),
      },
    ],
  });
  const answered = project.lockstep('answer', 'Use SQLite, please');
  expect(answered.exitCode, answered.stderr).toBe(0);
  expect(blocker).toThrow();
  const prompt = join(project.root, '.lockstep/runs/latest/logs/build.prompt.txt');
  expect(readFileSync(prompt, 'utf8')).toContain('The answer: Use SQLite, please');
  expect(journal(project).find(({ kind }) => kind === 'run-completed')?.outputs).toEqual({
    commits: ['abc'],
  });
});

it('LS-BLOCK-FAIL: answered with fail, the step and the run fail on that word', () => {
  project = projectWith(
    {
      '.lockstep/workflows/checked.yaml':
        'lockstep: 1\nname: checked\nsteps: [{ id: build, prompt: { text: x } }]\n',
      'script.yaml': 'answers: { build: { output: { blocker: Why? } } }\n',
    },
    { git: true },
  );
  expect(run().exitCode).toBe(3);
  const { exitCode, stdout } = project.lockstep('answer', 'fail');
  expect(exitCode).toBe(1);
  expect(stdout).toContain('let it fail');
});
