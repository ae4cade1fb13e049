// tool: what a tool is, and what it may answer.

import type { JsonObject } from '../model/json.ts';
import type { CallContext } from './call-context.ts';
import type { Schema } from './schema.ts';

export interface ToolAnnotations {
  /** It changes nothing. */
  readOnlyHint: boolean;
  /** What it changes may be lost. */
  destructiveHint: boolean;
  /** Calling it again with the same arguments changes nothing more. */
  idempotentHint: boolean;
  /** It reaches beyond the project. */
  openWorldHint: boolean;
}

export interface Tool<In, Out extends object> {
  title: string;
  /** For a model that knows nothing else of Lockstep. */
  description: string;
  input: Schema<In>;
  output: Schema<Out>;
  annotations: ToolAnnotations;
  call(given: In, context: CallContext): Promise<Answer<Out>>;
}

/** `ask`: a person is asked first, and the call is then made again. */
export type Answer<Out> = Told<Out> | { ask: Elicitation };

export interface Told<Out> {
  value: Out;
  /** The same for a model to read. */
  text: string;
  links?: { uri: string; name: string; description?: string }[];
  /** A run that goes on after the answer: a client that knows tasks is given one in its place (tasks.ts). */
  begun?: { root: string; run: string };
}

/** What a person is asked by the client. */
export interface Elicitation {
  message: string;
  /** A flat object of plain values, as elicitation has it. */
  schema: JsonObject;
  /** Comes back with the answer, and is believed only where it is ours. */
  about: JsonObject;
}

export type AnyTool = Tool<unknown, object>;

/** Only here is the type of a tool's arguments forgotten: they are checked against its schema before every call. */
export function tool<In, Out extends object>(definition: Tool<In, Out>): AnyTool {
  return definition as unknown as AnyTool;
}

export const LOOKS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const ADDS: ToolAnnotations = { ...LOOKS, readOnlyHint: false, idempotentHint: false };
export const CHANGES: ToolAnnotations = { ...LOOKS, readOnlyHint: false };
export const REMOVES: ToolAnnotations = { ...CHANGES, destructiveHint: true };
/** Agents and commands of a workflow may do anything. */
export const WORKS: ToolAnnotations = { ...ADDS, openWorldHint: true };
