// The world goes wrong under a run of the real command: the disk is full, a folder is gone, the clock is set back.
// A clear error or correct behaviour, and the journal still verifies.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot, type Scratch, scratch } from '../scratch.ts';
import { tries } from '../support/tries.ts';

let project: Scratch;
const mounts: string[] = [];
beforeEach(() => {
  project = scratch({ git: true, within: '/var/tmp' });
});
afterEach(() => {
  for (const mount of mounts.splice(0))
    expect(spawnSync('umount', [mount]).status, 'no file is left open').toBe(0);
  project.remove();
});

/** A small file system of its own, or the reason why there cannot be one. */
function mountSmall(size: string): { path: string } | { reason: string } {
  const path = join(project.root, '..', 'small');
  mkdirSync(path);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  if (mounted.status !== 0) return { reason: 'mounting a tmpfs is not permitted here' };
  mounts.push(path);
  return { path };
}

describe('disk full', () => {
  // Which write meets the full disk first, the journal's or a step's log, depends on the size of the disk.
  it.for(['640k', '644k', '648k', '652k', '656k'])(
    'LS-TROUBLE-DISK-FULL: a disk of %s ends with a clear error, the journal verifies, and resume goes on once there is room',
    (size, context) => {
      const disk = mountSmall(size);
      if ('reason' in disk) return context.skip(disk.reason);
      project.write(
        'chatty.yaml',
        `lockstep: 1
name: chatty
steps:
  - id: talk
    each: n in [${Array.from({ length: 200 }, (_, index) => index).join(', ')}]
    steps:
      - { id: say, run: 'head -c 8000 /dev/zero | tr "\\\\0" x' }
outputs: { said: '{{ size(steps.talk.output) }}' }
`,
      );
      const full = project.lockstep('run', 'chatty.yaml', '--state-dir', disk.path, '--quiet');
      expect(full.exitCode, full.stdout + full.stderr).toBe(1);
      expect(full.stderr).toContain('disk-full');
      const audit = project.lockstep('audit', 'latest', '--state-dir', disk.path, '--json');
      expect(audit.exitCode, audit.stderr).toBe(0);
      expect(spawnSync('mount', ['-o', 'remount,size=64m', disk.path]).status).toBe(0);
      const resumed = project.lockstep('resume', 'latest', '--state-dir', disk.path, '--json');
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      expect(resumed.stdout).toContain('"said":200');
    },
  );

  it('LS-TROUBLE-READ-ONLY: a run directory that cannot be written is told before anything runs', (context) => {
    const disk = mountSmall('640k');
    if ('reason' in disk) return context.skip(disk.reason);
    project.write('one.yaml', 'lockstep: 1\nname: one\nsteps:\n  - { id: a, run: touch ran }\n');
    expect(spawnSync('mount', ['-o', 'remount,ro', disk.path]).status).toBe(0);
    const { exitCode, stderr } = project.lockstep('run', 'one.yaml', '--state-dir', disk.path);
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/error\[run-read-only\]/);
    expect(existsSync(join(project.root, 'ran'))).toBe(false);
  });
});

it('LS-TROUBLE-WORKSPACE: a workspace deleted under the run fails the step with a clear error', () => {
  const state = join(project.root, '..', 'state');
  project.write(
    'gone.yaml',
    `lockstep: 1\nname: gone\nsteps:\n  - { id: a, run: 'rm -rf "$PWD"' }\n  - { id: b, run: echo never }\n`,
  );
  const { exitCode, stdout, stderr } = project.lockstep('run', 'gone.yaml', '--state-dir', state);
  expect(exitCode, stdout + stderr).toBe(1);
  expect(stdout + stderr).toMatch(/workspace|folder|directory/i);
  mkdirSync(project.root, { recursive: true });
  expect(project.lockstep('audit', 'latest', '--state-dir', state).exitCode).toBe(0);
});

it('LS-TROUBLE-CLOCK: a clock that jumps back between two processes loses nothing and makes no duration negative', () => {
  project.write(
    'two.yaml',
    `lockstep: 1\nname: two\nsteps:\n  - { id: a, run: 'echo a' }\n  - { id: q, ask: 'Well?' }\n  - { id: b, run: 'echo b' }\n`,
  );
  expect(project.lockstep('run', 'two.yaml', '--quiet').exitCode).toBe(3);
  // Node reads the clock through this function alone; the process sees last year.
  const back = join(project.root, 'back.cjs');
  project.write('back.cjs', 'const now = Date.now; Date.now = () => now() - 365 * 86_400_000;\n');
  const answered = spawnSync(
    process.execPath,
    ['--require', back, join(projectRoot, 'dist/lockstep.js'), 'answer', 'latest', 'fine'],
    {
      cwd: project.root,
      env: project.env,
      encoding: 'utf8',
    },
  );
  expect(answered.status, answered.stderr).toBe(0);
  const state = JSON.parse(project.lockstep('status', '--json').stdout) as { status: string };
  expect(state.status).toBe('completed');
  expect(project.lockstep('audit').exitCode).toBe(0);
  expect(project.lockstep('status').stdout).not.toMatch(/-\d+(\.\d+)? m?s/);
});

it('LS-TROUBLE-500-RUNS: 500 runs in one directory are made, listed and cleaned', () => {
  project.write('tiny.yaml', 'lockstep: 1\nname: tiny\nsteps:\n  - { id: a, call: noop }\n');
  expect(project.lockstep('run', 'tiny.yaml', '--quiet').exitCode).toBe(0);
  // Copies of a real run: the chain is seeded with the id, so each copy gets its own journal.
  const made = project.sh(`
    cd .lockstep/runs && first=$(basename "$(readlink latest)")
    for i in $(seq 1 499); do id=$(printf '20200101T000000Z-%06x' $i); cp -r "$first" "$id"; done
    ls -d *Z-* | wc -l`);
  expect(made.stdout.trim()).toBe('500');
  const listed = project.lockstep('runs', '--limit', '1000', '--json');
  expect(listed.exitCode, listed.stderr).toBe(0);
  expect(JSON.parse(listed.stdout)).toHaveLength(500);
  const cleaned = project.lockstep('clean', '--older-than', '30d');
  expect(cleaned.stdout).toContain('499');
  expect(JSON.parse(project.lockstep('runs', '--limit', '1000', '--json').stdout)).toHaveLength(1);
});

describe('output of any size (S5)', () => {
  /** The most memory the process ever had, in MB, while its step printed so much. */
  async function peakWhilePrinting(bytes: number): Promise<number> {
    project.write(
      'flood.yaml',
      `lockstep: 1\nname: flood\nsteps:\n  - { id: flood, run: 'head -c ${bytes} /dev/zero', save_to: out.bin }\n`,
    );
    const child = spawn(
      process.execPath,
      [join(projectRoot, 'dist/lockstep.js'), 'run', 'flood.yaml', '--quiet'],
      {
        cwd: project.root,
        env: project.env,
        stdio: 'ignore',
      },
    );
    let peak = 0;
    const timer = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // It has just ended.
      }
    }, 20);
    const code = await new Promise((resolve) => child.on('close', resolve));
    clearInterval(timer);
    expect(code).toBe(0);
    return peak;
  }

  it('LS-OUTPUT-MEMORY: a step that prints gigabytes leaves memory flat; log and save_to have it whole, the journal an extract', async (context) => {
    const { bavail, bsize } = statfsSync(project.root);
    if (bavail * bsize < 6e9) return context.skip('needs 6 GB of disk');
    if (!existsSync('/proc/self/status')) return context.skip('needs /proc');
    const small = await peakWhilePrinting(16 * 1024 * 1024);
    rmSync(join(project.root, 'out.bin'));
    const all = tries(2 ** 31, 2 ** 28);
    const large = await peakWhilePrinting(all);
    expect(large).toBeLessThan(small * 1.5 + 64);
    expect(statSync(join(project.root, 'out.bin')).size).toBe(all);
    const latest = join(project.root, '.lockstep/runs/latest');
    expect(statSync(join(latest, 'logs/flood.stdout')).size).toBe(all);
    expect(statSync(join(latest, 'journal.jsonl')).size).toBeLessThan(16 * 1024 * 1024);
    expect(readFileSync(join(latest, 'journal.jsonl'), 'utf8')).toContain(`"truncated":{"bytes":${all}`);
  }, 240_000);
});
