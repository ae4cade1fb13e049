// agent: somebody who can be given a prompt. The port carries all that any vendor's client needs; what a client
// cannot do is declared in `can`, never silently dropped.

import type { FailureClass, Usage } from '../model/entry.ts';
import type { JsonObject } from '../model/json.ts';
import type { HandBack, ToolAct, Verdict } from '../model/tool-call.ts';
import type { ToolPolicy } from '../model/workflow.ts';

export type { HandBack, ToolAct, Verdict } from '../model/tool-call.ts';

export interface AgentRequest {
  /** Step path, for logs and for the scripted agent. */
  path: string;
  /** Path without indices of the innermost step, e.g. `implement`. */
  step: string;
  system: string;
  prompt: string;
  /** For what a client is not to be given at all (`model/tool-policy.ts`); each call is `guard`'s to judge. */
  tools: ToolPolicy;
  /** Absent: nothing is restricted. What it denies must not happen; it reports and records that itself. */
  guard?: ToolGuard;
  model?: string;
  /** All of `params`, the known ones below taken out. */
  params: JsonObject;
  /**
   * As the step has them, each looked at already (runtime/perform/mcp-check.ts): `{ command, args, env, cwd }` or
   * `{ type: 'http' | 'sse', url, headers }`. `${NAME}` in a value of `env` or `headers` is the variable of that name in
   * `env` below: passed on in the client's own way, its value never in argv.
   */
  mcpServers: JsonObject;
  settingSources?: string[];
  permissionMode?: string;
  maxTurns?: number;
  schema?: JsonObject;
  /** Go on in this session. */
  session?: string;
  /** What the session to go on in had used up, by its client's own counters, when it was last heard of. */
  sessionTotals?: Usage;
  /** Its session is not to be kept where the client keeps those of the person: they would find it as their latest. */
  passing?: true;
  /** US dollars that are left for it: a client that can ends by itself there. */
  budget?: number;
  cwd: string;
  /** The whole environment of a child, secrets included. */
  env: Record<string, string>;
  /** Names in `env` that hold secrets. */
  secrets: string[];
  /** How often this step was handed out before: at this path, and by its id anywhere in the run. */
  dispatch: { path: number; id: number };
  signal: AbortSignal;
  onEvent(event: AgentEvent): void;
  /** Where an agent gathers what its client says. Nothing a client prints is kept anywhere else (S5). */
  keep(part: 'answer' | 'stderr'): Kept;
}

/** Asked before every tool call of the agent, its subagents' included. Calls may come in parallel. */
export interface ToolGuard {
  /**
   * False: the step has neither lists nor rules, and only the places that no call may write are kept. A client that cannot
   * be made to ask then goes on, with a warning; in any other case it is ended.
   */
  readonly isDemanded?: boolean;
  /**
   * May this call happen, with all that it does, whole or not at all? Never rejects: what cannot be judged is denied.
   * `handBack`: how the client is told of a rewritten input; without it as it is.
   */
  decide(call: readonly ToolAct[], handBack?: HandBack): Promise<Verdict>;
  /** What a call did that was let through has ended; `error` where it failed. Told where the client tells. */
  ended(act: ToolAct, error?: string): void;
}

/** Text within bounds, marked where it was cut, secrets masked before it is cut (S3). */
export interface Kept {
  write(chunk: Uint8Array | string): void;
  /** Call once, at the end. */
  text(): string;
}

export type AgentEvent =
  /** What the client printed, for the log. */
  | { kind: 'output'; stream: 'stdout' | 'stderr'; chunk: Uint8Array }
  | { kind: 'text'; text: string }
  /**
   * A call, once: as it happens; or `denied`, it did not happen, and why, by a client that refuses by itself (what `guard` denies is
   * told already). `unasked`: there is a guard, and it was not asked about this one.
   */
  | { kind: 'tool'; tool: string; summary: string; denied?: string; unasked?: true }
  /** What came of a call, in short: for the transcript. Told where the client tells. */
  | { kind: 'tool-result'; tool: string; summary: string; failed?: boolean }
  /** The words of the process that is to answer, where it is one. */
  | { kind: 'started'; argv: string[] }
  /** For somebody who looks for a mistake in the workflow. */
  | { kind: 'debug'; message: string }
  /** What was asked for and is not had, one sentence: recorded with the outcome. */
  | { kind: 'warning'; message: string }
  /** Cumulative within this request. */
  | { kind: 'usage'; usage: Usage };

export interface AgentAnswer {
  /** The final text. With `error`, whatever there was. */
  text: string;
  /** What a client that takes a schema gave; validated by the runtime all the same. */
  structured?: unknown;
  usage?: Usage;
  /** The same, by model, of a client that uses several in one dispatch and tells them apart. */
  usageByModel?: { model: string; usage: Usage }[];
  session?: string;
  /**
   * The session's own counters, of a client that counts on over dispatches: journaled, and handed back as the
   * request's `sessionTotals` when it goes on. `usage` is this dispatch alone.
   */
  sessionTotals?: Usage;
  /** The model that answered, where the client says. */
  model?: string;
  exitCode?: number;
  stderr?: string;
  /** `retryAfter` in milliseconds, where the client says when to come back. */
  error?: { class: FailureClass; message: string; hint?: string; retryAfter?: number; details?: JsonObject };
}

export type Ability =
  | 'system-prompt'
  | 'tools'
  | 'rules'
  /** Does what a `rewrite` verdict says. Who cannot is never given one. */
  | 'rewrite'
  | 'model'
  | 'schema'
  | 'session'
  | 'mcp'
  | 'setting-sources'
  | 'permission-mode'
  | 'max-turns'
  | 'usage'
  | 'cost'
  | 'streaming';

export interface Agent {
  readonly name: string;
  readonly can: ReadonlySet<Ability>;
  /** What it prints is its answer: `save_to` gets that as it streams. Otherwise it gets the final text. */
  readonly answersOnStdout?: boolean;
  /** Never throws: what went wrong is `error`. Resolves soon after `signal` aborts, its children gone. */
  perform(request: AgentRequest): Promise<AgentAnswer>;
}

export interface Agents {
  /** Named, or the first client found. Fault `agent-unavailable` says what to install and names --script. */
  find(provider: string | undefined): Agent;
}
