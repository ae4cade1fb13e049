// read-transcript: a line of Claude's transcript: `{ type: user | assistant, message: { content }, isMeta, isSidechain }`.

import { isObject, type JsonObject } from '../../model/json.ts';
import { type Telling, textIn, todosIn } from '../telling.ts';
import { toolActs } from './tools.ts';

/** What Claude sends in a person's name: commands, reminders, the output of a shell, agents that have finished. */
const NOT_A_PERSON =
  /^\s*(?:<(?:command-|local-command|bash-|system-reminder|task-notification|user-prompt-submit-hook)|\[Request interrupted|Caveat: )/;
const WRITES = new Set(['Write', 'Edit', 'NotebookEdit']);

export function readEntry(entry: JsonObject): Telling[] {
  const { type, message, isMeta, isSidechain } = entry;
  if (!isObject(message) || isMeta === true || isSidechain === true) return [];
  const { content } = message;
  if (type === 'user') {
    const text = textIn(content);
    return NOT_A_PERSON.test(text) ? [] : [{ kind: 'prompt', text }];
  }
  if (type !== 'assistant') return [];
  const calls = Array.isArray(content)
    ? content.filter(isObject).filter((part) => part.type === 'tool_use')
    : [];
  return [...calls.flatMap(readCall), { kind: 'said', text: textIn(content) }];
}

function readCall({ name, input }: JsonObject): Telling[] {
  if (typeof name !== 'string' || !isObject(input)) return [];
  if (name === 'TodoWrite') return todosIn(input.todos);
  return toolActs({ name, input }).flatMap(({ tool, file }): Telling[] =>
    WRITES.has(tool) && file !== undefined ? [{ kind: 'wrote', file }] : [],
  );
}
