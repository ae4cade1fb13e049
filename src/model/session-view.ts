// session-view: what `session` and `event` of expressions hold, and what each field is where no client's session is held to
// the workflow. The compiler takes the names and types from here; who binds a session fills in what it knows.

import type { JsonObject } from './json.ts';

/** `session.step`: what happened in this visit of the step. */
export interface SessionStepView extends JsonObject {
  /** Finished tool calls, reads included. */
  actions: number;
  errors: number;
  /** Seconds. */
  elapsed: number;
  files_modified: string[];
  /** How often a stop was held. */
  stops: number;
  /** The last test command of the step, with nothing edited since: `passed`, `failed`; '' where there is none. */
  tests: string;
}

/** `session` of expressions. */
export interface SessionView extends JsonObject {
  id: string;
  client: string;
  /** How it began: `startup`, `resume`, `clear`, `compact`, `fork`. */
  source: string;
  title: string;
  /** The latest prompt of a person since the step was entered. */
  prompt: string;
  files_read: string[];
  files_modified: string[];
  tool_calls: number;
  errors: number;
  /** Seconds. */
  elapsed: number;
  step: SessionStepView;
  /** `{ tool, about, error, text }` of the latest tool results. */
  observations: JsonObject[];
  /** Name → content. */
  artifacts: JsonObject;
  previous_summary: string;
  /** `{ phase, notes, pending_tasks, artifacts, from }`, or empty. */
  handoff: JsonObject;
  /** The id of the session that this one goes on from. */
  parent: string;
  context_restored: boolean;
  todos: JsonObject[];
}

export const NO_SESSION: SessionView = {
  id: '',
  client: '',
  source: '',
  title: '',
  prompt: '',
  files_read: [],
  files_modified: [],
  tool_calls: 0,
  errors: 0,
  elapsed: 0,
  step: { actions: 0, errors: 0, elapsed: 0, files_modified: [], stops: 0, tests: '' },
  observations: [],
  artifacts: {},
  previous_summary: '',
  handoff: {},
  parent: '',
  context_restored: false,
  todos: [],
};

/** `event` of expressions. */
export interface EventView extends JsonObject {
  /** Which event it is, as `events` names it. */
  name: string;
  tool: string;
  input: JsonObject;
  file: string;
  command: string;
  error: string;
  /** What a tool answered, or the agent's last words at a stop. */
  text: string;
  prompt: string;
  /** How a session began. */
  source: string;
  /** Why a session ended. */
  reason: string;
}

export const NO_EVENT: EventView = {
  name: '',
  tool: '',
  input: {},
  file: '',
  command: '',
  error: '',
  text: '',
  prompt: '',
  source: '',
  reason: '',
};
