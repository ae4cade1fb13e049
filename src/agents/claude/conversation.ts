// conversation: Claude's messages of one dispatch, told as events while they come and as an answer at the end.
//
// V1. A client may give several results (what it does in the background wakes it again): the last one is the answer,
//     and what was used is the sum.
// V2. What was used so far is told request by request, so that a limit can end it; the final figure is the client's own.

import type { Usage } from '../../model/entry.ts';
import { OWN_SERVER } from '../../model/own-tools.ts';
import { isReservedServer } from '../../model/tool-policy.ts';
import type { AgentAnswer, AgentRequest } from '../../ports/agent.ts';
import type { Clock } from '../../ports/clock.ts';
import { failureOf } from './failure.ts';
import { blocksOf, isMessage, type Message, type ResultMessage, refusedIn } from './messages.ts';
import type { AskedSchema } from './schema.ts';
import type { ToolCalls } from './tool-calls.ts';
import { plus, tokensUsage, totalsOf, usageByModel, usageOf } from './usage.ts';

const LONGEST_TEXT = 4000;
const SYNTHETIC = '<synthetic>';

export class Conversation {
  readonly #request: AgentRequest;
  readonly #calls: ToolCalls;
  readonly #clock: Clock;
  readonly #results: ResultMessage[] = [];
  readonly #counted = new Set<string>();
  #soFar: Usage = { input_tokens: 0, output_tokens: 0, cost: null, turns: 0 };
  #session: string | undefined;
  #model: string | undefined;
  #said = '';
  #apiError: string | undefined;
  #retryAfter: number | undefined;

  constructor(request: AgentRequest, calls: ToolCalls, clock: Clock) {
    this.#request = request;
    this.#calls = calls;
    this.#clock = clock;
  }

  hear(message: unknown): void {
    if (!isMessage(message)) return;
    if (typeof message.session_id === 'string') this.#session = message.session_id;
    switch (message.type) {
      case 'assistant':
        return this.#assistant(message);
      case 'user':
        if (message.isReplay === true) return;
        for (const block of blocksOf(message)) if (block.type === 'tool_result') this.#calls.ended(block);
        return;
      case 'system':
        return this.#system(message);
      case 'rate_limit_event':
        return this.#rateLimit(message);
      case 'result':
        this.#results.push(message as ResultMessage);
        this.#calls.refused(refusedIn(message as ResultMessage));
    }
  }

  #assistant(message: Message): void {
    const isMain = message.parent_tool_use_id == null;
    const model = message.message?.model;
    const isSynthetic = model === SYNTHETIC;
    if (typeof message.error === 'string') this.#apiError = message.error;
    if (isMain && !isSynthetic && typeof model === 'string') this.#model = model;
    for (const block of blocksOf(message)) {
      if (block.type === 'tool_use') this.#calls.announced(block);
      if (block.type !== 'text' || !isMain || typeof block.text !== 'string' || block.text === '') continue;
      if (!isSynthetic) this.#said = block.text;
      this.#request.onEvent({ kind: 'text', text: shortened(block.text) });
    }
    if (!isSynthetic) this.#count(message, isMain);
  }

  /** A message comes block by block, under one id. */
  #count({ message }: Message, isMain: boolean): void {
    const id = message?.id;
    if (typeof id !== 'string' || this.#counted.has(id)) return;
    this.#counted.add(id);
    const used = tokensUsage(message?.usage);
    this.#soFar = plus(this.#soFar, { ...used, turns: isMain ? 1 : 0 });
    this.#request.onEvent({ kind: 'usage', usage: this.#soFar });
  }

  #system(message: Message): void {
    if (message.subtype === 'api_retry') {
      const wait = message.retry_delay_ms;
      if (typeof wait === 'number') this.#retryAfter = wait;
      const why = `${message.error ?? 'an error'}${message.error_status == null ? '' : ` (${message.error_status})`}`;
      const text = `claude tries again in ${Math.ceil((wait ?? 0) / 1000)} s, ${message.attempt} of ${message.max_retries}: ${why}`;
      this.#request.onEvent({ kind: 'debug', message: text });
    }
    if (message.subtype !== 'init') return;
    if (typeof message.model === 'string') this.#model ??= message.model;
    for (const { name = '', status, source } of Array.isArray(message.mcp_servers)
      ? message.mcp_servers
      : []) {
      if (this.#isInPlaceOfOurs(name, source)) this.#calls.reserved(name);
      if (status !== 'failed' || !Object.hasOwn(this.#request.mcpServers, name)) continue;
      this.#request.onEvent({
        kind: 'warning',
        message: `claude could not reach the MCP server \`${name}\``,
      });
    }
  }

  /** Its user may have our server too: what it was started with goes before that. Another's tools are withheld (L5). */
  #isInPlaceOfOurs(name: string, source: unknown): boolean {
    if (name !== OWN_SERVER) return isReservedServer(name);
    return Object.hasOwn(this.#request.mcpServers, name) && source !== undefined && source !== 'dynamic';
  }

  #rateLimit({ rate_limit_info: info }: Message): void {
    if (info?.status !== 'rejected' || typeof info.resetsAt !== 'number') return;
    this.#retryAfter = Math.max(0, info.resetsAt * 1000 - this.#clock.now());
  }

  /** Undefined: it never gave a result. */
  answer(schema: AskedSchema | undefined): AgentAnswer | undefined {
    const result = this.#results.at(-1);
    if (result === undefined) return undefined;
    const failure = failureOf({
      result,
      ...(this.#apiError !== undefined && { said: this.#apiError }),
      ...(this.#retryAfter !== undefined && { retryAfter: this.#retryAfter }),
    });
    const structured = failure === undefined ? schema?.unwrap(result.structured_output) : undefined;
    const { session, sessionTotals: earlier } = this.#request;
    const before = { resumed: session !== undefined, totals: earlier };
    const usage = usageOf(this.#results, this.#soFar.turns, before);
    const totals = totalsOf(result);
    this.#request.onEvent({ kind: 'usage', usage });
    return {
      text: this.#keptText(failure === undefined ? this.#textOf(result, structured) : this.#said),
      ...(structured !== undefined && { structured }),
      usage,
      usageByModel: usageByModel(this.#results),
      ...(totals !== undefined && { sessionTotals: totals }),
      ...this.#facts(),
      exitCode: failure === undefined ? 0 : 1,
      ...(failure !== undefined && { error: failure.error }),
      ...(failure?.again === false && { exitCode: undefined }),
    };
  }

  /** What there was, of one that did not come to its end. */
  unfinished(): Pick<AgentAnswer, 'text' | 'usage' | 'session' | 'model'> {
    const usage = this.#counted.size === 0 ? undefined : this.#soFar;
    return { text: this.#keptText(this.#said), ...(usage !== undefined && { usage }), ...this.#facts() };
  }

  #facts(): Pick<AgentAnswer, 'session' | 'model'> {
    return {
      ...(this.#session !== undefined && { session: this.#session }),
      ...(this.#model !== undefined && { model: this.#model }),
    };
  }

  #textOf(result: ResultMessage, structured: unknown): string {
    if (structured !== undefined) return JSON.stringify(structured);
    return typeof result.result === 'string' ? result.result : this.#said;
  }

  #keptText(text: string): string {
    const kept = this.#request.keep('answer');
    kept.write(text);
    return kept.text();
  }
}

function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
