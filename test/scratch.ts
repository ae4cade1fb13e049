// scratch: a project in a temporary folder, with the built command on its PATH and nobody's settings around it.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { type Ended, runCommand } from './command.ts';

export type { Ended } from './command.ts';

export interface Scratch {
  readonly root: string;
  readonly env: Record<string, string>;
  write(path: string, text: string): void;
  /** A shell line. */
  sh(line: string): Ended;
  /** The command, in a thread of this process: see command.ts. */
  lockstep(...argv: string[]): Ended;
  /** The command as people have it, in a process of its own. */
  spawned(...argv: string[]): Ended;
  remove(): void;
}

export const projectRoot = resolve(import.meta.dirname, '..');

/**
 * `command`: the executable that `spawned` starts, the built one unless said otherwise. `within`: for what is too large to
 * lie in memory (fast-folder.ts).
 */
export function scratch(options: { git?: boolean; command?: string; within?: string } = {}): Scratch {
  const base = mkdtempSync(join(options.within ?? tmpdir(), 'lockstep-test-'));
  const root = join(base, 'project');
  const env: Record<string, string> = {
    PATH: [join(base, 'bin'), dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    HOME: join(base, 'home'),
    // What a command keeps for people to look at is removed with the rest.
    TMPDIR: join(base, 'tmp'),
    // Compiled code is the same for everybody; without this every project would compile its own.
    XDG_CACHE_HOME: join(tmpdir(), 'lockstep-test-cache'),
    // No test starts a client of whoever runs it.
    LOCKSTEP_CLIENTS: 'none',
    // Where there is a network, npm would say now and then that there is a newer one.
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
  for (const folder of ['bin', 'home', 'project', 'tmp']) mkdirSync(join(base, folder));
  const command = options.command ?? join(projectRoot, 'dist/lockstep.js');
  symlinkSync(command, join(base, 'bin/lockstep'));

  const run = (file: string, argv: string[]): Ended => {
    const { status, stdout, stderr, error } = spawnSync(file, argv, {
      cwd: root,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (error) throw error;
    return { exitCode: status, stdout, stderr };
  };
  if (options.git) {
    cpSync(firstCommit(env), join(root, '.git'), { recursive: true });
  }
  return {
    root,
    env,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    sh: (line) => run('/bin/sh', ['-c', line]),
    lockstep: (...argv) => runCommand({ cwd: root, environment: env }, argv),
    spawned: (...argv) => run(join(base, 'bin/lockstep'), argv),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** The `.git` of a repository with one commit that is empty. Made once: a copy takes a tenth of the time. */
function firstCommit(env: Record<string, string>): string {
  const cache = join(tmpdir(), 'lockstep-test-cache');
  const made = join(cache, 'first-commit');
  if (existsSync(made)) return made;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  const git = (...argv: string[]) => execFileSync('git', argv, { cwd: draft, env });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  rmSync(join(draft, '.git/hooks'), { recursive: true, force: true });
  mkdirSync(join(draft, '.git/hooks'));
  try {
    renameSync(join(draft, '.git'), made);
  } catch (error) {
    if (!existsSync(made)) throw error; // else another worker was first
  }
  rmSync(draft, { recursive: true, force: true });
  return made;
}
