// start-daemon: a daemon in a process of its own, which outlives the hook that started it.
// S1. It gets nothing that belongs to one client: not its session, its tokens, nor the mark of an agent.
// S2. What it prints goes to a log that only this user reads.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { commonEnvironment } from './common-environment.ts';
import { guardFolder, logFile, makePrivateFolder } from './place.ts';

const MOST_LOG = 256 * 1024;
export function startDaemon(
  command: readonly string[],
  home: string,
  environment: NodeJS.ProcessEnv,
): ChildProcess {
  const folder = guardFolder(home);
  makePrivateFolder(folder);
  const log = openLog(logFile(home));
  try {
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...commonEnvironment(environment), LOCKSTEP_HOME: home },
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.on('error', () => {}); // told by its end
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_LOG) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}
