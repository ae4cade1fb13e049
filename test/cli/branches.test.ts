// Branches of steps and passes: their names, how they are read, and how a summary tells them apart. What a run gives.

import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { journal, projectWith } from './started.ts';

const BUMP = `lockstep: 1
name: bump
inputs: { packages: { type: list, default: [{ name: left-pad }, { name: is-odd }] } }
steps:
  - id: bump
    each: dependency in inputs.packages
    workspace: worktree
    branch: 'bump/{{ dependency.name }}'
    steps:
      - { id: update, run: 'echo {{ dependency.name }} > new.txt; git add -A; git commit -qm bump; echo {{ run.branch }}' }
  - { id: lint, workspace: worktree, branch: 'lint/{{ run.id }}', run: [echo, '{{ run.branch }}'] }
  - { id: show, run: [echo, '{{ steps.lint.branch }}'] }
outputs:
  branches: '{{ steps.bump.output.map(p, p.branch) }}'
  lint: '{{ steps.lint.branch }}'
  camelCase_and: { keptAsIs: 1 }
`;

let project: Scratch;
afterEach(() => project.remove());

const outputOf = (path: string) => {
  const ended = journal(project).find((entry) => entry.kind === 'attempt-finished' && entry.path === path);
  return (ended as unknown as { outcome: { output: string } }).outcome.output;
};
const branches = () => project.sh('git branch --format "%(refname:short)"').stdout.trim().split('\n');
const started = (text: string, git = true) => {
  project = projectWith({ '.lockstep/workflows/flow.yaml': text }, { git });
  return project.lockstep('run', 'flow');
};

describe('branches', () => {
  it('UX-BRANCHES: are called as the workflow says, and read as `steps.x.branch`', () => {
    const { exitCode, stdout } = started(BUMP);
    expect([exitCode, stdout]).toEqual([0, expect.any(String)]);
    expect(branches()).toEqual(expect.arrayContaining(['bump/left-pad', 'bump/is-odd']));
    expect(outputOf('bump[1]/update').trim()).toBe('bump/is-odd');
    expect(outputOf('show')).toBe(outputOf('lint'));
    expect(outputOf('lint')).toMatch(/^lint\/\d{8}T/);
  });

  it('UX-BRANCHES: the summary names the item of each', () => {
    const { stdout } = started(BUMP);
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain('bump/left-pad (left-pad, bump[0]), 1 commit');
    expect(text).toContain('bump/is-odd (is-odd, bump[1]), 1 commit');
  });

  it('UX-BRANCHES: a pass that failed is named by its item too', () => {
    const { stdout } = started(
      BUMP.replace("branch: 'bump/{{ dependency.name }}'", "branch: 'b/{{ dependency.name }}'").replace(
        'git commit -qm bump;',
        'test {{ dependency.name }} = left-pad &&',
      ),
    );
    expect(stdout).toContain('✗ bump[1]/update (is-odd): ');
  });

  it('UX-BRANCHES: one that is there already is never worked on', () => {
    started(BUMP);
    project.sh('git branch -f taken HEAD');
    const before = project.sh('git rev-parse bump/left-pad taken').stdout;
    const { exitCode, stdout } = project.lockstep('run', 'flow');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('there is a branch bump/left-pad already');
    expect(project.sh('git rev-parse bump/left-pad taken').stdout).toBe(before);
  });

  it('UX-BRANCHES: two passes with one name: the second fails', () => {
    const { exitCode, stdout } = started(BUMP.replace('bump/{{ dependency.name }}', 'bump/same'));
    expect(exitCode).toBe(1);
    expect(stdout).toContain('there is a branch bump/same already');
  });

  it.each(['a b', '-x', 'a..b', 'x.lock', 'x/', 'a/.b', 'a~1', '$(x)', ''])(
    'UX-BRANCHES: %j is no name of a branch',
    (name) => {
      const { exitCode, stdout } = started(BUMP.replace('bump/{{ dependency.name }}', `{{ "${name}" }}`));
      expect(exitCode).toBe(1);
      expect(stdout).toContain('must be the name of a branch');
    },
  );

  it('UX-BRANCHES: a step without a worktree has none', () => {
    const flow = (step: string) =>
      `lockstep: 1\nname: w\nsteps:\n  - { id: a, run: ls${step} }\n  - { id: b, run: [echo, '{{ steps.a.branch }}'] }\n`;
    project = projectWith({
      'none.yaml': flow(''),
      'lone.yaml': flow(', branch: x'),
      'plain.yaml': flow(', workspace: worktree'),
    });
    expect(project.lockstep('validate', 'none.yaml').stderr).toContain('`steps.a` has no `branch`');
    expect(project.lockstep('validate', 'lone.yaml').stderr).toContain(
      'Write `workspace: worktree` beside it.',
    );
    // Outside a repository none can be made: it is empty, as that of a pass.
    expect(project.lockstep('run', 'plain.yaml').exitCode).toBe(0);
    expect(outputOf('b').trim()).toBe('');
  });
});

describe('what a run gives', () => {
  it('UX-OUTPUTS: is in the summary, in --json and in both reports, with names as they are', () => {
    const { stdout } = started(BUMP);
    expect(stdout).toContain('Outputs   branches: ["bump/left-pad","bump/is-odd"]');
    const outputs = {
      branches: ['bump/left-pad', 'bump/is-odd'],
      lint: outputOf('lint').trim(),
      camelCase_and: { keptAsIs: 1 },
    };
    expect(JSON.parse(project.lockstep('report', '--json').stdout).outputs).toEqual(outputs);
    expect(project.lockstep('report').stdout).toContain('## Outputs');
    project.sh(
      'git worktree list --porcelain | sed -n "s/^worktree //p" | tail -n +2 | xargs -n1 git worktree remove --force; git branch -D bump/left-pad bump/is-odd',
    );
    const lines = project.lockstep('run', 'flow', '--json').stdout.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '').outputs).toMatchObject({
      branches: outputs.branches,
      camelCase_and: { keptAsIs: 1 },
    });
  });

  it('UX-OUTPUTS: fields are spelt alike in --json and in report --json', () => {
    started(BUMP);
    const names = (value: unknown): string[] =>
      Array.isArray(value)
        ? value.flatMap(names)
        : typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([name, held]) =>
              ['outputs', 'stepSummary', 'inputs'].includes(name) ? [] : [name, ...names(held)],
            )
          : [];
    const report = JSON.parse(project.lockstep('report', '--json').stdout);
    expect(names(report).filter((name) => /[A-Z]/.test(name))).toEqual([]);
  });
});
