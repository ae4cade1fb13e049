// run-git: asks git, and never changes anything: no lock, no hook, no prompt, no monitor is started. What makes worktrees
// (`changeWithGit`) takes the locks that it needs, and still starts no hook and asks nobody. What git is told about the
// repository, and what it is not, is in start-git.ts.

import { spawn } from 'node:child_process';
import type { GitStart } from '../../ports/git.ts';
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
  writes?: boolean;
  /** Variables besides its own. */
  more?: Record<string, string>;
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
  { input, env, writes }: GitCall = {},
): string | undefined {
  const start = env === undefined ? startGit(root, { writes }) : startGitIn(root, env);
  const result = runStarted(start, env?.GIT_DIR ?? root, args, input);
  if (result.status === 0) return result.stdout.toString('latin1');
  const said = result.error?.message ?? result.stderr.toString().trim();
  if (said === '') return undefined;
  throw gitFault(root, args, said);
}

/** As `runGit`, for what git answers by looking at every file: others go on meanwhile. */
export async function runGitAside(root: string, args: string[], call: GitCall = {}): Promise<string> {
  const said: Buffer[] = [];
  await hearGit(root, args, call, (chunk) => said.push(chunk));
  return Buffer.concat(said).toString('latin1');
}

/**
 * What git ends with a NUL each, as it comes, as Latin-1: of a list of all files no second copy is made, and others have
 * their turn between two pieces of it.
 */
export async function eachRecord(
  root: string,
  args: string[],
  call: GitCall,
  visit: (record: string) => void,
): Promise<void> {
  let rest = '';
  await hearGit(root, args, call, (chunk) => {
    const records = (rest + chunk.toString('latin1')).split('\0');
    rest = records.pop() ?? '';
    for (const record of records) if (record !== '') visit(record);
  });
  if (rest !== '') visit(rest);
}

async function hearGit(
  root: string,
  args: string[],
  { input, env, writes, more }: GitCall,
  hear: (chunk: Buffer) => void,
): Promise<void> {
  const start = env === undefined ? startGit(root, { writes }) : startGitIn(root, env);
  if (more) start.env = { ...start.env, ...more };
  const { status, said } = await runAside(start, env?.GIT_DIR ?? root, args, { input, hear });
  if (status !== 0) throw gitFault(root, args, said || 'it said nothing');
}

/** For what takes long or changes something: others go on meanwhile. `settings`: as in StartOptions. `forMs`: no longer than that. */
export async function changeWithGit(
  root: string,
  args: string[],
  settings?: Setting[],
  forMs?: number,
): Promise<string> {
  const heard: Buffer[] = [];
  const start = startGit(root, { writes: true, settings });
  const { status, said } = await runAside(start, root, args, { hear: (chunk) => heard.push(chunk), forMs });
  if (status === 0) return Buffer.concat(heard).toString();
  throw gitFault(root, args, said || `exit code ${status}`);
}

interface Aside {
  input?: string;
  /** It is ended then. */
  forMs?: number;
  hear(chunk: Buffer): void;
}

/** `said`: what it complained of, or why it could not be started. */
async function runAside(
  start: GitStart,
  folder: string,
  args: readonly string[],
  { input, hear, forMs }: Aside,
): Promise<{ status: number | null; said: string }> {
  return await new Promise<{ status: number | null; said: string }>((resolve, reject) => {
    const child = spawn(start.command, [...start.options, ...args], {
      cwd: folder,
      env: start.env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(forMs !== undefined && { timeout: forMs, killSignal: 'SIGKILL' as const }),
    });
    const complained: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => {
      try {
        hear(chunk);
      } catch (error) {
        child.stdout?.destroy();
        reject(error);
      }
    });
    child.stderr?.on('data', (chunk: Buffer) => complained.push(chunk));
    // Git may end before it has read all of it; its exit code says why.
    child.stdin?.on('error', () => {});
    child.stdin?.end(Buffer.from(input ?? '', 'latin1'));
    child.on('error', (error) => resolve({ status: null, said: error.message }));
    child.on('close', (status) => resolve({ status, said: Buffer.concat(complained).toString().trim() }));
  }).finally(() => start.end());
}
