// Worktrees through the command itself: a run, its commands in the worktree, looking after it, and SIGKILL at the worst
// moments.

import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ended, type Scratch, scratch } from '../scratch.ts';

let project: Scratch;
beforeEach(() => {
  project = scratch({ git: true });
});
afterEach(() => project.remove());

const sh = (line: string): string => {
  const { exitCode, stdout, stderr } = project.sh(line);
  if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
  return stdout.trim();
};
const latest = (): string => sh('basename "$(readlink .lockstep/runs/latest)"');
const journal = () =>
  readFileSync(join(project.root, '.lockstep/runs/latest/journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; path?: string; how?: string; remedy?: string });
const ok = (ended: Ended): string => {
  expect(`${ended.exitCode} ${ended.stderr}`).toBe('0 ');
  return ended.stdout;
};

describe('lockstep worktree', () => {
  it('LS-WT-CLI: a run leaves its worktree; there status works; it is listed, and removed when nothing is lost', () => {
    project.write(
      '.lockstep/workflows/w.yaml',
      `lockstep: 1
name: w
workspace: worktree
inputs: { spec: { type: file } }
steps:
  - { id: write, prompt: { text: 'Work in {{ run.workspace }}' } }
`,
    );
    project.write('SPEC.md', '# Read dates\n');
    project.write(
      's.yaml',
      'answers: { write: { write: { a.txt: x }, commit: "implement: dates", text: ok } }\n',
    );
    sh('git add . && git commit -qm definitions');
    const run = project.lockstep('run', 'w', '--input', 'spec=SPEC.md', '--script', 's.yaml');
    const path = join(project.root, '.worktrees/read-dates');
    const branch = `lockstep/read-dates/${latest()}`;
    expect(ok(run)).toContain(path);
    expect(run.stdout).toContain(branch);
    expect(sh('git status --porcelain')).toBe('');

    const inside = project.sh(`cd .worktrees/read-dates && lockstep status latest && lockstep worktree list`);
    expect(ok(inside)).toContain(`run ${latest()}`);
    expect(inside.stdout).toMatch(new RegExp(`${latest()} +completed +1 commit ahead +${branch} +${path}`));
    expect(JSON.parse(ok(project.lockstep('worktree', 'list', '--json')))).toEqual([
      { path, branch, run: latest(), status: 'completed', gone: false, dirty: [], ahead: 1 },
    ]);
    expect(project.lockstep('audit', 'latest').stdout.replace(/\s+/g, ' ')).toContain(
      `works in the worktree ${path}, on branch ${branch}`,
    );

    const standing = project.sh('cd .worktrees/read-dates && lockstep worktree remove latest');
    expect([standing.exitCode, standing.stderr]).toEqual([2, expect.stringContaining('worktree-in-use')]);
    const withBranch = project.lockstep('worktree', 'remove', 'latest', '--branch');
    expect([withBranch.exitCode, withBranch.stderr]).toEqual([
      2,
      expect.stringContaining('worktree-unsaved'),
    ]);
    expect(ok(project.lockstep('worktree', 'remove', 'read-dates'))).toContain('with 1 commit of its own');
    expect(existsSync(path)).toBe(false);
    expect(sh(`git log -1 --format=%s ${branch}`)).toBe('implement: dates');
    const unknown = project.lockstep('worktree', 'remove', 'latest');
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('worktree-unknown')]);
    expect(project.lockstep('worktree', 'remove', 'nope').stderr).toContain(
      'error[worktree-unknown] there is no worktree "nope", and no run of that name',
    );
    expect(ok(project.lockstep('worktree', 'list'))).toBe('No worktrees here.\n');
  });

  it('LS-WT-CLI: one that a run is at work in is not removed, whatever is said', () => {
    project.write(
      '.lockstep/workflows/w.yaml',
      `lockstep: 1
name: w
workspace: worktree
steps:
  - { id: a, run: 'cd "$LOCKSTEP_RUN_ROOT" && lockstep worktree remove latest --force; echo "ended with $?"' }
outputs: { said: '{{ steps.a.output }}', stderr: '{{ steps.a.stderr }}' }
`,
    );
    const { exitCode, stdout } = project.lockstep('run', 'w', '--json');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ended with 2');
    expect(stdout).toContain('is at work in it');
    expect(readdirSync(join(project.root, '.worktrees'))).toEqual(['.gitignore', 'w']);
  });
});

describe('SIGKILL', () => {
  /** A git that kills whoever asks it to make a worktree, once, before or after it made it. */
  function killingGit(when: 'before' | 'after'): void {
    const git = sh('command -v git');
    const kill = '[ -e "$HOME/killed" ] || { touch "$HOME/killed"; kill -9 $PPID; }';
    const body =
      when === 'before' ? `${kill}; sleep 0.1; exit 1` : `"${git}" "$@"; status=$?; ${kill}; exit $status`;
    const bin = join(project.env.HOME ?? '', '../bin/git');
    project.write(
      '../bin/git',
      `#!/bin/sh\ncase " $* " in *" worktree add "*)\n  if [ -e "$HOME/killed" ]; then exec "${git}" "$@"; fi\n  ${body} ;;\nesac\nexec "${git}" "$@"\n`,
    );
    chmodSync(bin, 0o755);
  }

  it.each(['before', 'after'] as const)(
    'LS-WT-CRASH: %s git made the worktree of a run: a resume goes on in it',
    (when) => {
      project.write(
        '.lockstep/workflows/w.yaml',
        `lockstep: 1\nname: w\nworkspace: worktree\nsteps: [{ id: a, run: 'pwd; git branch --show-current' }]\n`,
      );
      killingGit(when);
      expect(project.spawned('run', 'w').exitCode).toBe(null);
      expect(journal().map(({ kind }) => kind)).toEqual(['run-started']);
      // What was started lives on for a moment.
      sh('while ps -A -o args= | grep -q "[w]orktree add"; do sleep 0.02; done');
      const { stdout } = project.lockstep('resume', 'latest', '--json');
      expect(stdout).toContain(`${join(project.root, '.worktrees/w')}\\nlockstep/w/${latest()}`);
      // It is whole only once it points at its repository, so after git alone it is made anew as well (WT3).
      expect(journal().find(({ kind }) => kind === 'worktree-prepared')?.how).toBe('made');
    },
  );

  it('LS-WT-CRASH: in a pass, while its worktree is made and while it works: the same worktrees, nothing twice', () => {
    project.write(
      '.lockstep/workflows/w.yaml',
      `lockstep: 1
name: w
steps:
  - id: all
    each: 'x in ["a", "b"]'
    workspace: worktree
    steps:
      - { id: one, run: 'echo {{ x }} >> out && git add . && git commit -qm one' }
      - { id: two, run: '[ -e ../killed ] || { touch ../killed; kill -9 $PPID; sleep 5; }; cat out' }
outputs: { all: '{{ steps.all.output }}' }
`,
    );
    killingGit('after');
    expect(project.spawned('run', 'w').exitCode).toBe(null);
    expect(project.spawned('resume', 'latest').exitCode).toBe(null);
    const { exitCode, stdout } = project.lockstep('resume', 'latest', '--json');
    expect(exitCode).toBe(0);
    const outputs = JSON.parse(
      stdout
        .trim()
        .split('\n')
        .findLast((line) => line.includes('run-completed')) ?? '',
    ) as {
      outputs: { all: { output: string; branch: string }[] };
    };
    expect(outputs.outputs.all.map(({ output }) => output)).toEqual(['a', 'b']);
    for (const { branch } of outputs.outputs.all)
      expect(sh(`git log --format=%s ${branch}`)).toBe('one\nstart');
    expect(
      journal().flatMap(({ kind, path, remedy }) =>
        kind === 'attempt-in-doubt' ? [`${path} ${remedy}`] : [],
      ),
    ).toEqual(['all[0] rerun', 'all[0]/two rerun']);
  });
});
