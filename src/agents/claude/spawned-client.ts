// spawned-client: the SDK's process, started by us: in a group of its own, ended with all it started, its output in the
// log. To the SDK it looks like a child process of Node's.

import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { AgentRequest, Kept } from '../../ports/agent.ts';
import type { ProcessEnd, Processes, RunningProcess } from '../../ports/processes.ts';

/** What the SDK asks for. */
export interface SpawnOptions {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
  signal?: AbortSignal;
}

export class SpawnedClient extends EventEmitter {
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  readonly process: RunningProcess;
  killed = false;
  exitCode: number | null = null;
  signalCode: string | null = null;

  constructor(options: SpawnOptions, request: AgentRequest, processes: Processes, stderr: Kept) {
    super();
    const argv = [options.command, ...options.args];
    request.onEvent({ kind: 'started', argv });
    this.process = processes.spawn({
      argv,
      cwd: options.cwd ?? request.cwd,
      env: Object.fromEntries(
        Object.entries(options.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      interactive: true,
      onStdout: (chunk) => {
        request.onEvent({ kind: 'output', stream: 'stdout', chunk });
        this.stdout.write(chunk);
      },
      onStderr(chunk) {
        stderr.write(chunk);
        request.onEvent({ kind: 'output', stream: 'stderr', chunk });
      },
    });
    this.stdin = new Writable({
      write: (chunk: Uint8Array, _encoding, done) => {
        this.process.write(chunk);
        done();
      },
      final: (done) => {
        this.process.endInput();
        done();
      },
    });
    options.signal?.addEventListener('abort', () => this.kill('SIGTERM'), { once: true });
    this.process.end.then(
      (end) => this.#ended(end),
      (error: Error) =>
        this.#ended({ exitCode: null, signal: null, error: { code: '', message: error.message } }),
    );
  }

  kill(signal?: string): boolean {
    this.killed = true;
    if (signal === 'SIGKILL') this.process.kill();
    else this.process.stop();
    return true;
  }

  #ended({ exitCode, signal, error }: ProcessEnd): void {
    this.exitCode = exitCode;
    this.signalCode = signal;
    this.stdout.end();
    // An 'error' that nobody listens to would be thrown.
    if (error !== undefined && this.listenerCount('error') > 0) this.emit('error', new Error(error.message));
    this.emit('exit', exitCode, signal);
  }
}
