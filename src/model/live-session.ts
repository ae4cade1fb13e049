// live-session: what happens in a session that a person has with a client, in one vocabulary, and what is said to it.
// A client's hook payload becomes a HookEvent (src/clients/), a drive answers with a HookReply, and the client's folder puts
// that into the client's own words.

import type { JsonObject } from './json.ts';
import type { ToolAct, Verdict } from './tool-call.ts';

export const CLIENTS = ['claude', 'codex', 'gemini'] as const;
export type ClientName = (typeof CLIENTS)[number];

/** A session as its client names it. */
export interface SessionKey {
  client: ClientName;
  id: string;
}

export type SessionSource = 'startup' | 'resume' | 'clear' | 'compact' | 'fork';

export type HookEvent = HookOrigin & HookHappening;

/** Where an event comes from. */
export interface HookOrigin {
  session: SessionKey;
  /** The folder that the client works in, absolute. */
  cwd: string;
  /** The folder whose `.lockstep/local/guard.json` the hook program found, absolute: the client may have gone elsewhere since. */
  project?: string;
  /** The same event delivered twice has the same name here: it counts once, and gets the same answer. */
  delivery: string;
  /** A subagent did it: its name and kind as the client has them. */
  subagent?: { id: string; type?: string };
  /** The file in which the client keeps the conversation, absolute. */
  transcript?: string;
  /** The client's own mode (`plan`, `acceptEdits`), where it says so. */
  mode?: string;
}

export type HookHappening =
  | { kind: 'session_start'; source: SessionSource }
  /** `byPerson` is false for what a client sends in a person's name (Claude: a background agent that has finished). */
  | { kind: 'user_prompt'; prompt: string; byPerson: boolean }
  /** `call` is the client's id of the call; `acts` is what it does, as the guard is asked about it. */
  | { kind: 'tool_call'; call: string; tool: string; input: JsonObject; acts: ToolAct[] }
  /** `text` is what the tool answered, `error` why it failed; both cut by who reads them. */
  | {
      kind: 'tool_result';
      call: string;
      tool: string;
      input: JsonObject;
      acts: ToolAct[];
      text: string;
      error?: string;
    }
  /** `again`: the client goes on because a stop was held before. `text`: its last answer. */
  | { kind: 'stop'; again: boolean; text: string }
  | { kind: 'compact'; trigger: string }
  | { kind: 'session_end'; reason: string }
  /** A subagent is about to stop. It is never held. */
  | { kind: 'subagent_stop'; text: string }
  /** Settings that may switch hooks off are about to change. */
  | { kind: 'settings_change'; source: string; file?: string }
  /** The client asks a person for permission by itself. */
  | { kind: 'permission_request'; tool: string; input: JsonObject; acts: ToolAct[] }
  /** Nothing here needs to know more of it. `letThrough`: it happened while nobody could judge it: the tool, when and why. */
  | { kind: 'other'; name: string; letThrough?: { tool?: string; why: string } };

export type HookKind = HookHappening['kind'];

/** What is said to an event. An empty one lets it happen without a word. */
export interface HookReply {
  /** tool_call, permission_request: whether it may happen. Absent: allowed. */
  verdict?: Verdict;
  /** stop, user_prompt, compact, settings_change: it is not to happen, and why. The model reads it (user_prompt: the person). */
  hold?: string;
  /** Texts for the model's context, in order. Only given with events that can carry them. */
  say?: string[];
  /** For the person, where the client can show it. */
  note?: string;
}
