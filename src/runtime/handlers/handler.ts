// handler: what a built-in handler is given, and what it gives back. It throws what goes wrong.

import type { CallHandler } from '../../model/command.ts';
import type { Outcome } from '../../model/entry.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { PerformContext } from '../perform/context.ts';

export interface HandlerCall {
  command: CallHandler;
  with: JsonObject;
  context: PerformContext;
  /** Aborted on time-out and cancel. */
  signal: AbortSignal;
}

/** What it gives, and whether that is less than there was. */
export interface Handled {
  output: Json;
  truncated?: Outcome['truncated'];
  masked?: true;
  warnings?: string[];
  /** To be said to the live session: what a hook cannot do itself. */
  say?: string;
  /** Fields of `session` that are these from here on. */
  sessionFacts?: JsonObject;
  /** Of a model that wrote it. */
  written?: Pick<Outcome, 'usage' | 'provider' | 'model'>;
}

export type Handler = (call: HandlerCall) => Handled | Promise<Handled>;
