// fault: everything that goes wrong outside a definition. One class, one shape.

export interface FaultOptions {
  hint?: string;
  cause?: unknown;
  /** Whether the same call may succeed later. */
  retry?: boolean;
  /** The exit code the command line ends with; 1 unless said otherwise. */
  exitCode?: number;
}

export class Fault extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly retry: boolean;
  readonly exitCode: number;

  constructor(code: string, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.hint = options.hint;
    this.retry = options.retry ?? false;
    this.exitCode = options.exitCode ?? 1;
  }
}
