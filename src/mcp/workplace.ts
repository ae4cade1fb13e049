// workplace: the project that a call is about, and all that the tools reach it by. The command line makes it: this folder
// knows neither the disk nor the library.

import type { Guide } from '../drivers/guide/guide.ts';
import type { Definitions, LoadedWorkflow } from '../drivers/run/load.ts';
import type { Hosting } from '../hosting/hosting.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FoundInput, Skips } from '../model/entry.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { LoadedFile } from '../model/library.ts';
import type { SessionKey } from '../model/live-session.ts';
import type { State } from '../model/state.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Callers } from '../ports/callers.ts';
import type { Store } from '../ports/store.ts';
import type { Tracker } from '../ports/tracker.ts';

export interface Workplace {
  /** The project's folder, absolute. */
  readonly root: string;
  readonly store: Store;
  /** sha256, hex. */
  hash(text: string): string;
  definitions(): Promise<Definitions>;
  /** A name in the library, or a file. Fault `workflow-not-found`. */
  find(reference: string): Promise<LoadedFile>;
  /** As its files are now. */
  load(file: LoadedFile): Promise<LoadedWorkflow>;
  /** What a run is given, held against the declarations. */
  given(
    workflow: Workflow,
    skips: Skips,
    given: { inputs: JsonObject; context: JsonObject },
  ): Promise<GivenValues>;
  hosting(): Promise<Hosting>;
  guide(): Promise<Guide>;
  tracker(): Promise<Tracker>;
  /** What a person calls a run → its id. Faults `run-unknown`, `run-ambiguous`. */
  findRun(reference: string): string;
  /** Journaled by whoever holds the run, or by us. */
  signal(run: string, name: string, data: Json): Promise<void>;
  /** A file of the project, as text. Faults as the workspace has them: `path-outside`, `file-not-found`. */
  readFile(path: string): Promise<string>;
  /** Sessions of the project that are at a step of a workflow, the one seen last first. */
  heldSessions(): Promise<HeldSession[]>;
  /** Leaves notes of a session for the next one. */
  handOff(from: HeldSession, notes: string, pendingTasks: string[]): Promise<void>;
  /** Registers a text under a name, for the workflow that holds the session. */
  keepArtifact(run: string, by: SessionKey, name: string, content: string): Promise<void>;
  /** A document that comes with Lockstep. Throws where there is none. */
  readPackaged(path: string): Promise<string>;
}

/** A live session, and the run that it is held by. */
export interface HeldSession {
  key: SessionKey;
  run: string;
  workflow: string;
  state: State;
}

export interface GivenValues {
  inputs: JsonObject;
  vars: JsonObject;
  found: Record<string, FoundInput>;
  problems: Diagnostic[];
}

export interface Workplaces {
  readonly version: string;
  /** The user that the server runs as. */
  readonly user: string;
  readonly callers: Callers;
  /** `$LOCKSTEP_HOME`: where the key of tokens lies. */
  readonly home: string;
  /** The folder that a client names, else the one that the server was started for. Fault `working-dir-invalid`. */
  at(folder?: string): Promise<Workplace>;
  /** All that were asked for so far. */
  known(): Promise<Workplace[]>;
  /** What is under way is finished, and runs are given back. */
  close(): Promise<void>;
}
