// read-transcript: a message of a Gemini chat, on a line of its own or in `messages`: `{ type: user | gemini, content, toolCalls }`.

import { isObject, type JsonObject } from '../../model/json.ts';
import { type Telling, textIn, todosIn } from '../telling.ts';
import { BUILT_IN, toolActs } from './tools.ts';

const WRITES = new Set(['Write', 'Edit']);

export function readEntry({ type, content, toolCalls }: JsonObject): Telling[] {
  if (type === 'user') return [{ kind: 'prompt', text: textIn(content) }];
  if (type !== 'gemini') return [];
  const calls = Array.isArray(toolCalls) ? toolCalls.filter(isObject) : [];
  return [...calls.flatMap(readCall), { kind: 'said', text: textIn(content) }];
}

function readCall({ name, args }: JsonObject): Telling[] {
  if (typeof name !== 'string' || !isObject(args)) return [];
  if (name === 'write_todos') return todosIn(args.todos);
  const ours = Object.hasOwn(BUILT_IN, name) ? (BUILT_IN[name] as string) : name;
  return toolActs(ours, { input: args }).flatMap(({ tool, file }): Telling[] =>
    WRITES.has(tool) && file !== undefined ? [{ kind: 'wrote', file }] : [],
  );
}
