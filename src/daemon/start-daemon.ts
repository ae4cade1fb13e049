// start-daemon: a daemon in a process of its own, which outlives the hook that started it.
// S1. It gets nothing that belongs to one client: not its session, its tokens, nor the mark of an agent.
// S2. What it prints goes to a log that only this user reads.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { guardFolder, makePrivateFolder } from './place.ts';

const MOST_LOG = 256 * 1024;
const OF_A_CLIENT =
  /^(CLAUDECODE|CLAUDE_(PID|PROJECT_DIR|PLUGIN_.*|ENV_FILE|EFFORT)|CLAUDE_CODE_(SESSION.*|ENTRYPOINT|MESSAGING.*|SSE_PORT|EXECPATH|CHILD.*)|GEMINI_(SESSION_ID|PROJECT_DIR|CWD|CLI)|CODEX_(THREAD.*|SANDBOX.*)|LOCKSTEP_(RUN|RUN_ROOT|STEP|AGENT)|TRACEPARENT|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_CHANNEL_.*)$/;

/** The environment of a client without what is about that client's process and session alone. */
export function commonEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const common: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !OF_A_CLIENT.test(name)) common[name] = value;
  }
  return common;
}

export function logFile(home: string): string {
  return `${guardFolder(home)}/daemon.log`;
}

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
