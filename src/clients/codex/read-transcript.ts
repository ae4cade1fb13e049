// read-transcript: a line of a Codex rollout: `{ type: response_item | event_msg, payload }`. Messages of a person are taken
// from the events: the items also hold what Codex itself puts before a conversation.

import { isObject, type JsonObject } from '../../model/json.ts';
import { type Telling, textIn, todosIn } from '../telling.ts';
import { readPatch } from './patch.ts';

export function readEntry({ type, payload }: JsonObject): Telling[] {
  if (!isObject(payload)) return [];
  if (type === 'event_msg')
    return payload.type === 'user_message' && typeof payload.message === 'string'
      ? [{ kind: 'prompt', text: payload.message }]
      : [];
  if (type !== 'response_item') return [];
  if (payload.type === 'message')
    return payload.role === 'assistant' ? [{ kind: 'said', text: textIn(payload.content) }] : [];
  if (payload.type === 'function_call') return readCall(payload.name, argumentsOf(payload.arguments));
  if (payload.type === 'custom_tool_call') return readCall(payload.name, { input: payload.input ?? '' });
  return [];
}

function readCall(name: JsonObject[''] | undefined, input: JsonObject): Telling[] {
  if (name === 'update_plan') return todosIn(input.plan);
  const patch = name === 'apply_patch' ? (input.input ?? input.patch) : patchInCommand(input.command);
  if (typeof patch !== 'string') return [];
  const read = readPatch(patch);
  return 'files' in read ? read.files.map(({ path }): Telling => ({ kind: 'wrote', file: path })) : [];
}

/** `apply_patch` called through the shell. */
function patchInCommand(command: JsonObject[''] | undefined): string | undefined {
  const [program, patch] = Array.isArray(command) ? command : [];
  return program === 'apply_patch' && typeof patch === 'string' ? patch : undefined;
}

function argumentsOf(text: JsonObject[''] | undefined): JsonObject {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : text;
  return isObject(value) ? value : {};
}
