// tool-call: what an agent is about to do, in one vocabulary, and what is said to it.
// Names are Claude's: Read Write Edit NotebookEdit Bash Grep Glob LS WebFetch WebSearch Task, and mcp__server__tool.
// Who drives another client maps its names and inputs to these, and the answer back.

import type { JsonObject } from './json.ts';
import type { OwnPlace } from './own-place.ts';

/**
 * One thing that a tool call is about to do, in our words. A call that names several paths (a patch) does several; the guard
 * is asked about all of them at once.
 */
export interface ToolAct {
  tool: string;
  /** As the client has it, so that a rewritten one can be handed back. */
  input: JsonObject;
  /** The file or folder it is about, as the client spells it: absolute, or from the folder the agent works in. */
  file?: string;
  /** The field of `input` that `file` stands in, where it does. */
  field?: string;
  /** Of a call that is given a glob: what it reaches below `file`. Has no braces: each alternative is asked about. */
  glob?: string;
  /** The folder that relative paths are from, where the client says that it is not the one the agent was started in. */
  cwd?: string;
  /** Why nobody can tell what the call is about, though its client may make something of it: it is denied. */
  unreadable?: string;
  /** A relative `file` may be from a folder that the client does not tell. */
  isFromUnknownFolder?: true;
  /** The command line of a Bash call. */
  command?: string;
  // ── once the guard has settled `file`: relative to the workspace where inside, else absolute, no `.` or `..` in it ──
  /** Where it leads, links followed; absent: as spelt. */
  real?: string;
  /** What else the client may take it for (engine/guard/path-readings.ts), each as spelt and as where it leads. */
  others?: readonly string[];
  /** It lies in such a folder by what the disk says, whatever it is called. */
  inside?: OwnPlace;
}

/** Whether a call may happen: what the guard says, and what the client is told. */
export type Verdict =
  /** `advice` (of `warn` rules) is recorded by who gave it; told to the model too, where the client has a way. */
  | { kind: 'allow'; advice?: string }
  /** Let it happen with this input, whole, instead of the one it came with. `from`: the rule that is read next. */
  | { kind: 'rewrite'; input: JsonObject; advice?: string; from?: number }
  | Denied;

/** It must not happen; the reason is for the model. */
export interface Denied {
  kind: 'deny';
  reason: string;
  /** Absent: it could not be judged, or the step has ended. `tools`: its lists, and the places that no call may write. */
  by?: 'tools' | 'rule';
  /** The condition of that rule. */
  rule?: string;
  /** An `ask` rule: `reason` is the question that a person would have to agree to. */
  asks?: true;
  /** Of an `ask` rule: the rule that is read next, where a person agrees. */
  from?: number;
}

/** What a client is to do instead of a call, in its own words; undefined: it cannot be told so. */
export type HandBack = (act: ToolAct, input: JsonObject) => JsonObject | undefined;

/** `session` of expressions: what is known of the agent's session so far. Paths as in `event.file`. */
export interface SessionFacts {
  files_read: string[];
  files_modified: string[];
  /** Calls that were let through. */
  tool_calls: number;
  /** Calls that failed, as far as the client tells. */
  errors: number;
  /** Seconds since it was given its task. */
  elapsed: number;
}
