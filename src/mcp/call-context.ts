// call-context: what a tool knows of the call that it answers, beside its arguments.

import type { JsonObject } from '../model/json.ts';
import type { Tokens } from './tokens.ts';
import type { Workplace, Workplaces } from './workplace.ts';

export interface CallContext {
  workplaces: Workplaces;
  /** The project that the call is about. */
  at(folder?: string): Promise<Workplace>;
  tokens(): Tokens;
  /** Who calls, for the journal: the client's name and version. */
  client: string;
  /** Whether the client can put a question to a person. */
  canAsk: boolean;
  /** Where the call is made again with what a person said: what was asked about, and the answer. */
  said?: Said;
  /** For calls that take long. */
  progress(message: string): void;
  /** The client no longer waits. */
  signal: AbortSignal;
  /** Something that lists show has changed. */
  changed(what: 'tools' | 'resources'): void;
  background: Background;
}

export type Said =
  | { action: 'accept'; about: JsonObject; content: JsonObject }
  /** The person said no, or nothing. */
  | { action: 'decline' | 'cancel'; about: JsonObject };

/** What goes on after a call was answered, until the server ends. */
export interface Background {
  keep(work: BackgroundWork): void;
  /** What this server does on a run. */
  on(run: string): BackgroundWork | undefined;
}

export interface BackgroundWork {
  /** undefined: it is not there yet. */
  run(): string | undefined;
  stop(by: string): void;
  ended: Promise<unknown>;
}
