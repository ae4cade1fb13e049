// `--clean-processed`, `--archive-processed`: what they do around a run, and that they do nothing else.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scratch } from '../scratch.ts';
import { projectWith, runIds } from './started.ts';

const QUEUE = `lockstep: 1
name: queue
inputs: { code: { type: number, default: 0 } }
steps:
  - { id: work, run: 'ls processed > seen.txt; echo done > processed/new.task; exit {{ inputs.code }}' }
`;
const withFolder = (folder: string) =>
  QUEUE.replace('steps:', `policy: { dirs: { processed: ${folder} } }\nsteps:`);

let project: Scratch;
afterEach(() => project.remove());

const inside = (path: string) => join(project.root, path);
const there = (path: string) => existsSync(inside(path));
const queue = (files: Record<string, string> = {}) => {
  project = projectWith({ 'q.yaml': QUEUE, 'processed/old.task': 'old', 'src/a.ts': 'a', ...files });
};

describe('--clean-processed', () => {
  it('empties the folder before the first step, and says so', () => {
    queue();
    const { exitCode, stdout } = project.lockstep('run', 'q.yaml', '--clean-processed');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Emptied processed: 1 item removed.');
    expect(project.sh('cat seen.txt').stdout).toBe('');
    expect(readdirSync(inside('processed'))).toEqual(['new.task']);
  });

  it.each([
    ['the workspace itself', '.', () => {}],
    ['a way out', '../other', () => mkdirSync(inside('../other'))],
    ['an absolute path', '/tmp/lockstep-nobody', () => {}],
    ['a symlink that leaves', 'out', () => symlinkSync('/tmp', inside('out'))],
    ['a symlink that stays', 'near', () => symlinkSync('src', inside('near'))],
    ['a folder with the workflow in it', 'flows', () => project.sh('mkdir flows; cp q.yaml flows')],
    ['the library', '.lockstep', () => project.write('.lockstep/workflows/x.yaml', QUEUE)],
  ])('refuses %s with exit code 2: nothing is removed, no run is made', (_, folder, prepare) => {
    queue();
    prepare();
    const file = folder === 'flows' ? 'flows/q.yaml' : 'q.yaml';
    project.write(file, withFolder(folder));
    const before = project.sh('find . -path ./.git -prune -o -print | sort').stdout;
    const { exitCode, stderr } = project.lockstep('run', file, '--clean-processed');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/error\[(processed-unsafe|path-outside)\]/);
    expect(project.sh('find . -path ./.git -prune -o -print | sort').stdout).toBe(before);
    expect(runIds(project)).toEqual([]);
  });

  it('refuses a folder that holds the runs', () => {
    queue({ 'q.yaml': withFolder('state') });
    const { exitCode } = project.lockstep('run', 'q.yaml', '--clean-processed', '--state-dir', 'state/runs');
    expect(exitCode).toBe(2);
    expect(there('state')).toBe(false);
  });

  it('removes nothing where the run is refused for another reason, or is a dry run', () => {
    queue({
      'p.yaml': 'lockstep: 1\nname: p\nsteps: [{ id: p, prompt: { text: Hi. }, provider: nobody }]\n',
    });
    expect(project.lockstep('run', 'q.yaml', '--clean-processed', '--input', 'code=x').exitCode).toBe(2);
    expect(project.lockstep('run', 'p.yaml', '--clean-processed').exitCode).not.toBe(0);
    expect(project.lockstep('run', 'q.yaml', '--clean-processed', '--dry-run').exitCode).toBe(0);
    expect(there('processed/old.task')).toBe(true);
    expect(runIds(project)).toEqual([]);
  });
});

describe('--archive-processed', () => {
  it('goes into the folder of the run, as a zip that unzip accepts', () => {
    queue();
    const { exitCode, stdout } = project.lockstep('run', 'q.yaml', '--archive-processed');
    const zip = inside('.lockstep/runs/latest/processed.zip');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Archived processed \(2 files, .*\): .*\/processed\.zip/);
    execFileSync('unzip', ['-tqq', zip]);
    expect(execFileSync('unzip', ['-Z1', zip]).toString()).toContain('processed/new.task');
  });

  it('goes where it is told, relative to where one stands; with --json that is a line of JSON', () => {
    queue();
    const { exitCode, stdout } = project.lockstep(
      'run',
      'q.yaml',
      '--json',
      '--archive-processed',
      'out/done.zip',
    );
    expect(exitCode).toBe(0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; message?: string });
    expect(lines.at(-1)?.kind).toBe('summary');
    expect(lines.find(({ kind }) => kind === 'note')?.message).toContain('out/done.zip');
    execFileSync('unzip', ['-tqq', inside('out/done.zip')]);
  });

  it('is not made where the run fails', () => {
    queue();
    expect(project.lockstep('run', 'q.yaml', '--archive-processed', 'd.zip', '-i', 'code=1').exitCode).toBe(
      1,
    );
    expect(project.lockstep('run', 'q.yaml', '--archive-processed', '-i', 'code=1').exitCode).toBe(1);
    expect(there('d.zip') || there('.lockstep/runs/latest/processed.zip')).toBe(false);
  });

  it.each(['processed/d.zip', 'processed/../processed/d.zip', 'alias/d.zip', 'src', 'src/a.ts'])(
    'refuses %s before the run, with exit code 2',
    (destination) => {
      queue();
      symlinkSync('processed', inside('alias'));
      const { exitCode, stderr } = project.lockstep('run', 'q.yaml', '--archive-processed', destination);
      expect(stderr).toContain('error[archive-destination]');
      expect(exitCode).toBe(2);
      expect(runIds(project)).toEqual([]);
      expect(project.sh('cat src/a.ts').stdout).toBe('a');
    },
  );

  it('tells where it cannot be written once the run is completed, with exit code 1', () => {
    queue({ 'q.yaml': QUEUE.replace("run: 'ls", "run: 'touch taken; ls") });
    const { exitCode, stderr, stdout } = project.lockstep(
      'run',
      'q.yaml',
      '--archive-processed',
      'taken/d.zip',
    );
    expect(stdout).toContain('queue completed');
    expect(stderr).toContain('error[archive-failed]');
    expect(exitCode).toBe(1);
  });
});
