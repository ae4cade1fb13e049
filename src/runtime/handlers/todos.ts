// todos: a list of things to do as a workflow gives it, and how it is said to a client.

import { isObject, type Json } from '../../model/json.ts';
import type { ClientName } from '../../model/live-session.ts';
import type { Todo } from '../../model/session-record.ts';
import { wrong } from './argument.ts';

/** The tool with which each client's model keeps its list. */
export const TODO_TOOLS: Readonly<Record<ClientName, string>> = {
  claude: 'TodoWrite',
  codex: 'update_plan',
  gemini: 'write_todos',
};

/** Texts, or maps: tasks of a plan say `title` or `description`, lists of clients `content`. */
export function readTodos(name: string, list: Json | undefined): Todo[] {
  if (!Array.isArray(list)) throw wrong(name, 'a list', list);
  return list.map((item, index) => {
    if (typeof item === 'string') return { content: item, status: 'pending' };
    const content = isObject(item)
      ? (item.content ?? item.title ?? item.description ?? item.text)
      : undefined;
    if (!isObject(item) || typeof content !== 'string' || content.trim() === '')
      throw wrong(`${name}[${index}]`, 'a text, or a map with `content`, `title` or `description`', item);
    const { id } = item;
    return {
      content,
      status: statusOf(item.status),
      ...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }),
    };
  });
}

function statusOf(status: Json | undefined): Todo['status'] {
  const word = typeof status === 'string' ? status.toLowerCase().replace(/[- ]/g, '_') : '';
  if (word === 'completed' || word === 'done') return 'completed';
  return word === 'in_progress' ? 'in_progress' : 'pending';
}

const BOXES: Readonly<Record<Todo['status'], string>> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
};

export function todoLines(todos: readonly Todo[]): string {
  return todos.map(({ content, status }) => `- ${BOXES[status]} ${content}`).join('\n');
}
