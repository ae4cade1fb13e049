// client: what a scene has to know of a vendor's client: how it is set up to reach the scripted model and nothing else,
// and what it calls the tools that a model may use.

import type { ModelRequest, ToolCall, Vendor } from '../../model-server/turn.ts';

/** A use of a tool, in the words of a workflow; files are relative to the project. */
export type Use =
  | { tool: 'Write'; file: string; content: string }
  | { tool: 'Edit'; file: string; old: string; new: string }
  | { tool: 'Read'; file: string }
  | { tool: 'Bash'; command: string }
  | { tool: 'MCP'; server: string; name: string; input: Record<string, unknown> };

export type ClientName = 'claude-sdk' | 'claude-cli' | 'codex' | 'gemini';

export interface SetUp {
  /** The project. */
  root: string;
  home: string;
  /** A folder whose entries are on the PATH. */
  bin: string;
  /** Of the scripted model. */
  url: string;
  key: string;
}

/** As every client's own settings have it. */
export const LOCKSTEP_SERVER = { command: 'lockstep', args: ['mcp'] };

export interface Client {
  name: ClientName;
  /** As a workflow names it. */
  provider: 'claude' | 'codex' | 'gemini';
  vendor: Vendor;
  /** Writes its settings, links it into `bin`, and answers with the environment it needs. */
  setUp(place: SetUp): Record<string, string>;
  call(use: Use, root: string, offered: string[]): ToolCall;
  /** The status by which its API says that it has too much to do. */
  overloaded: number;
  /** The variable that holds its key. */
  keyVariable: string;
  /** How the model gives an answer of a certain shape: by a tool of its own, where the client offers one. */
  answerTool?: string;
  /** As a person starts it: a command with this prompt and `lockstep mcp` among its MCP servers. Absent: it is no command. */
  led?(prompt: string, place: Pick<SetUp, 'root'>): string[];
  /**
   * As a person starts it who relies on its hooks: every tool may be used as far as the client itself is concerned. `goesOn`: with
   * the next prompt of the session before. Absent: it is no command.
   */
  held?(prompt: string, goesOn: boolean): string[];
  /** Requests that a client makes of its own accord, beside the conversation. */
  isAside?(request: ModelRequest): boolean;
}
