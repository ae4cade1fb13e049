// stream: what Gemini prints with `-o stream-json`, one JSON value a line, folded into what we need to know of it.

import type { Usage } from '../../model/entry.ts';
import { type JsonObject, objectOf } from '../../model/json.ts';
import type { AgentRequest, Kept } from '../../ports/agent.ts';
import type { Tokens } from './session-meter.ts';

export interface ToolUse {
  name: string;
  input: JsonObject;
}

export interface StreamListener {
  /** The session has begun: the model has not been asked yet. */
  onBegin(): void;
  onToolUse(use: ToolUse): void;
  onToolResult(use: ToolUse, end: ToolEnd): void;
}

export interface ToolEnd {
  output: string;
  /** Where it failed. */
  error?: string;
  /** It never began. */
  refused: boolean;
}

export interface StreamEnd {
  ok: boolean;
  error?: { type: string; message: string };
}

/** How a call ends that was not let through, or could not be: by the type that Gemini gives it. */
const REFUSED = new Set(['policy_violation', 'tool_not_registered', 'invalid_tool_params']);

const LONGEST_MESSAGE = 64 * 1024;

export class GeminiStream {
  session: string | undefined;
  model: string | undefined;
  usage: Usage | undefined;
  usageByModel: { model: string; usage: Usage }[] | undefined;
  end: StreamEnd | undefined;
  /** What it said went wrong along the way. */
  readonly complaints: string[] = [];
  readonly #request: Pick<AgentRequest, 'keep' | 'onEvent'>;
  readonly #listener: StreamListener;
  readonly #meterOf: (session: string) => () => Tokens | undefined;
  #meter: (() => Tokens | undefined) | undefined;
  readonly #uses = new Map<string, ToolUse>();
  /** Of the model's latest turn: what it says before it uses a tool is not its answer. */
  #text: Kept | undefined;
  /** Comes in pieces, and is told whole. */
  #unsaid = '';
  #turns = 0;
  #inTurn = false;

  /** `meterOf`: what a session uses up while it goes on, which the stream does not say. */
  constructor(
    request: Pick<AgentRequest, 'keep' | 'onEvent'>,
    listener: StreamListener,
    meterOf: (session: string) => () => Tokens | undefined,
  ) {
    this.#request = request;
    this.#listener = listener;
    this.#meterOf = meterOf;
  }

  /** Call once, at the end. */
  text(): string {
    this.#tell();
    return this.#text?.text() ?? '';
  }

  take(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const event = value as Record<string, unknown>;
    switch (event.type) {
      case 'init':
        this.session = textOf(event.session_id);
        this.model = textOf(event.model);
        if (this.session !== undefined) this.#meter = this.#meterOf(this.session);
        this.#listener.onBegin();
        break;
      case 'message':
        if (event.role === 'assistant') this.#say(textOf(event.content) ?? '');
        break;
      case 'tool_use':
        this.#use(event);
        break;
      case 'tool_result':
        this.#result(event);
        break;
      case 'error':
        this.#complain(event);
        break;
      case 'result':
        this.#finish(event);
        break;
    }
  }

  #say(text: string): void {
    if (text === '') return;
    this.#turn();
    this.#text ??= this.#request.keep('answer');
    this.#text.write(text);
    this.#unsaid += text;
    if (this.#unsaid.length > LONGEST_MESSAGE) this.#tell();
  }

  #tell(): void {
    if (this.#unsaid !== '') this.#request.onEvent({ kind: 'text', text: this.#unsaid });
    this.#unsaid = '';
  }

  #use(event: Record<string, unknown>): void {
    this.#turn();
    this.#tell();
    const use = { name: textOf(event.tool_name) ?? 'unknown', input: objectOf(event.parameters) };
    this.#uses.set(textOf(event.tool_id) ?? '', use);
    this.#listener.onToolUse(use);
  }

  #result(event: Record<string, unknown>): void {
    this.#inTurn = false;
    const id = textOf(event.tool_id) ?? '';
    const use = this.#uses.get(id) ?? { name: 'unknown', input: {} };
    this.#uses.delete(id);
    const { type, message } = objectOf(event.error);
    const failed = event.status !== 'success' || message !== undefined;
    const error = failed ? (textOf(message) ?? textOf(event.output) ?? 'it failed') : undefined;
    this.#listener.onToolResult(use, {
      output: textOf(event.output) ?? '',
      ...(error !== undefined && { error }),
      refused: failed && REFUSED.has(textOf(type) ?? ''),
    });
    const { input, output } = this.#meter?.() ?? { input: 0, output: 0 };
    this.#spend({ input_tokens: input, output_tokens: output, cost: null, turns: this.#turns });
  }

  #complain(event: Record<string, unknown>): void {
    const message = textOf(event.message) ?? 'an error without a message';
    if (event.severity === 'error') this.complaints.push(message);
    else this.#request.onEvent({ kind: 'warning', message: `gemini: ${message}` });
  }

  #finish(event: Record<string, unknown>): void {
    this.#tell();
    const { type, message } = objectOf(event.error);
    this.end = {
      ok: event.status === 'success',
      ...(message !== undefined && {
        error: { type: textOf(type) ?? 'unknown', message: textOf(message) ?? '' },
      }),
    };
    const stats = objectOf(event.stats);
    const models = Object.entries(objectOf(stats.models))
      .map(([model, used]) => ({ model, usage: usageOf(objectOf(used), 0) }))
      .sort((one, other) => other.usage.input_tokens - one.usage.input_tokens);
    // Which of several took a turn is not told; the small ones that choose a model or a title take none of ours.
    if (models[0] !== undefined) models[0].usage.turns = this.#turns;
    this.model = models[0]?.model ?? this.model;
    if (models.length > 1) this.usageByModel = models;
    this.#spend(usageOf(stats, this.#turns));
  }

  #spend(usage: Usage): void {
    this.usage = usage;
    this.#request.onEvent({ kind: 'usage', usage });
  }

  #turn(): void {
    if (this.#inTurn) return;
    this.#inTurn = true;
    this.#turns += 1;
    this.#text = undefined;
  }
}

function usageOf(stats: JsonObject, turns: number): Usage {
  const input = countOf(stats.input_tokens);
  // What it thought is in the total only, and is paid for as output.
  const output = Math.max(countOf(stats.output_tokens), countOf(stats.total_tokens) - input);
  return { input_tokens: input, output_tokens: output, cost: null, turns };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
