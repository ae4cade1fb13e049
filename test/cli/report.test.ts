// The report of a run, as whoever answers for it gets it: on the screen, in report.md, from `lockstep report`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { projectWith, runIds } from './started.ts';

let project: Scratch;
afterEach(() => project.remove());

const gate = (name: string) => `---\nname: ${name}\nagent: checker\n---\nLook for ${name}.\n`;
const review = (issues: object[]) => ({
  ...{ assessment: issues.length > 0 ? 'needs_revision' : 'approved', issues },
  ...{ strengths: [], hasActionableIssues: issues.length > 0 },
});
const ISSUE = {
  ...{ severity: 'critical', description: 'It says b', file: 'a.txt', line: 1, fixInstructions: 'Say a' },
};
const files = {
  '.lockstep/agents/checker.md': '---\nname: checker\ntools: { allow: [Read] }\n---\nYou check.\n',
  '.lockstep/gates/mine/words.md': gate('words'),
  '.lockstep/gates/mine/spelling.md': gate('spelling'),
  '.lockstep/workflows/small.yaml': `lockstep: 1
name: small
workspace: worktree
steps:
  - id: implement
    prompt: { text: Write a. }
    done: { run: 'grep -q a a.txt', tries: 2 }
  - { id: reviews, gates: mine, output: review }
  - id: fix-loop
    loop: { while: review.hasActionableIssues, max: 2 }
    steps:
      - { id: fix, prompt: { text: Fix it. } }
      - { id: re-reviews, gates: mine, output: review }
  - { id: lint, run: 'true', if: 'false' }
  - { id: agree, ask: 'Publish it?', choices: ['yes', 'no'] }
`,
  'answers.json': JSON.stringify({
    answers: {
      implement: [
        { write: { 'a.txt': 'b\n' }, output: {} },
        {
          write: { 'a.txt': 'a b\n' },
          commit: 'implement: a',
          output: { testResults: { total: 1, passed: 1, failed: 0, exitCode: 0 } },
        },
      ],
      words: [
        { output: review([ISSUE]), usage: { input: 100, output: 50, cost: 0.01 } },
        { output: review([]) },
      ],
      spelling: { output: review([]) },
      fix: {
        write: { 'a.txt': 'a\n' },
        commit: 'fix: b',
        output: { fixed: [{ description: 'b', how: 'gone' }] },
      },
    },
  }),
};

describe('the report', () => {
  it('WR44-FR-011, LS-RPT-RUN: is there when a run pauses and when it ends, on disk, on the screen and as JSON', () => {
    project = projectWith(files, { git: true });
    project.sh('git add -A && git commit -qm start');
    const paused = project.lockstep('run', 'small', '--script', 'answers.json');
    expect(paused.exitCode, paused.stderr).toBe(3);
    const [run = ''] = runIds(project);
    const onDisk = () => readFileSync(join(project.root, '.lockstep/runs', run, 'report.md'), 'utf8');
    expect(onDisk()).toContain('# small: paused for a person');
    expect(onDisk()).toContain(`lockstep answer ${run} yes`);

    const ended = project.lockstep('answer', run, 'yes');
    expect(ended.exitCode, ended.stderr).toBe(0);
    for (const line of [
      /Reviews {3}2 rounds; used 4 of 7 calls \(57%\)[\s\S]*Claimed by agents\n {2}Reviews {3}1 issue found, 1 settled, 0 open/,
      /Tests {5}grep -q a a\.txt: run 2 times by Lockstep, 1 failed; last in implement, exit code 0/,
      new RegExp(`Branch {4}lockstep/small/${run}, 2 commits\n`),
      new RegExp(`git merge lockstep/small/${run}`),
      /Report {4}.*report\.md/,
    ])
      expect(ended.stdout.replace(/\n {12}(?=\S)/g, ' ')).toMatch(line);

    const text = onDisk();
    expect(text).toContain('# small: completed');
    expect(text).toMatch(/\| `grep -q a a\.txt` \| `implement` \| decides \| 1 \|/);
    expect(text).toMatch(/\| critical \| `a\.txt:1` \| It says b \| words \| settled \|/);
    expect(text).toMatch(/- `[0-9a-f]{10}` fix: b/);
    expect(text).toContain('| `lint` | disabled in workflow definition |');
    expect(text).toContain('| `agree` | ask | Publish it? | yes');
    expect(project.lockstep('report').stdout).toBe(text);

    const report = JSON.parse(project.lockstep('report', run, '--json').stdout);
    expect(report).toMatchObject({
      ...{ run, status: 'completed', branch: `lockstep/small/${run}`, files_changed: ['a.txt'] },
      commits: [{ subject: 'implement: a' }, { subject: 'fix: b' }],
      stepSummary: {
        ...{ totalSteps: 8, executed: 7, skipped: 1 },
        skippedSteps: [{ name: 'lint', reason: 'disabled in workflow definition' }],
      },
    });
    expect(report.steps.find(({ path }: { path: string }) => path === 'reviews/words')).toMatchObject({
      agent: { name: 'checker', layer: 'project' },
    });
    const state = JSON.parse(project.lockstep('status', run, '--json').stdout);
    expect(state.lockstep.stepSummary).toEqual(report.stepSummary);
  });
});
