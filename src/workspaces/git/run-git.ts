// run-git: asks git, and never changes anything: no lock, no hook, no prompt, no monitor is started. What makes worktrees
// (`changeWithGit`) takes the locks that it needs, and still starts no hook and asks nobody.

import { spawn, spawnSync } from 'node:child_process';
import { Fault } from '../../model/fault.ts';

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'gc.auto=0',
];

/** What a call has besides its words: its standard input (Latin-1), and variables that say where git keeps things. */
export interface GitCall {
  input?: string;
  env?: Record<string, string>;
}

/** Output as Latin-1: one character a byte, so that names which are not UTF-8 survive, and sort in byte order. */
export function runGit(root: string, args: string[], call?: GitCall): string {
  const output = askGit(root, args, call);
  if (output === undefined) throw gitFault(root, args, 'it said nothing');
  return output;
}

/** Undefined: git says no without a word, as `--quiet` and `--verify` make it do. */
export function askGit(root: string, args: string[], { input, env }: GitCall = {}): string | undefined {
  const result = spawnSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: root,
    env: { ...environment(), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(input !== undefined && { input: Buffer.from(input, 'latin1') }),
    maxBuffer: 2 ** 30,
  });
  if (result.status === 0) return result.stdout.toString('latin1');
  const said = result.error?.message ?? result.stderr.toString().trim();
  if (said === '') return undefined;
  throw gitFault(root, args, said);
}

/** For what takes long or changes something: others go on meanwhile. */
export async function changeWithGit(root: string, args: string[]): Promise<string> {
  const { GIT_OPTIONAL_LOCKS: _, GIT_NO_LAZY_FETCH: __, ...env } = environment();
  return await new Promise((resolve, reject) => {
    const child = spawn('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
      cwd: root,
      env,
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
  });
}

/** Of git's own variables only those that configure it: the others point at some other repository, as in a hook. */
function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env))
    if (!/^GIT_(?!CONFIG|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS)/.test(name)) env[name] = value;
  return { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' };
}

function gitFault(root: string, args: string[], said: string): Fault {
  if (said.includes('dubious ownership')) {
    const folder = /repository at '(.+)'/.exec(said)?.[1] ?? root;
    return new Fault('git-refused', `git does not read ${folder}: the folder belongs to another user`, {
      hint: `If you trust it: git config --global --add safe.directory ${shellWord(folder)}`,
    });
  }
  if (said.includes('not a git repository'))
    return new Fault('not-a-git-repository', `${root} is no longer in a git repository: ${said}`);
  const hint = /bad object|unknown revision|Not a valid object/.test(said)
    ? 'The commit the run began at is not in this repository any more: it was rewritten and cleaned up, or fetched without its history.'
    : undefined;
  return new Fault('git-failed', `"git ${args.join(' ')}" failed in ${root}: ${said}`, { hint });
}

function shellWord(text: string): string {
  return /^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
