// facts: what was seen. Data: `--json` shows it as it is.

import type { LibraryKind } from '../model/library.ts';
import type { Layer } from '../model/workflow.ts';

export type ClientName = 'claude' | 'codex' | 'gemini';

export interface Facts {
  /** Versions, and what we run on. */
  lockstep: string;
  platform: string;
  node: string;
  /** The project. */
  root: string;
  runs: { folder: string; unwritable?: string; free?: number };
  git: GitFacts;
  hook: HookFacts;
  mcp: McpFacts;
  library: LibraryFacts;
  clients: ClientFacts[];
  guard: GuardFacts;
  hazards: { variable: string; client: ClientName; effect: string }[];
}

/** What holds live sessions. */
export interface GuardFacts {
  /** The project has chosen something that holds its sessions. */
  bound: boolean;
  /** Of this program. */
  build: string;
  daemons: { pid: number; version: string; build: string; sessions: number }[];
  /** Events let through while nobody answered, not yet on record. */
  unanswered: number;
}

/** Our hooks in the settings of a client. */
export interface ClientHooks {
  files: { file: string; missing: string[]; outdated: boolean; gone?: string }[];
  plugin: boolean;
  /** Sentences: what keeps hooks from being run. */
  off: string[];
  /** Codex: a person has agreed to them. */
  trusted?: boolean;
  /** What no hook of this client can hold, see or say. */
  limits: { limit: string; remedy: string }[];
}

export interface GitFacts {
  /** Absent: there is none, `problem` says why. */
  version?: string;
  problem?: string;
  /** Of the folder one stands in. */
  repository: boolean;
  /** Whose name commits would carry; absent: git refuses to make any. */
  identity?: string;
}

/** The MCP server that clients are led by. */
export interface McpFacts {
  answers: boolean;
  tookMs: number;
  problem?: string;
}

export interface HookFacts {
  /** Somebody who is there is asked, and the answer comes back. */
  answers: boolean;
  tookMs?: number;
  /** With nobody there it denies (exit code 2). */
  failsClosed: boolean;
  problem?: string;
}

export interface LibraryFacts {
  /** Whether the project has a `.lockstep/` of its own. */
  project: boolean;
  counts: Record<LibraryKind, number>;
  /** Workflows with errors. */
  invalid: { name: string; layer: Layer; errors: number; first: string }[];
}

export interface ClientFacts {
  name: ClientName;
  install: string;
  /** LOCKSTEP_CLIENTS leaves it out: nobody looked for it. */
  switchedOff?: true;
  /** Absent: it was not found. */
  found?: FoundFacts;
  /** Variables that give it a key or a login and are set: their names. */
  variables: string[];
  /** Variables that point it at another server and are set: their names. */
  addresses: string[];
  /** Where its own login is kept, if something is there. Nobody looked inside. */
  login?: string;
  /** Whether it can confine what it runs; of clients that do so. */
  sandbox?: { works: boolean; problem?: string };
  hooks?: ClientHooks;
}

export interface FoundFacts {
  via: 'sdk' | 'command';
  path: string;
  version?: string;
  /** It does not start, or does not say its version. */
  problem?: string;
}
