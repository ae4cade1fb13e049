// messages: what Claude's stream holds, as far as it is read here. The CLI prints these, the SDK yields them. All of it
// is somebody else's: every field may be missing, and anything unknown is passed over.

export interface Message {
  type?: string;
  subtype?: string;
  session_id?: string;
  parent_tool_use_id?: string | null;
  isReplay?: boolean;
  message?: { id?: string; model?: string; content?: unknown; usage?: TokenCounts };
  /** Of an assistant message that stands for an error of the API. */
  error?: unknown;
  /** system/init */
  model?: string;
  /** `source`: `dynamic` where it came with the invocation; older versions do not say. */
  mcp_servers?: { name?: string; status?: string; source?: string }[];
  /** system/api_retry */
  attempt?: number;
  max_retries?: number;
  retry_delay_ms?: number;
  error_status?: number | null;
  /** rate_limit_event */
  rate_limit_info?: { status?: string; resetsAt?: number };
}

export interface ResultMessage extends Message {
  type: 'result';
  is_error?: boolean;
  result?: string;
  errors?: unknown[];
  num_turns?: number;
  structured_output?: unknown;
  api_error_status?: number | null;
  api_error_type?: string;
  usage?: TokenCounts;
  /** Over the whole session, resumed ones included. */
  total_cost_usd?: number;
  modelUsage?: Record<string, ModelUsage>;
  /** Calls that its own permissions were against. */
  permission_denials?: unknown;
  /** Since the last result, or since this process began. Clients of before 2026 do not have it. */
  model_usage_since_last_result?: Record<string, ModelUsage>;
}

export interface TokenCounts {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
}

export interface ModelUsage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadInputTokens?: number;
  cacheCreationInputTokens?: number;
  costUSD?: number;
  /** `unknown`: the price is a guess. */
  costBasis?: string;
}

export interface Block {
  type?: string;
  text?: string;
  /** tool_use */
  id?: string;
  name?: string;
  input?: unknown;
  /** tool_result */
  tool_use_id?: string;
  is_error?: boolean;
  content?: unknown;
}

/** Ids of the calls that the client refused by itself. */
export function refusedIn({ permission_denials: refused }: ResultMessage): string[] {
  if (!Array.isArray(refused)) return [];
  return refused.map((one) => (one as Block | null)?.tool_use_id).filter((id) => typeof id === 'string');
}

export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && typeof (value as Message).type === 'string';
}

export function blocksOf(message: Message): Block[] {
  const content = message.message?.content;
  if (!Array.isArray(content)) return [];
  return content.filter((block): block is Block => typeof block === 'object' && block !== null);
}

/** Of a tool's result. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block) => (typeof (block as Block | null)?.text === 'string' ? (block as Block).text : ''))
    .join('\n');
}
