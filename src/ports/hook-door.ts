// hook-door: how a client's hook, a process of its own, asks the run that started the client.
//
// H1. Fails closed: where nobody answers (the run is gone, the program cannot start, it takes too long) the hook ends
//     with exit code 2, which every client takes for a denial.
// H2. Nobody but the user of this machine can knock: the door is in a folder of mode 700.
// H3. Calls come in parallel, from several clients at once, and each gets its own answer.

export interface HookDoor {
  /** One for each dispatch; `close` when the client has ended. What `handler` throws is a denial that says so. */
  open(handler: (payload: string) => Promise<HookAnswer>): Promise<OpenDoor>;
}

/** What the hook prints, and how it ends: the client's own protocol, made by the agent. */
export interface HookAnswer {
  stdout?: string;
  stderr?: string;
  exitCode?: number;
}

export interface OpenDoor {
  /** For a client's configuration: a line for a shell. Any end but a clean one becomes exit code 2. */
  readonly command: string;
  /** How long the program waits for an answer before it fails closed; give the client's own time-out more than this. */
  readonly patienceMs: number;
  /** Nobody is answered any more; the folder is gone. Safe to call twice. */
  close(): Promise<void>;
}
