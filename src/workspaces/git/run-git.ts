// run-git: asks git, and never changes anything: no lock, no hook, no prompt, no monitor is started. What makes worktrees
// (`changeWithGit`) takes the locks that it needs, and still starts no hook and asks nobody. What git is told about the
// repository, and what it is not, is in start-git.ts.

import { spawn } from 'node:child_process';
import type { Setting } from './config-text.ts';
import { gitFault } from './git-fault.ts';
import { runStarted, startGit, startGitIn } from './start-git.ts';

/** What a call has besides its words. */
export interface GitCall {
  /** Its standard input, as Latin-1. */
  input?: string;
  /** Variables that name a repository of our own, which git works in instead. */
  env?: Record<string, string>;
  /** As in StartOptions. */
  asIs?: boolean;
  /** As in StartOptions. */
  writes?: boolean;
}

/** Output as Latin-1: one character a byte, so that names which are not UTF-8 survive, and sort in byte order. */
export function runGit(root: string, args: string[], call?: GitCall): string {
  const output = askGit(root, args, call);
  if (output === undefined) throw gitFault(root, args, 'it said nothing');
  return output;
}

/** Undefined: git says no without a word, as `--quiet` and `--verify` make it do. */
export function askGit(
  root: string,
  args: string[],
  { input, env, writes, asIs }: GitCall = {},
): string | undefined {
  const start = env === undefined ? startGit(root, { writes, asIs }) : startGitIn(root, env);
  const result = runStarted(start, env?.GIT_DIR ?? root, args, input);
  if (result.status === 0) return result.stdout.toString('latin1');
  const said = result.error?.message ?? result.stderr.toString().trim();
  if (said === '') return undefined;
  throw gitFault(root, args, said);
}

/** For what takes long or changes something: others go on meanwhile. `settings`: as in StartOptions. */
export async function changeWithGit(root: string, args: string[], settings?: Setting[]): Promise<string> {
  const start = startGit(root, { writes: true, settings });
  return await new Promise<string>((resolve, reject) => {
    const child = spawn(start.command, [...start.options, ...args], {
      cwd: root,
      env: start.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: Buffer[] = [];
    const complained: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => complained.push(chunk));
    child.on('error', (error) => reject(gitFault(root, args, error.message)));
    child.on('close', (status) => {
      if (status === 0) resolve(Buffer.concat(said).toString());
      else reject(gitFault(root, args, Buffer.concat(complained).toString().trim() || `exit code ${status}`));
    });
  }).finally(() => start.end());
}
