// child: one command from its start to the end of all it started. Two things end independently, the leader and the
// two streams, and the group may outlive both; `#look` is the one place that puts them together.

import { type ChildProcess, spawn } from 'node:child_process';
import type { ProcessEnd, RunningProcess, SpawnRequest } from '../ports/processes.ts';
import {
  groupLives,
  markEnvironment,
  refreshStrays,
  type Strays,
  signalGroup,
  signalStrays,
} from './process-tree.ts';
import { spawnFailure } from './spawn-failure.ts';

export interface Terms {
  graceMs: number;
  quietMs: number;
  marker: string;
  /** Those that have not ended. */
  living: Set<Child>;
}

/** How long KILL may take before the process counts as one that cannot be ended. */
const killMs = 3000;
const slowestLookMs = 50;

/** Throws what `child_process.spawn` throws. */
export function startChild(request: SpawnRequest, terms: Terms): Child {
  const { stdin } = request;
  const input = isDescriptor(stdin)
    ? stdin.descriptor
    : stdin !== undefined || request.interactive === true
      ? 'pipe'
      : 'ignore';
  const child = spawn(request.argv[0] ?? '', request.argv.slice(1), {
    cwd: request.cwd,
    env: markEnvironment(request.env, terms.marker),
    detached: true,
    stdio: [input, 'pipe', 'pipe'],
  });
  return new Child(child, request, terms);
}

function isDescriptor(stdin: SpawnRequest['stdin']): stdin is { descriptor: number } {
  return typeof stdin === 'object' && 'descriptor' in stdin;
}

export class Child implements RunningProcess {
  readonly pid: number | undefined;
  readonly end: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  readonly #terms: Terms;
  #phase: 'running' | 'stopping' | 'killing' | 'ended' = 'running';
  /** How the leader ended, once it has. */
  #leader: ProcessEnd | undefined;
  #leaderEndedAt = 0;
  #lastOutputAt = 0;
  #openStreams = 2;
  /** When the next phase begins. */
  #deadline = 0;
  /** Once gone a group stays gone; its number may come again, so it is not asked for twice. */
  #groupGone = false;
  /** It ended by itself and left some of its group behind. Daemons are then left alone (P1). */
  #leftovers = false;
  readonly #strays: Strays = new Map();
  #straysSignalled = false;
  /** What a callback threw: the caller's own failure goes back to the caller. */
  #thrown: { error: unknown } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lookMs = 1;
  #confirming = false;
  #resolve!: (end: ProcessEnd) => void;
  #reject!: (error: unknown) => void;

  constructor(child: ChildProcess, request: SpawnRequest, terms: Terms) {
    this.#child = child;
    this.#terms = terms;
    this.pid = child.pid;
    this.end = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    child.on('error', (error) => {
      if (this.pid === undefined)
        this.#finish({ exitCode: null, signal: null, error: spawnFailure(error, request) });
    });
    if (this.pid === undefined) return;
    terms.living.add(this);
    child.on('exit', (exitCode, signal) => this.#leaderEnded({ exitCode, signal }));
    this.#listen(child.stdout, request.onStdout.bind(request));
    this.#listen(child.stderr, request.onStderr.bind(request));
    // A command that does not read its input to the end (EPIPE) is no failure of ours.
    child.stdin?.on('error', () => {});
    if (request.stdin !== undefined && !isDescriptor(request.stdin)) child.stdin?.write(request.stdin);
    if (!request.interactive) child.stdin?.end();
  }

  write(chunk: string | Uint8Array): void {
    if (this.#child.stdin?.writable) this.#child.stdin.write(chunk);
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  stop(): void {
    if (this.#phase !== 'running' || this.pid === undefined) return;
    this.#phase = 'stopping';
    this.#deadline = performance.now() + this.#terms.graceMs;
    // Before TERM: once a parent is gone nobody can tell whose child it was.
    this.#findStrays(this.pid);
    if (!this.#groupGone) signalGroup(this.pid, 'SIGTERM');
    this.#lookSoon();
  }

  kill(): void {
    if (this.#phase === 'ended' || this.pid === undefined) return;
    if (this.#phase !== 'killing') this.#deadline = performance.now() + killMs;
    this.#phase = 'killing';
    this.#findStrays(this.pid);
    if (!this.#groupGone) signalGroup(this.pid, 'SIGKILL');
    signalStrays(this.#strays, 'SIGKILL');
    this.#lookSoon();
  }

  #listen(stream: NodeJS.ReadableStream | null, receive: (chunk: Uint8Array) => void): void {
    stream?.on('data', (chunk: Buffer) => {
      if (this.#leader !== undefined) this.#lastOutputAt = performance.now();
      if (this.#thrown !== undefined) return;
      try {
        receive(chunk);
      } catch (error) {
        this.#thrown = { error };
        this.kill();
      }
    });
    stream?.on('error', () => {});
    stream?.on('close', () => {
      this.#openStreams -= 1;
      if (this.#leader !== undefined) this.#look();
    });
  }

  #leaderEnded(end: ProcessEnd): void {
    this.#leader = end;
    this.#leaderEndedAt = performance.now();
    this.#child.stdin?.destroy();
    this.#lookMs = 1;
    this.#look();
  }

  #look(confirmed = false): void {
    if (this.#phase === 'ended' || this.pid === undefined) return;
    if (this.#leader !== undefined) this.#lookAfterLeader(this.#leader, this.pid, confirmed);
    else this.#lookAtDeadline(this.pid);
  }

  #lookAfterLeader(leader: ProcessEnd, pid: number, confirmed: boolean): void {
    const alone = !this.#groupLives(pid) && !this.#straysLive(pid);
    const quiet = (alone || this.#phase === 'running') && this.#isQuiet(performance.now());
    if (alone && this.#openStreams === 0) this.#finish(leader);
    else if (quiet && !confirmed) this.#confirmQuiet();
    else if (quiet && alone) this.#finish(leader);
    else if (quiet) {
      this.#leftovers = true;
      this.stop();
    }
    // The way of nearly every command: alone, and the last output is about to be read.
    else if (alone) this.#lookSoon(this.#terms.quietMs);
    else this.#lookAtDeadline(pid);
  }

  /**
   * If we were busy, output may have come that nobody has read. Input is read between one round of immediates and the
   * next; the first may belong to a round that has begun.
   */
  #confirmQuiet(): void {
    if (this.#confirming) return;
    this.#confirming = true;
    setImmediate(() =>
      setImmediate(() => {
        this.#confirming = false;
        this.#look(true);
      }),
    );
  }

  #lookAtDeadline(pid: number): void {
    const late = this.#phase !== 'running' && performance.now() >= this.#deadline;
    if (late && this.#phase === 'killing') this.#finish(this.#unkillable(pid));
    else if (late) this.kill();
    else this.#lookSoon();
  }

  #groupLives(pid: number): boolean {
    this.#groupGone ||= !groupLives(pid);
    return !this.#groupGone;
  }

  #findStrays(pid: number): void {
    if (!this.#leftovers) refreshStrays(this.#strays, pid, this.#terms.marker);
  }

  /** Whoever left the group gets its TERM when the group is gone: until then its parent may be ending it in order. */
  #straysLive(pid: number): boolean {
    if (this.#phase === 'running') return false;
    this.#findStrays(pid);
    if (this.#strays.size === 0) return false;
    if (this.#phase === 'killing') signalStrays(this.#strays, 'SIGKILL');
    else if (!this.#straysSignalled) {
      this.#straysSignalled = true;
      signalStrays(this.#strays, 'SIGTERM');
    }
    return true;
  }

  /** Nothing more is coming, or it has been coming for so long that it will not end by itself. */
  #isQuiet(now: number): boolean {
    const { graceMs, quietMs } = this.#terms;
    return (
      now - Math.max(this.#leaderEndedAt, this.#lastOutputAt) >= quietMs ||
      now - this.#leaderEndedAt >= graceMs + quietMs
    );
  }

  #lookSoon(delay = this.#lookMs): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, delay);
    this.#lookMs = Math.min(this.#lookMs * 2, slowestLookMs);
  }

  #unkillable(pid: number): ProcessEnd {
    const message = `process group ${pid} was sent KILL and is still there: it belongs to another user, or waits for a device`;
    return { ...(this.#leader ?? { exitCode: null, signal: null }), error: { code: 'EPERM', message } };
  }

  #finish(end: ProcessEnd): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#terms.living.delete(this);
    clearTimeout(this.#timer);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.stdin?.destroy();
    if (this.#thrown) this.#reject(this.#thrown.error);
    else this.#resolve(this.#leftovers ? { ...end, leftovers: true } : end);
  }
}
