// stream: what codex prints with --json, one JSON value a line, folded into what we need to know of it.

import { relative } from 'node:path';
import { commandOf } from '../../clients/codex/tools.ts';
import type { Usage } from '../../model/entry.ts';
import { type JsonObject, objectOf } from '../../model/json.ts';
import type { AgentRequest, ToolAct } from '../../ports/agent.ts';

export interface StreamListener {
  /** A call that a hook is asked about has begun. False: it was not asked about this one. */
  onCall(event: ToolAct): boolean;
  /** It failed. */
  onFailedCall(event: ToolAct, error: string): void;
}

type Item = Record<string, unknown>;

export class CodexStream {
  session: string | undefined;
  /** Of the session, over all that went on in it. */
  totals: Usage | undefined;
  isComplete = false;
  failure: string | undefined;
  /** The last thing it said went wrong; where the turn goes on, it did not matter. */
  complaint: string | undefined;
  /** The latest message: the last of all is the answer. */
  message = '';
  readonly #request: AgentRequest;
  readonly #listener: StreamListener;
  readonly #told = new Set<string>();
  #turns = 0;
  #inTurn = false;

  constructor(request: AgentRequest, listener: StreamListener) {
    this.#request = request;
    this.#listener = listener;
  }

  /** Of this dispatch alone. */
  usage(): Usage | undefined {
    const { totals } = this;
    if (totals === undefined) return undefined;
    const before = this.#request.session === undefined ? undefined : this.#request.sessionTotals;
    // Fewer than before: it is another session after all.
    if (before === undefined || before.input_tokens > totals.input_tokens) return totals;
    return {
      input_tokens: totals.input_tokens - before.input_tokens,
      output_tokens: Math.max(totals.output_tokens - before.output_tokens, 0),
      cost: null,
      turns: this.#turns,
    };
  }

  /** A call of its turn was not let through: it never shows here. */
  refused(): void {
    this.#turn();
    this.#inTurn = false;
  }

  take(value: unknown): void {
    const event = objectOf(value);
    const item = objectOf(event.item);
    switch (event.type) {
      case 'thread.started':
        this.session = textOf(event.thread_id);
        break;
      case 'turn.completed':
        this.#complete(objectOf(event.usage));
        break;
      case 'turn.failed':
        this.failure = textOf(objectOf(event.error).message) ?? 'the turn failed';
        break;
      case 'error':
        this.complaint = textOf(event.message);
        this.#request.onEvent({ kind: 'debug', message: `codex: ${this.complaint}` });
        break;
      case 'item.started':
        if (isTool(item)) this.#begin(item);
        break;
      case 'item.completed':
        this.#end(item);
        break;
    }
  }

  #begin(item: Item): void {
    this.#turn();
    const acts = this.#eventsOf(item);
    const isAsked = isJudged(item) && this.#listener.onCall(acts[0] as ToolAct);
    for (const act of acts) {
      const call = { kind: 'tool', tool: act.tool, summary: summaryOf(act) } as const;
      this.#request.onEvent(isAsked ? call : { ...call, unasked: true });
    }
  }

  #end(item: Item): void {
    if (isTool(item)) {
      this.#inTurn = false;
      this.#result(item);
    } else if (item.type === 'agent_message') {
      this.#turn();
      this.message = textOf(item.text) ?? '';
      if (this.message !== '') this.#request.onEvent({ kind: 'text', text: this.message });
    } else if (item.type === 'error') {
      this.#warn(textOf(item.message) ?? 'an error without a message');
    }
  }

  #result(item: Item): void {
    const failed = item.status === 'failed' || (typeof item.exit_code === 'number' && item.exit_code !== 0);
    const said = (textOf(objectOf(item.error).message) ?? textOf(item.aggregated_output) ?? '').trimEnd();
    for (const event of this.#eventsOf(item)) {
      const summary = said.slice(said.lastIndexOf('\n') + 1).slice(0, 300);
      this.#request.onEvent({ kind: 'tool-result', tool: event.tool, summary, ...(failed && { failed }) });
      if (failed) this.#listener.onFailedCall(event, said === '' ? 'it failed' : said.slice(-2000));
    }
  }

  #eventsOf(item: Item): ToolAct[] {
    const command = commandOf(textOf(item.command) ?? '');
    switch (item.type) {
      case 'command_execution':
        return [{ tool: 'Bash', input: { command }, command }];
      case 'file_change':
        return listOf(item.changes).map((change) => ({
          tool: change.kind === 'add' ? 'Write' : 'Edit',
          input: {},
          file: relative(this.#request.cwd, textOf(change.path) ?? ''),
        }));
      case 'mcp_tool_call': {
        const tool = `mcp__${textOf(item.server)}__${textOf(item.tool)}`;
        return [{ tool, input: objectOf(item.arguments) as JsonObject }];
      }
      case 'web_search':
        return [{ tool: 'WebSearch', input: { query: textOf(item.query) ?? '' } }];
      default:
        return [{ tool: 'Task', input: { prompt: textOf(item.prompt) ?? '' } }];
    }
  }

  /** Each once: codex says some things twice. That its hooks were all trusted is what the step asked for. */
  #warn(message: string): void {
    if (this.#told.has(message) || message.includes('--dangerously-bypass-hook-trust')) return;
    this.#told.add(message);
    this.#request.onEvent({ kind: 'warning', message: `codex: ${message}` });
  }

  #complete(usage: Item): void {
    this.isComplete = true;
    this.totals = {
      input_tokens: countOf(usage.input_tokens),
      output_tokens: countOf(usage.output_tokens),
      cost: null,
      turns: this.#turns,
    };
    const used = this.usage();
    if (used !== undefined) this.#request.onEvent({ kind: 'usage', usage: used });
  }

  #turn(): void {
    if (this.#inTurn) return;
    this.#inTurn = true;
    this.#turns += 1;
  }
}

/** What codex runs only after a hook was asked. */
const JUDGED = ['command_execution', 'file_change', 'mcp_tool_call'];

function isJudged({ type }: Item): boolean {
  return JUDGED.includes(String(type));
}

function isTool(item: Item): boolean {
  return isJudged(item) || item.type === 'web_search' || item.type === 'collab_tool_call';
}

function summaryOf({ file, command, input }: ToolAct): string {
  return (file ?? command ?? Object.values(input).map(String).join(' ')).slice(0, 300);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

function listOf(value: unknown): Item[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
