// The tracker as people use it, and as a run does.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith } from './started.ts';

let project: Scratch;
afterEach(() => project.remove());

const issues = (...argv: string[]) => project.lockstep('issues', ...argv);
const fileOf = (name: string) => join(project.root, '.lockstep/issues', name);

describe('lockstep issues', () => {
  it('LS-TRK-CLI: makes, lists, shows, finds, changes and completes issues', () => {
    project = projectWith({}, { git: true });
    expect(issues('list').stdout).toContain('No open issues here');
    expect(issues('create', 'Read dates', '--label', 'parser', '--priority', 'high').stdout).toBe(
      'Issue 1: .lockstep/issues/0001-read-dates.md\n',
    );
    issues('create', 'Print dates', '--depends-on', '1', '--body', 'As *ISO 8601*.', '--label', 'printer');
    expect(issues('list').stdout).toBe(
      [
        'ISSUE  STATUS  PRIORITY  LABELS   TITLE',
        '1      open    high      parser   Read dates',
        '2      open              printer  Print dates',
        '',
      ].join('\n'),
    );
    const ready = issues('ready').stdout;
    expect(ready).toMatch(/^1 .*Read dates$/m);
    expect(ready).toMatch(/^2 +1 +Print dates$/m);
    issues(
      'update',
      '1',
      '--status',
      'in-progress',
      '--assignee',
      'anna',
      '--label',
      'x',
      '--note',
      'Begun.',
    );
    expect(issues('show', '#1').stdout).toBe(
      [
        '1  Read dates',
        '',
        ...['status     in-progress', 'priority   high', 'labels     parser, x', 'assignee   anna'],
        ...['needed by  2', 'file       .lockstep/issues/0001-read-dates.md', '', 'Begun.', ''],
      ].join('\n'),
    );
    expect(JSON.parse(issues('show', '2', '--json').stdout)).toMatchObject({
      blocked_by: [1],
      needed_by: [],
    });
    expect(issues('complete', '0001', '2').stdout).toBe(
      'Issue 1 is done: Read dates\nIssue 2 is done: Print dates\n',
    );
    expect(issues('list').stdout).toContain('No open issues');
    const found = JSON.parse(issues('search', 'iso', 'DATES', '--json').stdout);
    expect(found.issues.map(({ id }: { id: number }) => id)).toEqual([2]);
    expect(JSON.parse(issues('list', '--all', '--json').stdout).issues).toHaveLength(2);
  });

  it('LS-TRK-BROKEN: tells of a file that is no issue, and leaves it alone', () => {
    project = projectWith({}, { git: true });
    issues('create', 'Good');
    writeFileSync(fileOf('0002-bad.md'), '---\nstatus: perhaps\n---\n');
    const { stdout, stderr, exitCode } = issues('list');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Good')]);
    expect(stderr).toContain('0002-bad.md cannot be read as an issue: its status is "perhaps"');
    expect(issues('complete', '1', '2')).toMatchObject({ exitCode: 2 });
    expect(JSON.parse(issues('show', '1', '--json').stdout).status).toBe('open');
    expect(readFileSync(fileOf('0002-bad.md'), 'utf8')).toBe('---\nstatus: perhaps\n---\n');
  });

  it.each([
    [['show', '9'], 'error[issue-unknown] there is no issue 9'],
    [['show', 'x'], 'error[issue-unknown] "x" is not the number of an issue'],
    [['update', '1'], 'error[issue-invalid] nothing to change'],
    [['create', ' '], 'error[issue-invalid] an issue needs a title'],
    [['list', '--status', 'perhaps'], 'Allowed choices are open, in-progress'],
    [['lits'], 'Did you mean list?'],
  ])('%j is a mistake that is explained', (argv, message) => {
    project = projectWith({}, { git: true });
    const { exitCode, stderr } = issues(...argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('is completed by the shell', () => {
    project = projectWith({}, { git: true });
    issues('create', 'A');
    const offers = (...words: string[]) => project.lockstep('__complete', '--', ...words).stdout.split('\n');
    expect(offers('issues', '')).toEqual(expect.arrayContaining(['list', 'show', 'create', 'ready']));
    expect(offers('issues', 'show', '')).toContain('1');
    expect(offers('issues', 'list', '--status', '')).toContain('in-progress');
    expect(offers('issues', 'list', '--')).toContain('--assignee');
  });
});

describe('a run with the tracker', () => {
  const workflow = `lockstep: 1
name: plan
steps:
  - id: plan
    call: create-issues
    with:
      issues:
        - { id: T2, title: Second, dependencies: [T1] }
        - { id: T1, title: First }
  - id: execute
    each: task in steps.plan.output
    steps:
      - { id: work, run: ['test', '-f', 'allowed-{{ task.id }}'] }
      - { id: checkpoint, call: save-checkpoint, with: { task: '{{ task }}' } }
`;

  it('WR47-FR-2b.2, LS-TRK-RUN: issues are made once and completed one by one, over a failure and a resume', () => {
    project = projectWith({ '.lockstep/workflows/plan.yaml': workflow, 'allowed-T1': '' }, { git: true });
    expect(project.lockstep('run', 'plan').exitCode).toBe(1);
    const list = () =>
      JSON.parse(issues('list', '--all', '--json').stdout).issues.map(
        ({ task, status }: { task: string; status: string }) => `${task} ${status}`,
      );
    expect(list()).toEqual(['T1 done', 'T2 open']);
    expect(issues('list', '--run', 'latest', '--status', 'done').stdout).toContain('First');
    writeFileSync(join(project.root, 'allowed-T2'), '');
    expect(project.lockstep('resume', 'latest').exitCode).toBe(0);
    expect(list()).toEqual(['T1 done', 'T2 done']);
    const outputs = journal(project).flatMap(({ kind, path, outcome }) =>
      kind === 'attempt-finished' && String(path).endsWith('/checkpoint')
        ? [(outcome as { output: unknown }).output]
        : [],
    );
    expect(outputs).toEqual([
      { task: 'T1', issue: 1, completed: ['T1'], pending: ['T2'] },
      { task: 'T2', issue: 2, completed: ['T1', 'T2'], pending: [] },
    ]);
    expect(existsSync(fileOf('.drafts/.gitignore'))).toBe(true);
  });
});
