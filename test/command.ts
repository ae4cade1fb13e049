// command: the built command line in a thread of this process. Starting a process costs more than most commands do; a
// thread that is there already saves it, and all else is as it is: arguments, output, exit code, files, git, and the
// processes that steps start. What is about the process itself (signals, terminals, being killed, who started it) needs
// a process: `spawned` of test/scratch.ts.
// C1. A test waits for a command as it would for a process that it started: nothing else happens in the test meanwhile.
// C2. The environment is the command's own while it runs, also for libraries that ask the process for it.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  SHARE_ENV,
  Worker,
} from 'node:worker_threads';

export interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

interface Thread {
  worker: Worker;
  port: MessagePort;
  /** Rung when there is an answer. */
  bell: Int32Array;
}

const dist = resolve(import.meta.dirname, '../dist');
const PATIENCE_MS = 50_000;
let thread: Thread | undefined;

export function runCommand(
  { cwd, environment }: { cwd: string; environment: Record<string, string> },
  argv: readonly string[],
): Ended {
  thread ??= startThread();
  const { port, bell, worker } = thread;
  Atomics.store(bell, 0, 0);
  const answer = withEnvironment(environment, () => {
    port.postMessage({ argv, cwd, environment });
    Atomics.wait(bell, 0, 0, PATIENCE_MS);
    return receiveMessageOnPort(port)?.message as (Ended & { broken?: string }) | undefined;
  });
  if (answer === undefined) {
    thread = undefined;
    void worker.terminate();
    throw new Error(`lockstep ${argv.join(' ')} did not end, or ended its process`);
  }
  if (answer.broken !== undefined) throw new Error(`lockstep ${argv.join(' ')} broke: ${answer.broken}`);
  const { exitCode, stdout, stderr } = answer;
  return { exitCode, stdout, stderr };
}

function startThread(): Thread {
  const { port1, port2 } = new MessageChannel();
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(resolve(import.meta.dirname, 'support/command-thread.js'), {
    env: SHARE_ENV, // (C2)
    execArgv: [],
    workerData: { port: port2, bell, program: programFile() },
    transferList: [port2],
  });
  worker.unref();
  port1.unref();
  return { worker, port: port1, bell };
}

/** The program that the launcher in dist/ would load. */
export function programFile(): string {
  const launcher = readFileSync(join(dist, 'lockstep.js'), 'utf8');
  return join(dist, /^const PROGRAM = '(.+)';$/m.exec(launcher)?.[1] ?? 'not built');
}

/** (C2) */
function withEnvironment<T>(environment: Record<string, string>, act: () => T): T {
  const before = { ...process.env };
  replaceEnvironment(environment);
  try {
    return act();
  } finally {
    replaceEnvironment(before);
  }
}

function replaceEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}
