// services: what the command line is given by the composition root. Heavy parts are asked for when a command needs them.

import type { DaemonParts } from '../daemon/daemon.ts';
import type { DoctorParts } from '../doctor/doctor.ts';
import type { GuardParts } from '../drivers/guard/guard.ts';
import type { ProjectFiles } from '../drivers/run/find-inputs.ts';
import type { Hosting } from '../hosting/hosting.ts';
import type { Callers } from '../ports/callers.ts';
import type { Clock } from '../ports/clock.ts';
import type { OwnGit } from '../ports/git.ts';
import type { Library } from '../ports/library.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { Store } from '../ports/store.ts';
import type { Tracker } from '../ports/tracker.ts';
import type { Worktrees } from '../ports/worktrees.ts';
import type { Dialect } from '../source/dialect.ts';

export interface Pages {
  /** Where all documentation is. */
  folder: string;
  names(): string[];
  read(code: string): string;
}

export interface Services {
  version: string;
  cwd: string;
  environment: Record<string, string>;
  /** The user's own library: LOCKSTEP_HOME, or ~/.lockstep. */
  home: string;
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
  /** What lies in the project's own folder, for inputs that are found there. */
  projectFiles(): Promise<ProjectFiles>;
  /** The same as if one stood there, relative to where one stands, and had that environment. Fault `working-dir-invalid`. */
  at(folder: string, environment?: Record<string, string>): Services;
  library(): Promise<Library>;
  /** The languages besides our own that a workflow may be written in. */
  dialects(): Promise<readonly Dialect[]>;
  /** Where runs are kept: `--state-dir`, LOCKSTEP_STATE_DIR, ORCHESTRATE_STATE_DIR, or `.lockstep/runs` of the project. */
  store(stateDirectory?: string): Promise<Store>;
  /** The folder of `store`, absolute. */
  runsFolder(stateDirectory?: string): Promise<string>;
  /** What runs are started and driven with; its store is that of `store`. */
  hosting(stateDirectory?: string): Promise<Hosting>;
  /** Who this process is, and what it runs below. */
  callers(): Promise<Callers>;
  /** Records of live sessions, of all projects. */
  sessions(): Promise<Sessions>;
  worktrees(): Promise<Worktrees>;
  /** For what Lockstep itself asks git. */
  git(): Promise<OwnGit>;
  /** The issues of the project. */
  tracker(): Promise<Tracker>;
  /** What the hooks of live sessions are answered with. */
  daemon(): Promise<DaemonServices>;
  /** What `lockstep doctor` looks with. */
  doctor(): Promise<DoctorParts>;
  /**
   * The folder of finished work of a workspace. `kept` must not lie in it. Fault `processed-unsafe` where it is not a
   * folder of its own inside the workspace.
   */
  processed(workspace: string, folder: string, kept: readonly string[]): Promise<ProcessedFolder>;
  /** What a run takes up where it lies, in bytes. */
  sizeOf(location: string): number;
  /** What the page is made of, and how a browser is asked to show it. */
  page(): Promise<PageServices>;
  /** A document that comes with Lockstep, by its path below `builtin/`; Fault `file-unreadable`. */
  readPackaged(path: string): string;
  /** Writes a file named on the command line. Fault `file-unwritable`, also where there is one already. */
  writeNew(path: string, text: string): void;
  /** One for each error code. */
  pages(): Pages;
  /** A file named on the command line, as text; Fault `file-unreadable`. */
  readFile(path: string): string;
}

export interface PageServices {
  /** Name → content, read once. Fault `page-missing` where Lockstep was not built whole. */
  files(): ReadonlyMap<string, Uint8Array>;
  /** False: there is no browser that could be asked. */
  show(url: string): boolean;
  /** Which server shows the runs of this folder, for commands that print a link. */
  noteServer(runsFolder: string, server: { port: number } | undefined): void;
  /** The address of a server that runs, without its token. */
  knownServer(runsFolder: string): string | undefined;
}

export interface DaemonServices extends Required<Pick<DaemonParts, 'own' | 'speech' | 'origins'>> {
  /** How this very Lockstep is started. */
  command: [node: string, program: string];
  /** What the drive has to know of clients. */
  clients: Pick<GuardParts, 'carries' | 'patienceMs' | 'ownTools' | 'canRewrite' | 'actsUnder'>;
}

export interface ProcessedFolder {
  /** As it is configured. */
  readonly path: string;
  /** How many things it removed. */
  empty(): number;
  /** Fault `archive-destination` where an archive must not lie there. */
  checkDestination(destination: string): void;
  /** A zip, there whole or not at all. */
  archive(destination: string): Promise<{ files: number; bytes: number; leftOut: string[] }>;
}
