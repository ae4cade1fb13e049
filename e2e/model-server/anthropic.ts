// anthropic: POST /v1/messages, streamed as server-sent events.

import { type ApiError, type Asked, type Message, type ModelTurn, type NewId, USUAL_USAGE } from './turn.ts';

interface Block {
  type: string;
  text?: string;
  name?: string;
  input?: Record<string, unknown>;
  content?: string | Block[];
  is_error?: boolean;
}
interface Body {
  model: string;
  system?: string | Block[];
  messages: { role: 'user' | 'assistant' | 'system'; content: string | Block[] }[];
  tools?: { name: string }[];
}

export function readAnthropic(body: Record<string, unknown>): Asked {
  const { model, system, messages, tools = [] } = body as unknown as Body;
  return {
    model,
    system: textOf(system),
    messages: messages.map(({ role, content }) => messageOf(role === 'assistant' ? role : 'user', content)),
    tools: tools.map(({ name }) => name),
  };
}

function messageOf(role: Message['role'], content: string | Block[]): Message {
  const blocks: Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const of = (type: string) => blocks.filter((block) => block.type === type);
  return {
    role,
    text: textOf(of('text')),
    calls: of('tool_use').map(({ name = '', input = {} }) => ({ name, input })),
    results: of('tool_result').map((block) => ({
      text: textOf(block.content),
      isError: block.is_error === true,
    })),
  };
}

function textOf(content: string | Block[] | undefined): string {
  if (content === undefined) return '';
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

export function anthropicEvents(turn: ModelTurn, model: string, newId: NewId): string[] {
  const { input, output } = turn.usage ?? USUAL_USAGE;
  const calls = turn.calls ?? [];
  const message = {
    id: newId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: input,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
  const events: [string, object][] = [['message_start', { message }]];
  let index = 0;
  const add = (content_block: object, delta: object) => {
    events.push(['content_block_start', { index, content_block }]);
    events.push(['content_block_delta', { index, delta }]);
    events.push(['content_block_stop', { index }]);
    index += 1;
  };
  if (turn.text !== undefined) add({ type: 'text', text: '' }, { type: 'text_delta', text: turn.text });
  for (const call of calls) {
    const partial_json = JSON.stringify(call.input);
    add(
      { type: 'tool_use', id: newId('toolu_'), name: call.name, input: {} },
      { type: 'input_json_delta', partial_json },
    );
  }
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  events.push([
    'message_delta',
    { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } },
  ]);
  events.push(['message_stop', {}]);
  return events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

const KINDS: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export function anthropicError({ status, type, message }: ApiError): object {
  return {
    type: 'error',
    error: { type: type ?? KINDS[status] ?? 'api_error', message: message ?? 'scripted error' },
    request_id: 'req_scripted',
  };
}
