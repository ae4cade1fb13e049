// turn: what the scripted model is asked and what it answers, the same for every vendor.

export type Vendor = 'anthropic' | 'openai' | 'gemini';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
  /** The tool takes plain text, `input.text`, and no JSON: Codex has one such, apply_patch. */
  plain?: true;
  /** Codex offers the tools of an MCP server under its name. */
  namespace?: string;
}

/** One message of the conversation as the model would see it. */
export interface Message {
  role: 'user' | 'assistant';
  text: string;
  calls: ToolCall[];
  /** What tools gave back, in order. */
  results: { text: string; isError: boolean }[];
}

/** What is the same in a request of any vendor. */
export interface Asked {
  model: string;
  system: string;
  messages: Message[];
  /** Names of the tools that the client offers. */
  tools: string[];
}

export interface ModelRequest extends Asked {
  vendor: Vendor;
  /** Counts from 1 over the life of the server. */
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export interface ApiError {
  status: number;
  /** The vendor's own name for it; by default the one that goes with the status. */
  type?: string;
  message?: string;
  /** Seconds. */
  retryAfter?: number;
}

export interface ModelTurn {
  text?: string;
  calls?: ToolCall[];
  usage?: { input: number; output: number };
  /** The API answers with this instead. */
  error?: ApiError;
  /** The stream breaks off in the middle, or holds something that is no event. */
  stream?: 'cut' | 'garbage';
  /** Nothing is answered until the client goes away. */
  hang?: boolean;
}

/** What the model does next, given everything so far. */
export type Script = (request: ModelRequest) => ModelTurn | Promise<ModelTurn>;

/** What a turn is said to have used when it does not say. */
export const USUAL_USAGE = { input: 10, output: 5 };

/** A new id that begins so: unique in one server, and the same in every run of one test. */
export type NewId = (prefix: string) => string;
