// services: what the command line is given by the composition root. Heavy parts are asked for when a command needs them.

import type { RunServices } from '../drivers/run/run.ts';
import type { Clock } from '../ports/clock.ts';
import type { Library } from '../ports/library.ts';
import type { Store } from '../ports/store.ts';

export interface Services {
  version: string;
  cwd: string;
  environment: Record<string, string>;
  /** Whose word an answer, a signal or a cancellation is. */
  user: string;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  clock: Clock;
  /** sha256, hex. */
  hash(text: string): string;
  /** The git root, else the nearest folder with `.lockstep/`, else where one stands. */
  projectRoot(): Promise<string>;
  library(): Promise<Library>;
  /** Where runs are kept: `--state-dir`, LOCKSTEP_STATE_DIR, or `.lockstep/runs` of the project. */
  store(stateDirectory?: string): Promise<Store>;
  runServices(store: Store): Promise<RunServices>;
  /** What a run takes up where it lies, in bytes. */
  sizeOf(location: string): number;
  /** A file named on the command line, as text; Fault `file-unreadable`. */
  readFile(path: string): string;
}
