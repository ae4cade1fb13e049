// processes: child processes in groups of their own. Ending one ends all it started.

export interface SpawnRequest {
  argv: string[];
  cwd: string;
  /** The whole environment: nothing is inherited. (A marker, `LOCKSTEP_CHILD`, is added.) */
  env: Record<string, string>;
  /** Its whole standard input; a descriptor of ours may be closed once `spawn` has returned. Absent: empty. */
  stdin?: string | Uint8Array | { descriptor: number };
  /** Leave the standard input open for `write`; it ends with `endInput`. */
  interactive?: boolean;
  /** What a callback throws ends the command, and `end` rejects with it. */
  onStdout(chunk: Uint8Array): void;
  onStderr(chunk: Uint8Array): void;
}

export interface ProcessEnd {
  /** null: ended by a signal, or never started. */
  exitCode: number | null;
  signal: string | null;
  /** It could not be started (`ENOENT` and the like), or not be ended (`EPERM`). */
  error?: { code: string; message: string };
  /** It had ended and left others of its group running: those were stopped. */
  leftovers?: boolean;
}

export interface RunningProcess {
  readonly pid: number | undefined;
  readonly end: Promise<ProcessEnd>;
  /** To the standard input of an `interactive` one; after it has ended, nothing happens. */
  write(chunk: string | Uint8Array): void;
  endInput(): void;
  /** TERM to the group, KILL after the grace period. Safe to call twice. */
  stop(): void;
  /** KILL to the group, at once. */
  kill(): void;
}

export interface Processes {
  /** Never throws: a command that cannot be started ends with `error`. Output is back-pressured, never buffered whole. */
  spawn(request: SpawnRequest): RunningProcess;
  /** KILL to every group still there, synchronously; for the way out. */
  killAll(): void;
  /**
   * KILL to what another process of ours, now dead, has left running: whoever's environment matches. How many there
   * were; where the system does not tell (no /proc) none are found.
   */
  endLeftBehind(matches: (environment: ReadonlyMap<string, string>) => boolean): Promise<number>;
}
