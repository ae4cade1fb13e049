// telling: what one entry of a transcript tells, whichever client wrote it.

import { isObject, type Json } from '../model/json.ts';
import type { Todo } from '../model/session-record.ts';

export type Telling =
  | { kind: 'prompt'; text: string }
  | { kind: 'said'; text: string }
  | { kind: 'wrote'; file: string }
  | { kind: 'todos'; todos: Todo[] };

/** The texts of a message, which is a text or a list of parts. */
export function textIn(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part) => {
      if (typeof part === 'string') return [part];
      return isObject(part) && typeof part.text === 'string' ? [part.text] : [];
    })
    .join('\n');
}

/** A list of things to do, as the tools of any client take it. */
export function todosIn(list: Json | undefined): Telling[] {
  if (!Array.isArray(list)) return [];
  const todos = list.filter(isObject).flatMap((item): Todo[] => {
    const content = item.content ?? item.step ?? item.description;
    if (typeof content !== 'string') return [];
    const status = item.status === 'completed' || item.status === 'in_progress' ? item.status : 'pending';
    return [{ content, status }];
  });
  return [{ kind: 'todos', todos }];
}
