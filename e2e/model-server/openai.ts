// openai: POST /v1/responses, streamed as server-sent events.

import { type ApiError, type Asked, type Message, type ModelTurn, type NewId, USUAL_USAGE } from './turn.ts';

interface Item {
  type: string;
  role?: string;
  content?: string | { text?: string }[];
  name?: string;
  arguments?: string;
  input?: string;
  output?: unknown;
}
interface Body {
  model: string;
  instructions?: string;
  input?: Item[];
  tools?: { name?: string; type: string }[];
}

export function readOpenai(body: Record<string, unknown>): Asked {
  const { model, instructions = '', input = [], tools = [] } = body as unknown as Body;
  const system = [instructions];
  const messages: Message[] = [];
  for (const item of input) {
    if (item.type === 'message' && (item.role === 'developer' || item.role === 'system')) {
      system.push(textOf(item));
      continue;
    }
    const message = messageOf(item);
    if (message !== undefined) messages.push(message);
  }
  return {
    model,
    system: system.filter((part) => part !== '').join('\n'),
    messages,
    tools: tools.map(({ name, type }) => name ?? type),
  };
}

/** Undefined for what is no part of the conversation, such as reasoning. */
function messageOf(item: Item): Message | undefined {
  const user: Message = { role: 'user', text: '', calls: [], results: [] };
  const assistant: Message = { ...user, role: 'assistant' };
  const { type, name = '' } = item;
  if (type === 'message') return { ...(item.role === 'assistant' ? assistant : user), text: textOf(item) };
  if (type === 'function_call') {
    return { ...assistant, calls: [{ name, input: JSON.parse(item.arguments ?? '{}') }] };
  }
  if (type === 'custom_tool_call') {
    return { ...assistant, calls: [{ name, input: { text: item.input }, plain: true }] };
  }
  if (!type.endsWith('_output')) return undefined;
  const text = typeof item.output === 'string' ? item.output : JSON.stringify(item.output);
  // The protocol has no mark for a call that went wrong: the text says it.
  return { ...user, results: [{ text, isError: false }] };
}

function textOf({ content = [] }: Item): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

export function openaiEvents(turn: ModelTurn, model: string, newId: NewId): string[] {
  const { input, output } = turn.usage ?? USUAL_USAGE;
  const response = { id: newId('resp_'), object: 'response', model };
  const items: object[] = [];
  const events: [string, object][] = [
    ['response.created', { response: { ...response, status: 'in_progress', output: [] } }],
  ];
  const add = (item: object, delta?: object) => {
    const output_index = items.length;
    events.push(['response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } }]);
    if (delta !== undefined) events.push(['response.output_text.delta', { output_index, ...delta }]);
    events.push(['response.output_item.done', { output_index, item }]);
    items.push(item);
  };
  if (turn.text !== undefined) {
    const id = newId('msg_');
    const content = [{ type: 'output_text', text: turn.text, annotations: [] }];
    add(
      { type: 'message', id, role: 'assistant', status: 'completed', content },
      { item_id: id, content_index: 0, delta: turn.text },
    );
  }
  for (const call of turn.calls ?? []) {
    const call_id = newId('call_');
    const own = { id: `fc_${call_id}`, call_id, name: call.name, status: 'completed' };
    if (call.plain) add({ type: 'custom_tool_call', ...own, input: call.input.text });
    else {
      const { namespace } = call;
      const where = namespace === undefined ? {} : { namespace };
      add({ type: 'function_call', ...own, ...where, arguments: JSON.stringify(call.input) });
    }
  }
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
  events.push([
    'response.completed',
    { response: { ...response, status: 'completed', output: items, usage } },
  ]);
  return events.map(
    ([type, data], sequence_number) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`,
  );
}

const KINDS: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
  503: 'server_is_overloaded',
};

export function openaiError({ status, type, message }: ApiError): object {
  const kind = type ?? KINDS[status] ?? 'server_error';
  return { error: { type: kind, code: kind, message: message ?? 'scripted error', param: null } };
}
